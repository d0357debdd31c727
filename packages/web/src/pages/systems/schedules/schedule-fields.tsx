import { Button, Card, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { SmallButton } from '../../../parts/small-button.tsx'
import { common } from '../../../texts/common.ts'
import { format } from '../../../texts/format.ts'
import { schedules } from '../../../texts/schedules.ts'
import type { UnitOf } from '../review/describe-change.ts'
import { type Draft, type DraftSchedule, drivableDatapoints, newSlot } from './draft.ts'
import { SlotFields } from './slot-fields.tsx'

const texts = schedules.editor
/** Typing narrows a long list. */
const SHOWN = 50

/** Edits one schedule: its name, its datapoint and its slots. */
export function ScheduleFields({
  file,
  draft,
  index,
  schedule,
  unitOf,
  problemAt,
  onChange,
  onRemove,
}: {
  file: CommissioningFile
  draft: Draft
  index: number
  schedule: DraftSchedule
  unitOf: UnitOf
  problemAt: (path: string) => string | undefined
  onChange: (schedule: DraftSchedule) => void
  onRemove: () => void
}) {
  const { name, slots } = schedule
  const path = `schedules[${index}]`
  const problem = problemAt(`${path}.datapoint`) ?? problemAt(`${path}.slots`)
  return (
    <Card withBorder component="section" aria-label={name}>
      <Stack>
        <Group align="flex-start" justify="space-between">
          <Group align="flex-start">
            <TextInput
              label={texts.name}
              value={name}
              maxLength={255}
              error={problemAt(`${path}.name`)}
              onChange={({ currentTarget }) => onChange({ ...schedule, name: currentTarget.value })}
            />
            <Select
              label={texts.datapoint}
              data={drivableDatapoints(file, draft, schedule.key)}
              value={schedule.datapoint}
              searchable
              allowDeselect={false}
              limit={SHOWN}
              nothingFoundMessage={common.nothingFound}
              onChange={(datapoint) => datapoint !== null && onChange({ ...schedule, datapoint })}
            />
          </Group>
          <Button variant="default" mt={25} aria-label={format(texts.removeSchedule, { name })} onClick={onRemove}>
            {texts.remove}
          </Button>
        </Group>
        {problem && (
          <Text c="var(--mantine-color-error)" size="sm" role="alert">
            {problem}
          </Text>
        )}
        {slots.map((slot, at) => (
          <SlotFields
            key={slot.key}
            slot={slot}
            number={at + 1}
            schedule={name}
            unit={unitOf(schedule.datapoint)}
            problemAt={(field) => problemAt(field === '' ? `${path}.slots[${at}]` : `${path}.slots[${at}].${field}`)}
            onChange={(changed) => onChange({ ...schedule, slots: slots.with(at, changed) })}
            onRemove={() => onChange({ ...schedule, slots: slots.filter(({ key }) => key !== slot.key) })}
          />
        ))}
        <Group>
          <SmallButton
            aria-label={format(texts.addSlotOf, { name })}
            onClick={() => onChange({ ...schedule, slots: [...slots, newSlot()] })}
          >
            {texts.addSlot}
          </SmallButton>
        </Group>
      </Stack>
    </Card>
  )
}
