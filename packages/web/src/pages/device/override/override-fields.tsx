import { Group, NumberInput, Radio, Stack } from '@mantine/core'
import { isBounded } from '@plantroom/contract/datapoint'
import { ON_OFF } from '@plantroom/contract/units'
import type { PlanForm } from '../../../parts/plan/plan.ts'
import { type PlanFieldProps, PlanTimes, problemOf } from '../../../parts/plan/plan-fields.tsx'
import { ReasonInput } from '../../../parts/release/release-modal.tsx'
import { shownRange, shownValue } from '../../../parts/value.ts'
import { override as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { DatapointRow } from '../rows.ts'
import { describeLimits } from './describe-limits.ts'

interface FieldProps extends PlanFieldProps {
  form: PlanForm
}

/** Value, start and duration of an override, each with its own error. */
export function OverrideFields({ row, ...props }: FieldProps & { row: DatapointRow }) {
  const { form, onChange, problem, disabled } = props
  const { writeInputData: envelope, unit } = row.datapoint
  const current = row.value?.value
  const hints = [
    ...describeLimits(row.limits, unit),
    isBounded(envelope) && unit !== ON_OFF && format(texts.range, shownRange(envelope, unit)),
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
          error={problemOf('value', problem)}
          disabled={disabled}
          clampBehavior="none"
          inputMode="decimal"
          required
          data-autofocus
          maw={320}
        />
      )}
      <PlanTimes {...props} />
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
      error={problemOf('value', problem)}
    >
      <Group mt="xs">
        {[1, 0].map((value) => (
          <Radio key={value} value={String(value)} label={shownValue(value, ON_OFF)} disabled={disabled} />
        ))}
      </Group>
    </Radio.Group>
  )
}
