import { Alert, Button, Group, Paper, Progress, Text, Title } from '@mantine/core'
import { useSite } from '../../api/use-site.ts'
import {
  describeNext,
  describePlacedBy,
  describeTrouble,
  describeUntil,
  type NamedOverride,
  writerName,
} from '../../parts/describe-hold.ts'
import { Link } from '../../parts/link.tsx'
import { datapointHash } from '../../parts/link-to-datapoint.ts'
import { duration, shortTime } from '../../parts/time.ts'
import { shownValue } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { site as texts } from '../../texts/site.ts'
import { type HeldDatapoint, isLive } from './overview.ts'
import classes from './site.module.css'

/** One held datapoint, readable at arm's length at night. */
export function HeldCard({ held, onRelease }: { held: HeldDatapoint; onRelease: (() => void) | undefined }) {
  const { site, path } = useSite()
  const { seen, hold, override, unit } = held
  const { device, view, now } = seen
  const trouble = describeTrouble(hold)
  const when = { timeZone: site.timeZone, now }
  const isCurrent = isLive(seen)
  const name = held.name ?? (seen.systems ? texts.unknownDatapoint : common.loading)

  return (
    <Paper component="article" withBorder p="md" className={classes.hold} data-by={hold.by}>
      <Title order={3} size="h4">
        <Link to={path(`/devices/${device.id}${datapointHash(hold.datapointId)}`)} inherit>
          {name}
        </Link>
      </Title>
      <Text c="dimmed" size="sm">
        {held.connection ? format(texts.on, { connection: held.connection, controller: device.name }) : device.name}
      </Text>
      {!isCurrent && view?.device && (
        <Text size="sm" fw={600}>
          {format(texts.stale, { age: duration(seen.ageMs), time: shortTime(view.device.at, site.timeZone, now) })}
        </Text>
      )}
      <Group gap="xl" mt="xs" align="flex-start">
        <div>
          <Text size="sm">{hold.by === 'plain' ? texts.releasingTo : texts.heldAt}</Text>
          <div className={classes.value}>{shownValue(hold.value, unit)}</div>
        </div>
        <Actual held={held} />
      </Group>
      {trouble && (
        <Alert color="red" variant="light" mt="xs" p="xs" role="alert">
          {trouble}
        </Alert>
      )}
      <Text fw={600} mt="xs">
        {writerName(hold.by)}
      </Text>
      {describePlacedBy(override) && <Text>{describePlacedBy(override)}</Text>}
      <Text className="figures">{describeUntil(hold, when, isCurrent)}</Text>
      <Text>{describeNext(hold, unit)}</Text>
      {override && hold.until && isCurrent && <Elapsed override={override} until={hold.until} now={now} />}
      {onRelease && hold.overrideId !== null && (
        <Button
          color="red.9"
          mt="sm"
          onClick={onRelease}
          aria-label={format(texts.releaseOf, { name })}
          style={{ alignSelf: 'flex-start' }}
        >
          {texts.release}
        </Button>
      )}
    </Paper>
  )
}

/** What the equipment is at, or why that is not known. */
function Actual({ held: { actual, hold, unit, isWriteOnly, seen } }: { held: HeldDatapoint }) {
  if (isWriteOnly) return <Missing>{texts.writeOnly}</Missing>
  const value = actual?.value ?? null
  if (value === null)
    return <Missing>{actual?.error ? format(texts.unreadable, { why: actual.error }) : common.none}</Missing>
  const differs = hold.value !== null && shownValue(value) !== shownValue(hold.value)
  const ageMs = seen.now - Date.parse(actual?.timestamp ?? '')
  return (
    <div>
      <Text size="sm">{texts.equipmentAt}</Text>
      <div className={classes.value} data-differs={(differs && hold.trouble !== null) || undefined}>
        {shownValue(value, unit)}
      </div>
      {ageMs > OLD_MS && <Text size="sm">{format(texts.readAgo, { age: duration(ageMs) })}</Text>}
    </div>
  )
}

/** Values are read every few seconds. */
const OLD_MS = 15_000

function Missing({ children }: { children: string }) {
  return (
    <div>
      <Text size="sm">{texts.equipmentAt}</Text>
      <Text size="sm" c="dimmed" maw={220}>
        {children}
      </Text>
    </div>
  )
}

/** The elapsed share of an override. The text above has the same information. */
function Elapsed({ override, until, now }: { override: NamedOverride; until: string; now: number }) {
  const from = Date.parse(override.from)
  const share = (now - from) / Math.max(1, Date.parse(until) - from)
  return <Progress value={100 * Math.min(1, Math.max(0, share))} size="xs" mt="sm" aria-hidden />
}
