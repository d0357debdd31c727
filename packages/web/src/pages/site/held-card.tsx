import { Alert, Button, Group, Paper, Progress, Text, Title } from '@mantine/core'
import { useSite } from '../../api/use-site.ts'
import { canClose } from '../../parts/close-hold/describe-close.ts'
import {
  describeNext,
  describePlacedBy,
  describeTrouble,
  describeUnanswered,
  describeUntil,
  type NamedOverride,
  writerName,
} from '../../parts/describe-hold.ts'
import { HoldStateBadge } from '../../parts/hold-state-badge.tsx'
import { Link } from '../../parts/link.tsx'
import { datapointHash } from '../../parts/link-to-datapoint.ts'
import { duration, shortTime } from '../../parts/time.ts'
import { shownValue } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { holds as holdTexts } from '../../texts/holds.ts'
import { site as texts } from '../../texts/site.ts'
import { type HeldDatapoint, isLive } from './overview.ts'
import classes from './site.module.css'

/** One held datapoint, readable at arm's length at night. */
export function HeldCard({
  held,
  onRelease,
  onCloseHold,
}: {
  held: HeldDatapoint
  /** Not for people who may only look. */
  onRelease: (() => void) | undefined
  onCloseHold: (() => void) | undefined
}) {
  const { site, path } = useSite()
  const { seen, hold, override, unit } = held
  const { device, view, now } = seen
  const when = { timeZone: site.timeZone, now }
  const isCurrent = isLive(seen)
  const trouble = describeTrouble(hold, isCurrent)
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
          {format(texts.stale, { age: duration(seen.ageMs), time: shortTime(now - seen.ageMs, site.timeZone, now) })}
        </Text>
      )}
      {!isCurrent && seen.freshness !== 'lost' && (
        <Text size="sm">{describeUnanswered(hold, { ...held, actual: held.actual?.value ?? null }, when)}</Text>
      )}
      <Group gap="xl" mt="xs" align="flex-start">
        <div>
          <Text size="sm">{hold.by === 'plain' ? texts.releasingTo : texts.heldAt}</Text>
          <div className={classes.value} data-old={!isCurrent || undefined}>
            {shownValue(hold.value, unit)}
          </div>
        </div>
        <Actual held={held} />
      </Group>
      {trouble && (
        <Alert color="red" variant="light" mt="xs" p="xs" role="alert">
          {trouble}
        </Alert>
      )}
      <Group gap="xs" mt="xs">
        {hold.by !== 'plain' && <Text fw={600}>{writerName(hold.by)}</Text>}
        <HoldStateBadge hold={hold} isLive={isCurrent} />
      </Group>
      {isCurrent && hold.state !== 'holding' && <Text>{holdTexts.stateHint[hold.state]}</Text>}
      {held.releaseWaits && <Text fw={600}>{holdTexts.releaseWaits}</Text>}
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
      {onCloseHold && canClose(hold) && (
        <Button
          variant="default"
          mt="sm"
          onClick={onCloseHold}
          aria-label={format(holdTexts.closeOf, { name })}
          style={{ alignSelf: 'flex-start' }}
        >
          {holdTexts.close}
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
  const ageMs = seen.controllerNow - Date.parse(actual?.timestamp ?? '')
  return (
    <div>
      <Text size="sm">{texts.equipmentAt}</Text>
      <div
        className={classes.value}
        data-differs={(differs && hold.trouble !== null) || undefined}
        data-old={!isLive(seen) || ageMs > OLD_MS || undefined}
      >
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
