import { Alert, Button, Group, Paper, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useSite } from '../../api/use-site.ts'
import {
  describeNext,
  describePlacedBy,
  describeTrouble,
  describeUntil,
  type NamedOverride,
  periodOf,
  writerName,
} from '../../parts/describe-hold.ts'
import { Link } from '../../parts/link.tsx'
import { Loading } from '../../parts/notices.tsx'
import { duration, shortTime } from '../../parts/time.ts'
import { listed, shownValue } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { site as texts } from '../../texts/site.ts'
import {
  type DeviceOverview,
  devicesWithoutState,
  type HeldDatapoint,
  heldDatapoints,
  queuedOverrides,
} from './overview.ts'
import classes from './site.module.css'

/** More would be slow to redraw every second. */
const SHOWN_AT_FIRST = 24

/** What is held right now, by whom, until when, and what follows. */
export function HeldNow({ devices, now }: { devices: readonly DeviceOverview[]; now: number }) {
  const [showsAll, setShowsAll] = useState(false)
  const held = heldDatapoints(devices)
  const { asked, silent } = devicesWithoutState(devices)
  const shown = showsAll ? held : held.slice(0, SHOWN_AT_FIRST)

  return (
    <Stack component="section" gap="md" aria-labelledby="held-now">
      <Group gap="sm" align="baseline">
        <Title order={2} size="h3" id="held-now">
          {texts.held}
        </Title>
        <Text c="dimmed" role="status">
          {held.length > 0 && format(texts.heldCount, { count: held.length })}
        </Text>
      </Group>
      {devices.some(({ view }) => view?.stream === 'lost') && (
        <Alert color="yellow" variant="light" role="status">
          {texts.lost}
        </Alert>
      )}
      {silent.length > 0 && (
        <Alert color="yellow" variant="light">
          {format(texts.notKnown, { controllers: namesOf(silent), count: silent.length })}
        </Alert>
      )}
      {shown.length > 0 && (
        <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }}>
          {shown.map((each) => (
            <HeldCard key={`${each.seen.device.id} ${each.hold.datapointId}`} held={each} now={now} />
          ))}
        </SimpleGrid>
      )}
      {held.length > shown.length && (
        <Button variant="default" onClick={() => setShowsAll(true)} style={{ alignSelf: 'flex-start' }}>
          {format(texts.showAll, { count: held.length })}
        </Button>
      )}
      {asked.length > 0 && <Loading what={format(texts.listening, { controllers: namesOf(asked) })} />}
      {held.length === 0 && asked.length === 0 && silent.length < devices.length && (
        <Paper withBorder p="xl">
          <Text size="lg" ta="center">
            {silent.length === 0 ? texts.nothingHeld : texts.nothingHeldKnown}
          </Text>
        </Paper>
      )}
      <Queued devices={devices} now={now} />
    </Stack>
  )
}

const namesOf = (devices: readonly DeviceOverview[]) => listed(devices.map(({ device }) => device.name))

function Queued({ devices, now }: { devices: readonly DeviceOverview[]; now: number }) {
  const { site } = useSite()
  const { count, next, name = texts.unknownDatapoint } = queuedOverrides(devices)
  if (!next) return null
  const left = duration(Date.parse(next.from) - now)
  return (
    <Text>
      {format(texts.queued, { count })}{' '}
      <Text span c="dimmed" className="figures">
        {format(texts.queuedNext, {
          name,
          value: shownValue(next.value),
          ...periodOf(next, { timeZone: site.timeZone, now }),
          left,
        })}
      </Text>
    </Text>
  )
}

/** One held datapoint, readable at arm's length at night. */
function HeldCard({ held, now }: { held: HeldDatapoint; now: number }) {
  const { site, path } = useSite()
  const { seen, hold, override } = held
  const { device, view } = seen
  const trouble = describeTrouble(hold)
  const isReleasing = hold.by === 'plain'
  const when = { timeZone: site.timeZone, now }

  return (
    <Paper component="article" withBorder p="md" className={classes.hold} data-by={hold.by}>
      <Title order={3} size="h4">
        <Link to={path(`/devices/${device.id}?datapoint=${encodeURIComponent(hold.datapointId)}`)} inherit>
          {held.name ?? (seen.systems ? texts.unknownDatapoint : common.loading)}
        </Link>
      </Title>
      <Text c="dimmed" size="sm">
        {held.connection ? format(texts.on, { connection: held.connection, controller: device.name }) : device.name}
      </Text>
      <Text size="sm" mt="xs">
        {isReleasing ? texts.releasingTo : texts.heldAt}
      </Text>
      <div className={classes.value}>{shownValue(hold.value)}</div>
      <Text fw={600} mt="xs">
        {writerName(hold.by)}
      </Text>
      {describePlacedBy(override) && <Text>{describePlacedBy(override)}</Text>}
      <Text className="figures">{describeUntil(hold, when)}</Text>
      <Text>{describeNext(hold)}</Text>
      {override && hold.until && <Elapsed override={override} until={hold.until} now={now} />}
      {trouble && (
        <Alert color="red" variant="light" mt="xs" p="xs" role="alert">
          {trouble}
        </Alert>
      )}
      {view?.isOffline && view.device && (
        <Text size="sm" c="dimmed" mt="xs">
          {format(texts.stale, { time: shortTime(view.device.at, site.timeZone, now) })}
        </Text>
      )}
    </Paper>
  )
}

/** The elapsed share of an override. The text above has the same information. */
function Elapsed({ override, until, now }: { override: NamedOverride; until: string; now: number }) {
  const from = Date.parse(override.from)
  const share = (now - from) / Math.max(1, Date.parse(until) - from)
  return <Progress value={100 * Math.min(1, Math.max(0, share))} size="xs" mt="sm" aria-hidden />
}
