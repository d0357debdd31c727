import { Alert, Badge, Text } from '@mantine/core'
import type { ListedDevice } from '@plantroom/client/admin'
import { PageHead } from '../../parts/notices.tsx'
import { shortTime } from '../../parts/time.ts'
import { device as texts } from '../../texts/device.ts'
import type { Heard } from './use-heard.ts'

/** Which device, whether it is there, and what is wrong with it. */
export function DeviceHead({ listed, heard, timeZone }: { listed: ListedDevice; heard: Heard; timeZone: string }) {
  const { device, offline, isLost, now } = heard
  const isOnline = offline === undefined && (device !== undefined && !isLost ? true : listed.online)
  const lastHeard = device ? texts.lastHeard(shortTime(device.at, timeZone, now)) : texts.nothingHeard
  return (
    <div>
      <PageHead title={listed.name}>
        <Badge color={isOnline ? 'green' : 'red'} variant="light">
          {isOnline ? texts.online : texts.offline}
        </Badge>
      </PageHead>
      <div role="status">
        {offline !== undefined && (
          <Alert color="red" title={texts.offlineTitle}>
            <Text size="sm">{offline}</Text>
            <Text size="sm">
              {lastHeard} {texts.offlineHint}
            </Text>
          </Alert>
        )}
        {offline === undefined && isLost && (
          <Alert color="orange" title={texts.lostTitle}>
            <Text size="sm">
              {lastHeard} {texts.lostHint}
            </Text>
          </Alert>
        )}
      </div>
      {device?.clockSuspect && (
        <Alert color="red" title={texts.clockSuspectTitle} mt="sm">
          <Text size="sm">{texts.clockSuspect}</Text>
        </Alert>
      )}
    </div>
  )
}
