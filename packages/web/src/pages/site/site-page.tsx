import { Alert, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { Device } from '@plantroom/contract/api'
import { useQueries } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useSystemsKeptUp } from '../../api/known-systems.ts'
import { technicalSystemsOf, useDevices } from '../../api/use-devices.ts'
import { isShown, useGettingStarted } from '../../api/use-getting-started.ts'
import { useSite } from '../../api/use-site.ts'
import { useLiveDevices } from '../../live/live-devices.ts'
import { onlineOf } from '../../live/live-view.ts'
import { useNow } from '../../live/use-now.ts'
import { Checklist } from '../../parts/checklist.tsx'
import { Link } from '../../parts/link.tsx'
import { Empty, Loading, QueryView } from '../../parts/notices.tsx'
import { OnlineBadge } from '../../parts/online-badge.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { clockTime, duration, shortTime } from '../../parts/time.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { site as texts } from '../../texts/site.ts'
import { byUrgency, connectionsOf, type DeviceOverview, devicesWithoutState, isLive, overviewOf } from './overview.ts'
import { SiteLimit } from './power-limit/site-limit.tsx'
import classes from './site.module.css'
import { SiteDay } from './site-day/site-day.tsx'
import { SiteNow } from './site-now.tsx'
import { StatusLine } from './status-line.tsx'

// No part of the first load: it comes after what is held.
const OpenRequests = lazy(async () => ({ default: (await import('./open-requests.tsx')).OpenRequests }))

/** The overview of a site: what is wrong, what is held right now, its controllers, and its open requests. */
export function SitePage() {
  const { site, organization } = useSite()
  const devices = useDevices()
  const firstSteps = useGettingStarted(organization)
  const now = useNow()
  const { seen, silentSince, areNamed } = useDeviceOverviews(devices.data ?? [], now)
  // What is below would move down when it is known what is held.
  const isHeard = devices.data !== undefined && areNamed && devicesWithoutState(seen).asked.length === 0

  return (
    <>
      <PageHead title={site.name}>
        <span className="figures">{describeLocalTime(clockTime(now, site.timeZone), site.timeZone)}</span>
      </PageHead>
      {firstSteps && isShown(firstSteps) && <Checklist list={firstSteps} />}
      <div className={classes.sections}>
        <div role="status" className={classes.banner}>
          {silentSince !== undefined && (
            <Alert color="orange" title={texts.lostTitle}>
              <span aria-live="off">{format(texts.lost, { age: duration(now - silentSince) })}</span>
            </Alert>
          )}
        </div>
        {silentSince === undefined && <StatusLine devices={seen} now={now} />}
        <QueryView query={devices}>
          {() =>
            areNamed ? (
              <>
                {seen.length > 0 && <SiteNow devices={seen} now={now} />}
                {isHeard && <SiteLimit devices={seen} now={now} />}
                {isHeard && seen.length > 0 && <SiteDay devices={seen} />}
                {isHeard && <DeviceList devices={byUrgency(seen)} />}
              </>
            ) : (
              <Loading />
            )
          }
        </QueryView>
        {(isHeard || devices.error) && (
          <Suspense fallback={<Loading />}>
            <OpenRequests />
          </Suspense>
        )}
      </div>
    </>
  )
}

function DeviceList({ devices }: { devices: readonly DeviceOverview[] }) {
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
            <DeviceRow key={seen.device.id} seen={seen} />
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

function DeviceRow({ seen }: { seen: DeviceOverview }) {
  const { path } = useSite()
  const { device, view, freshness } = seen
  const { total, troubles } = connectionsOf(seen)
  const answers = isLive(seen)

  return (
    <Stack gap={4} p="md">
      <Group gap="sm" justify="space-between" wrap="nowrap" align="flex-start">
        <Link to={path(`/devices/${device.id}`)} fw={600}>
          {device.name}
        </Link>
        <OnlineBadge online={onlineOf(freshness, device.online)} />
      </Group>
      <LastKnown seen={seen} />
      {freshness === 'waiting' && !device.online && <Text size="sm">{texts.notConnected}</Text>}
      {answers && view?.device?.clockSuspect && (
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

/** How old the state of a controller is that does not answer. */
function LastKnown({ seen: { view, freshness, ageMs, now } }: { seen: DeviceOverview }) {
  const { site } = useSite()
  if (freshness === 'live' || freshness === 'waiting') return null
  if (!view?.device) return freshness === 'offline' && <Text size="sm">{texts.notAnswering}</Text>
  const values = { age: duration(ageMs), time: shortTime(now - ageMs, site.timeZone, now) }
  return (
    <Text size="sm">{format(freshness === 'offline' ? texts.notAnsweringSince : texts.answersSlowly, values)}</Text>
  )
}

/** The controllers of the site with their live state and the names of their datapoints. */
function useDeviceOverviews(devices: readonly Device[], now: number) {
  const { orgId } = useSite()
  const { views, silentSince } = useLiveDevices(
    orgId,
    devices.map(({ id }) => id),
  )
  const systems = useQueries({ queries: devices.map(({ id }) => technicalSystemsOf(orgId, id)) })
  useSystemsKeptUp(
    orgId,
    devices.map(({ id }, at) => ({ id, systems: systems[at]?.data, live: views.get(id)?.device })),
  )
  const seen = devices.map((device, at) =>
    overviewOf(
      { device, view: views.get(device.id), systems: systems[at]?.data },
      { now, silentSince, count: devices.length },
    ),
  )
  return { seen, silentSince, areNamed: systems.every(({ isPending }) => !isPending) }
}
