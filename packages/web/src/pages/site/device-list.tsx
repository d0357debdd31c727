import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useSite } from '../../api/use-site.ts'
import { Link } from '../../parts/link.tsx'
import { Empty } from '../../parts/notices.tsx'
import { shortTime } from '../../parts/time.ts'
import { capitalized } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { site as texts } from '../../texts/site.ts'
import { connectionsOf, type SeenDevice } from './overview.ts'
import classes from './site.module.css'

export function DeviceList({ devices, now }: { devices: readonly SeenDevice[]; now: number }) {
  return (
    <Stack component="section" gap="md" aria-labelledby="devices">
      <Title order={2} size="h3" id="devices">
        {texts.devices}
      </Title>
      {devices.length === 0 ? (
        <Empty title={texts.noDevices}>{texts.noDevicesHint}</Empty>
      ) : (
        <Paper withBorder className={classes.rows}>
          {devices.map((seen) => (
            <DeviceRow key={seen.device.id} seen={seen} now={now} />
          ))}
        </Paper>
      )}
    </Stack>
  )
}

function DeviceRow({ seen, now }: { seen: SeenDevice; now: number }) {
  const { site, path } = useSite()
  const { device, view } = seen
  const { total, troubles } = connectionsOf(seen)
  const answers = view?.device !== undefined && view.offline === undefined
  // What the device itself says counts more than what was last written down about it.
  const isOnline = view?.offline === undefined && (answers || device.online)

  return (
    <Stack gap={4} p="md">
      <Group gap="sm" justify="space-between" wrap="nowrap" align="flex-start">
        <Link to={path(`/devices/${device.id}`)} fw={600}>
          {device.name}
        </Link>
        <Badge color={isOnline ? 'green' : 'red'} variant="light" style={{ flexShrink: 0 }}>
          {isOnline ? texts.online : texts.offline}
        </Badge>
      </Group>
      {view?.offline !== undefined && (
        <Text size="sm">
          {texts.offlineBecause(capitalized(view.offline))}{' '}
          {view.device && texts.lastHeard(shortTime(view.device.at, site.timeZone, now))}
        </Text>
      )}
      {!isOnline && view?.offline === undefined && <Text size="sm">{texts.notConnected}</Text>}
      {answers && view.device?.clockSuspect && (
        <Text size="sm" c="var(--mantine-color-error)">
          {texts.clockSuspect}
        </Text>
      )}
      {answers && troubles.length === 0 && (
        <Text size="sm" c="dimmed">
          {total === 0 ? texts.noConnections : texts.connectionsWork(total)}
        </Text>
      )}
      {answers &&
        troubles.map(({ id, name, status, error }) => (
          <Text key={id} size="sm" c={status === 2 ? undefined : 'var(--mantine-color-error)'}>
            {texts.connectionTrouble(
              name ?? (seen.systems ? texts.unknownConnection : common.loading),
              error ?? texts.connectionStatus[status],
            )}
          </Text>
        ))}
    </Stack>
  )
}
