import { Button, Chip, Group, Input, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { WEEKDAYS, type Weekday } from '@plantroom/contract/datapoint'
import { commissioning } from '../../../texts/commissioning.ts'
import { format } from '../../../texts/format.ts'
import { schedules } from '../../../texts/schedules.ts'
import type { DraftSlot } from './draft.ts'

const texts = schedules.editor
const MODES = Object.entries(texts.modes).map(([value, label]) => ({ value, label }))

/** Edits one slot. Mistakes appear beside their fields as one types. */
export function SlotFields({
  slot,
  number,
  schedule,
  unit,
  problemAt,
  onChange,
  onRemove,
}: {
  slot: DraftSlot
  number: number
  schedule: string
  unit: string | undefined
  problemAt: (field: string) => string | undefined
  onChange: (slot: DraftSlot) => void
  onRemove: () => void
}) {
  const change = (changed: Partial<DraftSlot>) => onChange({ ...slot, ...changed })
  const toggle = (day: Weekday) =>
    change({ days: slot.days.includes(day) ? slot.days.filter((each) => each !== day) : [...slot.days, day] })
  return (
    <Stack
      gap="xs"
      component="fieldset"
      m={0}
      p="sm"
      style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 8, minWidth: 0 }}
    >
      <Input.Wrapper
        component="div"
        label={format(texts.slot, { number })}
        labelElement="div"
        error={problemAt('days') ?? problemAt('')}
      >
        <Group gap={6} role="group" aria-label={format(texts.daysOf, { number, name: schedule })}>
          {WEEKDAYS.map((day) => (
            <Chip key={day} size="xs" checked={slot.days.includes(day)} onChange={() => toggle(day)}>
              {commissioning.days[day]}
            </Chip>
          ))}
        </Group>
      </Input.Wrapper>
      <Group align="flex-start" gap="sm">
        <TextInput
          label={texts.from}
          value={slot.from}
          maxLength={5}
          w={84}
          error={problemAt('from')}
          onChange={({ currentTarget }) => change({ from: currentTarget.value })}
        />
        <TextInput
          label={texts.to}
          value={slot.to}
          maxLength={5}
          w={84}
          error={problemAt('to')}
          onChange={({ currentTarget }) => change({ to: currentTarget.value })}
        />
        <Select
          label={texts.mode}
          data={MODES}
          value={slot.mode}
          allowDeselect={false}
          w={200}
          onChange={(mode) => change({ mode: mode === 'offset' ? 'offset' : 'absolute' })}
        />
        <NumberInput
          label={unit ? format(texts.valueIn, { unit }) : texts.value}
          value={slot.value}
          w={120}
          hideControls
          error={problemAt('value')}
          onChange={(value) => change({ value })}
        />
        <Button
          variant="default"
          size="sm"
          mt={25}
          aria-label={format(texts.removeSlot, { number, name: schedule })}
          onClick={onRemove}
        >
          {texts.remove}
        </Button>
      </Group>
    </Stack>
  )
}
