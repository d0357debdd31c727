import { Alert, Text } from '@mantine/core'
import type { Trial } from '@plantroom/contract/control-state'
import { commissioning } from '../../texts/commissioning.ts'
import { format } from '../../texts/format.ts'

const texts = commissioning.trial

/** Says that the controller may still go back from a commissioning file, and what it depends on. */
export function TrialNotice({ trial: { leftSeconds, down, waitsFor } }: { trial: Trial }) {
  const minutes = format(texts.minutes, { count: Math.max(1, Math.ceil(leftSeconds / 60)) })
  return (
    <Alert color={down.length > 0 ? 'orange' : 'blue'} variant="light" role="status" title={texts.title}>
      {leftSeconds > 0 && <Text size="sm">{format(texts.left, { minutes })}</Text>}
      {down.length > 0 && <Text size="sm">{format(texts.down, { names: down.join(', ') })}</Text>}
      {waitsFor.length > 0 && <Text size="sm">{format(texts.waits, { names: waitsFor.join(', ') })}</Text>}
      {down.length > 0 && <Text size="sm">{texts.right}</Text>}
    </Alert>
  )
}
