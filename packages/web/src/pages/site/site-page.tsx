import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Device } from '@plantroom/contract/api'
import { useQueries } from '@tanstack/react-query'
import { technicalSystemsOf, useDevices } from '../../api/use-devices.ts'
import { isShown, useGettingStarted } from '../../api/use-getting-started.ts'
import { useSite } from '../../api/use-site.ts'
import { useLiveDevices } from '../../live/live-devices.ts'
import { useNow } from '../../live/use-now.ts'
import { Checklist } from '../../parts/checklist.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, QueryView } from '../../parts/notices.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { clockTime, shortTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { site as texts } from '../../texts/site.ts'
import { HeldNow } from './held-now.tsx'
import { OpenRequests } from './open-requests.tsx'
import { connectionsOf, type DeviceOverview } from './overview.ts'
import classes from './site.module.css'

/** The overview of a site: what is held right now, its controllers, and its open requests. */
export function SitePage() {
  const { site, organization } = useSite()
  const devices = useDevices()
  const firstSteps = useGettingStarted(organization)
  const seen = useDeviceOverviews(devices.data ?? [])
  const now = useNow()

  return (
    <>
      <PageHead title={site.name}>
        <span className="figures">{describeLocalTime(clockTime(now, site.timeZone), site.timeZone)}</span>
      </PageHead>
      {firstSteps && isShown(firstSteps) && <Checklist list={firstSteps} />}
      <Stack gap="xl">
        <QueryView query={devices}>
          {() => (
            <>
              {seen.length > 0 && <HeldNow devices={seen} now={now} />}
              <DeviceList devices={seen} now={now} />
            </>
          )}
        </QueryView>
        <OpenRequests />
      </Stack>
    </>
  )
}

function DeviceList({ devices, now }: { devices: readonly DeviceOverview[]; now: number }) {
  return (
    <Stack component="section" gap="md" aria-labelledby="devices">
      <Title order={2} size="h3" id="devices">
        {texts.devices}
      </Title>
      {devices.length === 0 ? (
        <NoDevices />
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

/** Says what this person can do about it. */
function NoDevices() {
  const { may, path } = useSite()
  return (
    <Empty title={texts.noDevices}>
      {may('admin') ? <Link to={path('/settings/systems')}>{texts.addDevice}</Link> : texts.noDevicesHint}
    </Empty>
  )
}

function describeLocalTime(time: string, timeZone: string): string {
  return time.endsWith(timeZone) ? format(texts.localTime, { time }) : format(texts.localTimeInZone, { time, timeZone })
}

function DeviceRow({ seen, now }: { seen: DeviceOverview; now: number }) {
  const { site, path } = useSite()
  const { device, view } = seen
  const { total, troubles } = connectionsOf(seen)
  const answers = view?.device !== undefined && !view.isOffline
  // The live state of the controller counts more than the last recorded one.
  const isOnline = !view?.isOffline && (answers || device.online)

  return (
    <Stack gap={4} p="md">
      <Group gap="sm" justify="space-between" wrap="nowrap" align="flex-start">
        <Link to={path(`/devices/${device.id}`)} fw={600}>
          {device.name}
        </Link>
        <Badge color={isOnline ? 'green' : 'red'} variant="light" style={{ flexShrink: 0 }}>
          {isOnline ? common.online : common.offline}
        </Badge>
      </Group>
      {view?.isOffline && (
        <Text size="sm">
          {view.device
            ? format(texts.notAnsweringSince, { time: shortTime(view.device.at, site.timeZone, now) })
            : texts.notAnswering}
        </Text>
      )}
      {!isOnline && !view?.isOffline && <Text size="sm">{texts.notConnected}</Text>}
      {answers && view.device?.clockSuspect && (
        <Text size="sm" c="var(--mantine-color-error)">
          {texts.clockSuspect}
        </Text>
      )}
      {answers && troubles.length === 0 && (
        <Text size="sm" c="dimmed">
          {total === 0 ? texts.noConnections : format(texts.connectionsWork, { count: total })}
        </Text>
      )}
      {answers &&
        troubles.map(({ id, name, status, error }) => (
          <Text key={id} size="sm" c={status === 2 ? undefined : 'var(--mantine-color-error)'}>
            {format(texts.connectionTrouble, {
              name: name ?? (seen.systems ? texts.unknownConnection : common.loading),
              status: error ?? texts.connectionStatus[status],
            })}
          </Text>
        ))}
    </Stack>
  )
}

/** The controllers of the site with their live state and the names of their datapoints. */
function useDeviceOverviews(devices: readonly Device[]): DeviceOverview[] {
  const { orgId } = useSite()
  const views = useLiveDevices(
    orgId,
    devices.map(({ id }) => id),
  )
  const systems = useQueries({ queries: devices.map(({ id }) => technicalSystemsOf(orgId, id)) })
  return devices.map((device, at) => ({ device, view: views.get(device.id), systems: systems[at]?.data }))
}
