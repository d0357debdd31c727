import { Alert, Stack, Text } from '@mantine/core'
import { ApiError } from '@plantroom/client/http'
import { messageOf } from '../../../parts/notices.tsx'
import { override as texts } from '../../../texts/device.ts'
import { isUncertain } from './is-uncertain.ts'

/** Why an override was not placed, in the words of who refused it; or that nobody knows whether it was. */
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
        <Text size="sm">{messageOf(error)}</Text>
        {unsure && <Text size="sm">{texts.uncertain}</Text>}
      </Stack>
    </Alert>
  )
}
