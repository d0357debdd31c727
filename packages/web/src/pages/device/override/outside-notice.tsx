import { Alert, Checkbox, Stack, Text } from '@mantine/core'
import type { Envelope } from '@plantroom/contract/datapoint'
import { shownValue } from '../../../parts/value.ts'
import { override as texts } from '../../../texts/device.ts'

/** Says that a value is not what the equipment was commissioned for, and has whoever sends it agree to that. */
export function OutsideNotice({
  envelope,
  agreed,
  onAgree,
  isAsked,
  disabled,
}: {
  envelope: Envelope
  agreed: boolean
  onAgree: (agreed: boolean) => void
  /** It was to be sent without having agreed. */
  isAsked: boolean
  disabled: boolean
}) {
  return (
    <Alert color="orange" role="alert">
      <Stack gap="xs">
        <Text size="sm">{texts.outside(shownValue(envelope.min), shownValue(envelope.max))}</Text>
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
