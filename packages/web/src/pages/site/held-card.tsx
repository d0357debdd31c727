import { Alert, Button, Group, Paper, Progress, Text, Title } from '@mantine/core'
import { useSite } from '../../api/use-site.ts'
import { canClose } from '../../parts/close-hold/describe-close.ts'
import {
  describeHolder,
  describeNext,
  describeTrouble,
  describeUnanswered,
  describeUntil,
} from '../../parts/describe-hold.ts'
import { Figure } from '../../parts/figure.tsx'
import { HoldStateBadge } from '../../parts/hold-state-badge.tsx'
import { Link } from '../../parts/link.tsx'
import { datapointHash } from '../../parts/link-to-datapoint.ts'
import { Sparkline } from '../../parts/sparkline.tsx'
import { duration, shortTime } from '../../parts/time.ts'
import { joinFacts, shownValue } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { format } from '../../texts/format.ts'
import { holds as holdTexts } from '../../texts/holds.ts'
import { site as texts } from '../../texts/site.ts'
import type { HeldDatapoint } from './held-datapoints.ts'
import { isLive } from './overview.ts'
import classes from './site.module.css'

/** Means of the last hour, in order; `null` where there are none. */
type Recent = readonly (number | null)[]

/** One held datapoint, readable at arm's length at night. */
export function HeldCard({
  held,
  recent,
  onRelease,
  onCloseHold,
}: {
  held: HeldDatapoint
  recent: Recent | undefined
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
  const until = describeUntil(hold, when, isCurrent)

  return (
    <Paper component="article" withBorder className={classes.hold} data-by={hold.by}>
      <Group gap="xs" wrap="nowrap" justify="space-between" align="flex-start">
        <div>
          <Title order={3} size="h5">
            <Link to={path(`/devices/${device.id}${datapointHash(hold.datapointId)}`)} inherit>
              {name}
            </Link>
          </Title>
          <Text c="dimmed" size="xs">
            {held.connection ? format(texts.on, { connection: held.connection, controller: device.name }) : device.name}
          </Text>
        </div>
        <HoldActions held={held} name={name} onRelease={onRelease} onCloseHold={onCloseHold} />
      </Group>
      {!isCurrent && view?.device && (
        <Text size="sm" fw={600}>
          {format(texts.stale, { age: duration(seen.ageMs), time: shortTime(now - seen.ageMs, site.timeZone, now) })}
        </Text>
      )}
      {!isCurrent && seen.freshness !== 'lost' && (
        <Text size="sm">{describeUnanswered(hold, { ...held, actual: held.actual?.value ?? null }, when)}</Text>
      )}
      <Group gap="xs" wrap="nowrap" justify="space-between">
        <div className={classes.facts}>
          <div className={classes.value}>
            <Text span size="sm">
              {hold.by === 'plain' ? texts.releasingTo : texts.heldAt}
            </Text>{' '}
            <Figure value={hold.value} unit={unit} isOld={!isCurrent} />
          </div>
          <Actual held={held} />
          <HoldStateBadge hold={hold} isLive={isCurrent && held.oldMs === undefined} />
        </div>
        {recent && <Sparkline means={recent} last={held.actual?.value ?? null} unit={unit} />}
      </Group>
      {trouble && (
        <Alert color="red" variant="light" p="xs" role="alert">
          {trouble}
        </Alert>
      )}
      {hold.by !== 'plain' && (
        <Text size="sm" fw={500}>
          {describeHolder(hold, override ? [override] : [])}
        </Text>
      )}
      {isCurrent && hold.state !== 'holding' && <Text size="sm">{holdTexts.stateHint[hold.state]}</Text>}
      {held.releaseWaits && (
        <Text size="sm" fw={600}>
          {holdTexts.releaseWaits}
        </Text>
      )}
      <Text size="sm" className="figures">
        {joinFacts([until, describeNext(hold, unit)])}
      </Text>
      {isCurrent && held.span && <Elapsed span={held.span} now={now} />}
    </Paper>
  )
}

function HoldActions({
  held: { hold },
  name,
  onRelease,
  onCloseHold,
}: Pick<Parameters<typeof HeldCard>[0], 'held' | 'onRelease' | 'onCloseHold'> & { name: string }) {
  return (
    <Group gap="xs" justify="flex-end" className={classes.actions}>
      {onRelease && hold.overrideId !== null && (
        <Button color="red.9" size="sm" px="sm" onClick={onRelease} aria-label={format(texts.releaseOf, { name })}>
          {texts.release}
        </Button>
      )}
      {onCloseHold && canClose(hold) && (
        <Button
          variant="default"
          size="sm"
          px="sm"
          onClick={onCloseHold}
          aria-label={format(holdTexts.closeOf, { name })}
        >
          {holdTexts.close}
        </Button>
      )}
    </Group>
  )
}

/** What the equipment is at, or why that is not known; nothing where it is known to be at the held value. */
function Actual({ held: { actual, hold, unit, isWriteOnly, seen, oldMs } }: { held: HeldDatapoint }) {
  if (isWriteOnly) return <Missing>{texts.writeOnly}</Missing>
  const value = actual?.value ?? null
  if (value === null)
    return <Missing>{actual?.error ? format(texts.unreadable, { why: actual.error }) : common.none}</Missing>
  const differs = shownValue(value) !== shownValue(hold.value)
  if (!differs && oldMs === undefined) return null
  return (
    <div className={classes.value} data-differs={(differs && hold.trouble !== null) || undefined}>
      <Text span size="sm">
        {texts.equipmentAt}
      </Text>{' '}
      <Figure value={value} unit={unit} isOld={!isLive(seen) || oldMs !== undefined} ageMs={oldMs} />
    </div>
  )
}

function Missing({ children }: { children: string }) {
  return (
    <Text size="sm">
      {texts.equipmentAt}{' '}
      <Text span size="sm" c="dimmed">
        {children}
      </Text>
    </Text>
  )
}

/** The elapsed share of a hold. The text above has the same information. */
function Elapsed({ span: { from, to }, now }: { span: { from: number; to: number }; now: number }) {
  const share = (now - from) / Math.max(1, to - from)
  return <Progress value={100 * Math.min(1, Math.max(0, share))} size="sm" mt={2} aria-hidden className={classes.bar} />
}
