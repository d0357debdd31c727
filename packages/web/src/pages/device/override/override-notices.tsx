import { Alert, Checkbox, List, Stack, Text } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import type { Envelope } from '@plantroom/contract/datapoint'
import { describeError } from '../../../parts/describe-error.ts'
import { overrideKey, type When } from '../../../parts/describe-hold.ts'
import type { Plan } from '../../../parts/plan/plan.ts'
import { isUncertain } from '../../../parts/release/is-uncertain.ts'
import { shownRange } from '../../../parts/value.ts'
import { override as texts } from '../../../texts/device.ts'
import { format } from '../../../texts/format.ts'
import type { DatapointRow } from '../rows.ts'
import { describeOverlap, overlapping } from './describe-override.ts'

/** Warns about a value outside the commissioned range and asks for consent. */
export function OutsideNotice({
  envelope,
  unit,
  agreed,
  onAgree,
  isAsked,
  disabled,
}: {
  envelope: Envelope
  unit: string | undefined
  agreed: boolean
  onAgree: (agreed: boolean) => void
  /** True after an attempt to send without consent. */
  isAsked: boolean
  disabled: boolean
}) {
  return (
    <Alert color="orange" role="alert">
      <Stack gap="xs">
        <Text size="sm">{format(texts.outside, shownRange(envelope, unit))}</Text>
        <Checkbox
          label={texts.outsideAgreed}
          checked={agreed}
          onChange={(event) => onAgree(event.currentTarget.checked)}
          error={isAsked && !agreed ? texts.mustAgree : undefined}
          disabled={disabled}
        />
      </Stack>
    </Alert>
  )
}

/** Says that the controller would refuse the override, and why. */
export function RefusalNotice({ children }: { children: string }) {
  return (
    <Alert color="red" role="alert" title={texts.refusedTitle}>
      <Text size="sm">{children}</Text>
    </Alert>
  )
}

const MAX_SHOWN = 3

/** Warns about overrides that overlap this one. */
export function OverlapNotice({ row, plan, when }: { row: DatapointRow; plan: Plan; when: When }) {
  const others = overlapping(row.overrides, plan)
  if (others.length === 0) return null
  return (
    <Alert color="orange" title={texts.overlapTitle}>
      <List size="sm">
        {others.slice(0, MAX_SHOWN).map((override) => (
          <List.Item key={overrideKey(override)}>{describeOverlap(override, when, row.datapoint.unit)}</List.Item>
        ))}
      </List>
      <Text size="sm">
        {others.length > MAX_SHOWN && `${format(texts.overlapMore, { count: others.length - MAX_SHOWN })} `}
        {texts.overlapHint}
      </Text>
    </Alert>
  )
}

/** Why an override was not placed, or that nobody knows whether it was. */
export function SendFailure({ error }: { error: Error }) {
  const unsure = isUncertain(error)
  const refused = error instanceof ApiError && error.status === 499
  return (
    <Alert
      color={unsure ? 'orange' : 'red'}
      role="alert"
      title={unsure ? texts.uncertainTitle : refused ? texts.rejectedTitle : texts.failedTitle}
    >
      <Stack gap={4}>
        <Text size="sm">{describeError(error)}</Text>
        {unsure && <Text size="sm">{texts.uncertain}</Text>}
      </Stack>
    </Alert>
  )
}
