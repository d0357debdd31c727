import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { MAX_RECENT } from '@plantroom/contract/main-measurements'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useState } from 'react'
import { readsSettled } from '../../api/fetch-in-time.ts'
import { useOperation } from '../../api/use-operation.ts'
import { useCloseHold, useRelease } from '../../api/use-release.ts'
import { useSite } from '../../api/use-site.ts'
import { silentOf } from '../../live/live-view.ts'
import { periodOf } from '../../parts/describe-hold.ts'
import { Loading } from '../../parts/notices.tsx'
import { slotAt } from '../../parts/slot-at.ts'
import { duration } from '../../parts/time.ts'
import { listed, shownValue } from '../../parts/value.ts'
import { format } from '../../texts/format.ts'
import { site as texts } from '../../texts/site.ts'
import { HeldCard } from './held-card.tsx'
import { type HeldDatapoint, heldDatapoints, queuedOverrides } from './held-datapoints.ts'
import { type DeviceOverview, devicesWithoutState, isLive } from './overview.ts'
import { planRelease } from './release-site/plan.ts'
import classes from './site.module.css'

// Not part of the page, but there before a person needs them.
const loadOne = () => import('../../parts/release/release-modal.tsx')
const loadClose = () => import('../../parts/close-hold/close-hold-modal.tsx')
const loadAll = () => import('./release-site/release-site-modal.tsx')
const ReleaseModal = lazy(async () => ({ default: (await loadOne()).ReleaseModal }))
const CloseHoldModal = lazy(async () => ({ default: (await loadClose()).CloseHoldModal }))
const ReleaseSiteModal = lazy(async () => ({ default: (await loadAll()).ReleaseSiteModal }))

/** More would be slow to redraw every second. */
const SHOWN_AT_FIRST = 24

/** What a person is about to release or to close: one datapoint, or everything at the site. */
type Releasing = { kind: 'one' | 'close'; deviceId: string; datapointId: string } | { kind: 'all' }

/** What is held right now, by whom, until when, and what follows. */
export function HeldNow({ devices, now }: { devices: readonly DeviceOverview[]; now: number }) {
  const { may } = useSite()
  const [showsAll, setShowsAll] = useState(false)
  const [releasing, setReleasing] = useState<Releasing>()
  const held = heldDatapoints(devices, slotAt)
  const { asked, silent } = devicesWithoutState(devices)
  const shown = showsAll ? held : held.slice(0, SHOWN_AT_FIRST)
  const recent = useRecentValues(shown)
  const canRelease = may('manager')
  const hasOverrides = devices.some(({ view }) => (view?.device?.overrides.length ?? 0) > 0)
  const close = () => setReleasing(undefined)
  useEffect(() => {
    void readsSettled().then(() => Promise.all([loadOne(), loadClose(), loadAll()]).catch(() => {}))
  }, [])

  return (
    <Stack component="section" gap="xs" aria-labelledby="held-now">
      <Group gap="xs" justify="space-between">
        <Group gap="sm" align="baseline">
          <Title order={2} size="h4" id="held-now">
            {held.length > 0 && !held.some(({ seen }) => isLive(seen)) ? texts.heldThen : texts.held}
          </Title>
          <Text c="dimmed" size="sm" role="status" visibleFrom="xs">
            {held.length > 0 && format(texts.heldCount, { count: held.length })}
          </Text>
        </Group>
        {canRelease && hasOverrides && (
          <Button variant="default" size="xs" onClick={() => setReleasing({ kind: 'all' })}>
            {texts.releaseAll}
          </Button>
        )}
      </Group>
      {shown.length > 0 && (
        <div className={classes.cards}>
          {shown.map((each) => {
            const about = { deviceId: each.seen.device.id, datapointId: each.hold.datapointId }
            return (
              <HeldCard
                key={keyOf(each)}
                held={each}
                recent={recent.get(keyOf(each))}
                onRelease={canRelease ? () => setReleasing({ kind: 'one', ...about }) : undefined}
                onCloseHold={canRelease ? () => setReleasing({ kind: 'close', ...about }) : undefined}
              />
            )
          })}
        </div>
      )}
      {held.length > shown.length && (
        <Button variant="default" onClick={() => setShowsAll(true)} style={{ alignSelf: 'flex-start' }}>
          {format(texts.showAll, { count: held.length })}
        </Button>
      )}
      {silent.length > 0 && (
        <Alert color="yellow" variant="light">
          {format(texts.notKnown, { controllers: namesOf(silent), count: silent.length })}
        </Alert>
      )}
      {asked.length > 0 && <Loading what={format(texts.listening, { controllers: namesOf(asked) })} />}
      {held.length === 0 && asked.length === 0 && silent.length < devices.length && (
        <Paper withBorder p="xl">
          <Text size="lg" ta="center">
            {describeNothing(devices)}
          </Text>
        </Paper>
      )}
      <Queued devices={devices} now={now} />
      <Suspense fallback={<Loading />}>
        {releasing?.kind === 'one' && <ReleaseOne {...releasing} devices={devices} onClose={close} />}
        {releasing?.kind === 'close' && <CloseOne {...releasing} devices={devices} onClose={close} />}
        {releasing?.kind === 'all' && <ReleaseSiteModal latest={planRelease(devices)} onClose={close} />}
      </Suspense>
    </Stack>
  )
}

