import { Alert, Paper, Progress, Text, Title } from '@mantine/core'
import { useSite } from '../../api/use-site.ts'
import {
  type NamedOverride,
  nextSentence,
  placedBySentence,
  troubleSentence,
  untilSentence,
  writerName,
} from '../../parts/hold-words.ts'
import { Link } from '../../parts/link.tsx'
import { shortTime } from '../../parts/time.ts'
import { shownValue } from '../../parts/value.ts'
import { common } from '../../texts/common.ts'
import { site as texts } from '../../texts/site.ts'
import type { HeldDatapoint } from './overview.ts'
import classes from './site.module.css'

/** One datapoint that is held, readable at arm's length at night. */
export function HeldCard({ held, now }: { held: HeldDatapoint; now: number }) {
  const { site, path } = useSite()
  const { seen, hold, window } = held
  const { device, view } = seen
  const trouble = troubleSentence(hold)
  const isGoingBack = hold.by === 'plain'
  const when = { timeZone: site.timeZone, now }

  return (
    <Paper component="article" withBorder p="md" className={classes.hold} data-by={hold.by}>
      <Title order={3} size="h4">
        <Link to={path(`/devices/${device.id}?datapoint=${encodeURIComponent(hold.datapointId)}`)} inherit>
          {held.name ?? (seen.systems ? texts.unknownDatapoint : common.loading)}
        </Link>
      </Title>
      <Text c="dimmed" size="sm">
        {held.connection ? texts.on(held.connection, device.name) : device.name}
      </Text>
      <Text size="sm" mt="xs">
        {isGoingBack ? texts.handedBackTo : texts.heldAt}
      </Text>
      <div className={classes.value}>{shownValue(hold.value)}</div>
      <Text fw={600} mt="xs">
        {writerName(hold.by)}
      </Text>
      {placedBySentence(window) && <Text>{placedBySentence(window)}</Text>}
      <Text className="figures">{untilSentence(hold, when)}</Text>
      <Text>{nextSentence(hold)}</Text>
      {window && hold.until && <Elapsed window={window} until={hold.until} now={now} />}
      {trouble && (
        <Alert color="red" variant="light" mt="xs" p="xs" role="alert">
          {trouble}
        </Alert>
      )}
      {view?.offline !== undefined && view.device && (
        <Text size="sm" c="dimmed" mt="xs">
          {texts.stale(shortTime(view.device.at, site.timeZone, now))}
        </Text>
      )}
    </Paper>
  )
}

/** How much of its time has passed: the words above say it too. */
function Elapsed({ window, until, now }: { window: NamedOverride; until: string; now: number }) {
  const from = Date.parse(window.from)
  const share = (now - from) / Math.max(1, Date.parse(until) - from)
  return <Progress value={100 * Math.min(1, Math.max(0, share))} size="xs" mt="sm" aria-hidden />
}
