import type { Clock } from '@plantroom/base/clock'
import type { RecentLog } from '@plantroom/base/log'
import { redact } from '@plantroom/base/redact'
import { API, MAX_REPORTED, type ProblemReport } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import type { HealthTrouble } from '@plantroom/contract/health'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { VERSION } from '@plantroom/contract/version'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { linesAbout } from './log-lines.ts'
import { createProblemReportStore } from './problem-report-store.ts'
import { createReportPace } from './report-pace.ts'

/** Collects what a person needs who helps with a problem of a site. Only administrators get lines of the log. */
export function problemReportRoute(
  app: FastifyInstance,
  { db, recentLog, clock }: { db: Db; recentLog: RecentLog; clock: Clock },
): void {
  const store = createProblemReportStore(db)
  const pace = createReportPace(clock)
  const startedAt = formatTimestamp(clock.now())

  addRoute(app, API.getProblemReport, async ({ params, role, userId }): Promise<ProblemReport> => {
    const { orgId, siteId } = params
    const site = await store.site(orgId, siteId)
    if (!site) throw new Failure('notFound', `this organization has no site ${shown(siteId)}`)
    pace.begin({ orgId, siteId })
    const deviceIds = await store.deviceIds(siteId)
    const reported = deviceIds.slice(0, MAX_REPORTED.controllers)
    const controllers = reported.length > 0 ? await store.controllers(reported) : []
    const alerts = await store.alerts(siteId, MAX_REPORTED.alerts)
    const mayReadLog = userId === undefined || role === 'admin'
    return {
      at: formatTimestamp(clock.now()),
      service: { version: VERSION, runtime: `Node ${process.versions.node}`, startedAt },
      site: { id: siteId, organizationId: orgId, timeZone: site.timeZone },
      controllers: controllers.map(describeController),
      controllersLeftOut: deviceIds.length - reported.length,
      alerts: alerts.map(({ openedAt, closedAt, ...alert }) => ({
        ...alert,
        openedAt: textOf(openedAt),
        closedAt: closedAt && textOf(closedAt),
      })),
      log: mayReadLog ? linesAbout(recentLog.lines(), { orgId, siteId, deviceIds }, MAX_REPORTED.logLines) : null,
    }
  })
}

const textOf = (at: Date) => formatTimestamp(at.getTime())

type Row = Awaited<ReturnType<ReturnType<typeof createProblemReportStore>['controllers']>>[number]

function describeController(row: Row): ProblemReport['controllers'][number] {
  const { id, name, online, since, health, healthAt, state, stateAt } = row
  return {
    id,
    name: redact(name),
    version: health?.version ?? null,
    online: online ?? false,
    since: since && textOf(since),
    health: health &&
      healthAt && {
        receivedAt: textOf(healthAt),
        ...health,
        connections: health.connections.map(redactTrouble),
        notTaken: health.notTaken.map(redactTrouble),
        notRestored: health.notRestored.map(redactTrouble),
      },
    state: state &&
      stateAt && {
        receivedAt: textOf(stateAt),
        held: row.held ?? 0,
        troubled: row.troubled ?? 0,
        connections: state.connections.map(({ connectionId, status }) => ({ id: connectionId, status })),
      },
  }
}

const redactTrouble = ({ reason, name, ...trouble }: HealthTrouble): HealthTrouble => ({
  ...trouble,
  name: redact(name),
  reason: reason === null ? null : redact(reason),
})
