import { Chip, Group, Input, NumberInput, Radio, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { ON_OFF } from '@plantroom/contract/units'
import { useId } from 'react'
import type { When } from '../../../parts/describe-hold.ts'
import { ReasonInput } from '../../../parts/release/release-modal.tsx'
import { toLocalInput } from '../../../parts/time.ts'
import { shownRange, shownValue } from '../../../parts/value.ts'
import { override as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { DatapointRow } from '../rows.ts'
import { describeLimits } from './describe-limits.ts'
import type { Length, OverrideForm, PlanField, PlanProblem } from './plan.ts'

const ALL_LENGTHS: readonly Length[] = ['15', '30', '60', '120', '240', 'until']

interface FieldProps {
  form: OverrideForm
  onChange: (changes: Partial<OverrideForm>) => void
  problem: PlanProblem | undefined
  when: When
  disabled: boolean
}

const errorOf = (field: PlanField, problem: PlanProblem | undefined) =>
  problem?.field === field ? problem.problem : undefined

/** Value, start and duration of an override, each with its own error. */
export function OverrideFields({ row, ...props }: FieldProps & { row: DatapointRow }) {
  const { form, onChange, problem, disabled } = props
  const { writeInputData: envelope, unit } = row.datapoint
  const current = row.value?.value
  const hints = [
    ...describeLimits(row.limits, unit),
    envelope && unit !== ON_OFF && format(texts.range, shownRange(envelope, unit)),
    typeof current === 'number' && format(texts.nowAt, { value: shownValue(current, unit) }),
  ].filter(Boolean)
  return (
    <Stack gap="sm">
      {unit === ON_OFF ? (
        <SwitchField {...props} description={hints.join(' ')} />
      ) : (
        <NumberInput
          label={unit === undefined ? texts.value : format(texts.valueIn, { unit })}
          description={hints.join(' ')}
          value={form.value}
          onChange={(typed) => onChange({ value: typed })}
          error={errorOf('value', problem)}
          disabled={disabled}
          clampBehavior="none"
          inputMode="decimal"
          required
          data-autofocus
          maw={320}
        />
      )}
      <StartField {...props} />
      <LengthField {...props} />
      <ReasonInput reason={form.reason} onChange={(reason) => onChange({ reason })} />
    </Stack>
  )
}

/** The value of a datapoint that is on or off. */
function SwitchField({ form, onChange, problem, disabled, description }: FieldProps & { description: string }) {
  return (
    <Radio.Group
      label={texts.value}
      description={description}
      value={String(form.value)}
      onChange={(value) => onChange({ value })}
      error={errorOf('value', problem)}
    >
      <Group mt="xs">
        {[1, 0].map((value) => (
          <Radio key={value} value={String(value)} label={shownValue(value, ON_OFF)} disabled={disabled} />
        ))}
      </Group>
    </Radio.Group>
  )
}

function StartField({ form, onChange, problem, when: { timeZone, now }, disabled }: FieldProps) {
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
            error={errorOf('startAt', problem)}
            disabled={disabled}
          />
        )}
      </Group>
    </div>
  )
}

function LengthField({ form, onChange, problem, when: { timeZone, now }, disabled }: FieldProps) {
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
          error={errorOf('endAt', problem)}
          disabled={disabled}
        />
      )}
    </div>
  )
}
