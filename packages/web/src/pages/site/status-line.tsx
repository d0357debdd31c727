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

/** More are on the page of the alerts. A phone shows the first one. */
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
            <OneProblem key={problem.text} problem={problem} isOnly={problems.length === 1} now={now} />
          ))}
        </div>
        {problems.length > 0 && (
          <Link to={path('/alerts')} size="sm" className={classes.toAlerts}>
            <span className={classes.wide}>{others(problems.length - SHOWN)}</span>
            <span className={classes.narrow}>{others(problems.length - 1)}</span>
          </Link>
        )}
      </div>
      {query.error && query.data === undefined && <ErrorNotice error={query.error} retry={query.refetch} />}
    </Paper>
  )
}

const others = (count: number) => (count > 0 ? format(statusTexts.more, { count }) : texts.allAlerts)

/** Advice only where it leaves room for what is held. The page of the alerts has it for each. */
function OneProblem({ problem, isOnly, now }: { problem: Problem; isOnly: boolean; now: number }) {
  const { text, since, alert } = problem
  const { site, path } = useSite()
  return (
    <div className={classes.problem}>
      <Text fw={600} lineClamp={2}>
        {alert ? <Link to={path(`/alerts?alert=${alert.id}`)}>{text}</Link> : text}
        {since !== undefined && (
          <Text span size="sm" fw={400} ml="xs">
            {format(texts.since, { time: minuteTime(since, site.timeZone, now) })}
          </Text>
        )}
      </Text>
      {alert && isOnly && (
        <Text size="sm" lineClamp={2} className={classes.wide}>
          {adviseOn(alert)}
        </Text>
      )}
    </div>
  )
}