const keyOf = ({ seen, hold }: HeldDatapoint) => `${seen.device.id}/${hold.datapointId}`

const MINUTE_MS = 60_000

/** Loads the last hour of the held datapoints, all with one question. Pictures that cannot be loaded are left out. */
function useRecentValues(held: readonly HeldDatapoint[]) {
  const keys = held.filter(({ isArchived }) => isArchived).map(keyOf)
  const datapoints = keys.toSorted().slice(0, MAX_RECENT).join(',')
  const { data } = useOperation(
    'listRecentValues',
    { query: { datapoints } },
    {
      enabled: datapoints !== '',
      staleTime: MINUTE_MS,
      refetchInterval: MINUTE_MS,
      placeholderData: keepPreviousData,
      retry: false,
    },
  )
  return new Map(data?.series.map(({ deviceId, datapointId, means }) => [`${deviceId}/${datapointId}`, means]))
}
const namesOf = (devices: readonly DeviceOverview[]) => listed(devices.map(({ device }) => device.name))

/** Says that nothing is held, as far as that is known. */
function describeNothing(devices: readonly DeviceOverview[]): string {
  const answering = devices.filter(isLive).length
  if (answering === devices.length) return texts.nothingHeld
  return answering === 0 ? texts.nothingHeldThen : texts.nothingHeldKnown
}

interface DialogProps {
  deviceId: string
  datapointId: string
  devices: readonly DeviceOverview[]
  onClose: () => void
}

const findHeld = ({ devices, deviceId, datapointId }: DialogProps) =>
  heldDatapoints(devices).find((each) => each.seen.device.id === deviceId && each.hold.datapointId === datapointId)

function CloseOne(props: DialogProps) {
  const { deviceId, datapointId, devices, onClose } = props
  const { site } = useSite()
  const closeHold = useCloseHold(deviceId, datapointId)
  const found = findHeld(props)
  const seen = devices.find(({ device }) => device.id === deviceId)
  return (
    <CloseHoldModal
      target={{
        name: found?.name ?? texts.unknownDatapoint,
        unit: found?.unit,
        isWriteOnly: found?.isWriteOnly ?? false,
        hold: found?.hold,
        actual: found?.actual,
      }}
      isLive={seen !== undefined && isLive(seen)}
      closeHold={closeHold}
      when={{ timeZone: site.timeZone, now: seen?.now ?? 0, controllerNow: seen?.controllerNow ?? 0 }}
      onClose={onClose}
    />
  )
}

function ReleaseOne(props: DialogProps) {
  const { deviceId, datapointId, devices, onClose } = props
  const { site } = useSite()
  const release = useRelease()
  // What was clicked stays, also when the controller releases it in the meantime.
  const [overrideId] = useState(() => findHeld(props)?.hold.overrideId ?? '')
  const seen = devices.find(({ device }) => device.id === deviceId)
  const live = seen?.view?.device
  const found = findHeld(props)

  return (
    <ReleaseModal
      target={{
        name: found?.name ?? texts.unknownDatapoint,
        unit: found?.unit,
        hold: found?.hold,
        actual: found?.actual?.value,
        failsafe: found?.failsafe,
        overrides: live?.overrides.filter((override) => override.datapointId === datapointId) ?? [],
      }}
      overrideId={overrideId}
      isCut={live?.overridesLeftOut !== undefined}
      silent={seen && silentOf(seen.freshness)}
      when={{ timeZone: site.timeZone, now: seen?.now ?? 0 }}
      release={(id, reason) => release(deviceId, id, reason)}
      onClose={onClose}
    />
  )
}

function Queued({ devices, now }: { devices: readonly DeviceOverview[]; now: number }) {
  const { site } = useSite()
  const { count, next, name = texts.unknownDatapoint, unit } = queuedOverrides(devices)
  if (!next) return null
  const left = duration(Date.parse(next.from) - now)
  return (
    <Text>
      {format(texts.queued, { count })}{' '}
      <Text span c="dimmed" className="figures">
        {format(texts.queuedNext, {
          name,
          value: shownValue(next.value, unit),
          ...periodOf(next, { timeZone: site.timeZone, now }),
          left,
        })}
      </Text>
    </Text>
  )
}
