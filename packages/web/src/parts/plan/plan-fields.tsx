import { Chip, Group, Input, SegmentedControl, TextInput } from '@mantine/core'
import { useId } from 'react'
import { override as texts } from '../../texts/device.ts'
import { format } from '../../texts/format.ts'
import type { When } from '../describe-hold.ts'
import { toLocalInput } from '../time.ts'
import type { Length, PlanField, PlanForm, PlanProblem } from './plan.ts'

const ALL_LENGTHS: readonly Length[] = ['15', '30', '60', '120', '240', 'until']

export interface PlanFieldProps {
  form: Pick<PlanForm, 'start' | 'startAt' | 'length' | 'endAt'>
  onChange: (changes: Partial<PlanForm>) => void
  problem: PlanProblem | undefined
  when: When
  disabled?: boolean
}

/** Returns the problem of a field. */
export const problemOf = (field: PlanField, problem: PlanProblem | undefined) =>
  problem?.field === field ? problem.problem : undefined

/** Start and duration, each with its own error. */
export function PlanTimes(props: PlanFieldProps) {
  return (
    <>
      <StartField {...props} />
      <LengthField {...props} />
    </>
  )
}

function StartField({ form, onChange, problem, when: { timeZone, now }, disabled }: PlanFieldProps) {
  const label = useId()
  const soonest = toLocalInput(now, timeZone)
  return (
    <div>
      <Input.Label id={label}>{texts.start}</Input.Label>
      <Group align="flex-start" gap="sm">
        <SegmentedControl
          aria-labelledby={label}
          data={[
            { value: 'now', label: texts.startNow },
            { value: 'at', label: texts.startAt },
          ]}
          value={form.start}
          onChange={(start) => onChange({ start, ...(!form.startAt && { startAt: soonest }) })}
          disabled={disabled}
        />
        {form.start === 'at' && (
          <TextInput
            type="datetime-local"
            aria-label={format(texts.startTime, { zone: timeZone })}
            description={timeZone}
            inputWrapperOrder={['input', 'description', 'error']}
            value={form.startAt}
            min={soonest}
            onChange={(event) => onChange({ startAt: event.currentTarget.value })}
            error={problemOf('startAt', problem)}
            disabled={disabled}
          />
        )}
      </Group>
    </div>
  )
}

function LengthField({ form, onChange, problem, when: { timeZone, now }, disabled }: PlanFieldProps) {
  const label = useId()
  return (
    <div>
      <Input.Label id={label}>{texts.length}</Input.Label>
      <Chip.Group value={form.length} onChange={(length) => onChange({ length: length as Length })}>
        <Group gap="xs" role="radiogroup" aria-labelledby={label}>
          {ALL_LENGTHS.map((length) => (
            <Chip key={length} value={length} disabled={disabled} radius="sm" variant="outline">
              {texts.lengths[length]}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {form.length === 'until' && (
        <TextInput
          mt="xs"
          maw={320}
          type="datetime-local"
          aria-label={format(texts.endTime, { zone: timeZone })}
          description={timeZone}
          inputWrapperOrder={['input', 'description', 'error']}
          value={form.endAt}
          min={toLocalInput(now, timeZone)}
          onChange={(event) => onChange({ endAt: event.currentTarget.value })}
          error={problemOf('endAt', problem)}
          disabled={disabled}
        />
      )}
    </div>
  )
}
