import { Paper, Text } from '@mantine/core'
import { useOpenSiteAlerts } from '../../api/use-open-alerts.ts'
import { useSite } from '../../api/use-site.ts'
import { adviseOn } from '../../parts/describe-alert.ts'
import { Link } from '../../parts/link.tsx'
import { ErrorNotice } from '../../parts/notices.tsx'
import { minuteTime } from '../../parts/time.ts'
import { format } from '../../texts/format.ts'
import { siteStatus as statusTexts, site as texts } from '../../texts/site.ts'
import type { DeviceOverview } from './overview.ts'
import classes from './site.module.css'
import { type Problem, siteStatus } from './site-status.ts'

/** More are on the page of the alerts. */
const SHOWN = 3
const MARKS = { well: '✓', unknown: '…', trouble: '!' } as const

/** How the site is: all well, or what is wrong, since when, and what to do. */
export function StatusLine({ devices, now }: { devices: readonly DeviceOverview[]; now: number }) {
  const { path } = useSite()
  const query = useOpenSiteAlerts(5_000)
  const status = siteStatus(devices, query.data, now)
  const problems = status.state === 'trouble' ? status.problems : []
  return (
    <Paper component="section" withBorder p="sm" className={classes.status} data-state={status.state}>
      <div className={classes.statusLine}>
        <span className={classes.mark} aria-hidden>
          {MARKS[status.state]}
        </span>
        <div className={classes.statusText} role="status" aria-label={statusTexts.label}>
          {status.state !== 'trouble' && <Text fw={600}>{status.text}</Text>}
          {problems.slice(0, SHOWN).map((problem) => (
            <OneProblem key={problem.text} problem={problem} now={now} />
          ))}
        </div>
        {problems.length > 0 && (
          <Link to={path('/alerts')} size="sm" className={classes.toAlerts}>
            {problems.length > SHOWN ? format(statusTexts.more, { count: problems.length - SHOWN }) : texts.allAlerts}
          </Link>
        )}
      </div>
      {query.error && query.data === undefined && <ErrorNotice error={query.error} retry={query.refetch} />}
    </Paper>
  )
}

function OneProblem({ problem: { text, since, alert }, now }: { problem: Problem; now: number }) {
  const { site, path } = useSite()
  return (
    <div>
      <Text fw={600}>
        {alert ? <Link to={path(`/alerts?alert=${alert.id}`)}>{text}</Link> : text}
        {since !== undefined && (
          <Text span size="sm" fw={400} ml="xs">
            {format(texts.since, { time: minuteTime(since, site.timeZone, now) })}
          </Text>
        )}
      </Text>
      {alert && (
        <Text size="sm" lineClamp={2}>
          {adviseOn(alert)}
        </Text>
      )}
    </div>
  )
}
