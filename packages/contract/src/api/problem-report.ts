import { ALERT_KINDS } from '../alerts.ts'
import { time, timeOrNull } from '../fields.ts'
import { DeviceHealth } from '../health.ts'
import { route } from '../route.ts'
import { array, boolean, integer, nullable, object, oneOf, type Static, text } from '../schema.ts'
import { CONNECTION_STATUS } from '../values.ts'

/** The largest number of each in a report. */
export const MAX_REPORTED = { controllers: 200, alerts: 50, logLines: 200 } as const

const statuses = Object.values(CONNECTION_STATUS)

const Controller = object({
  id: text(),
  name: text(),
  version: nullable(text(), { description: 'Null for a controller that does not say it' }),
  online: boolean(),
  since: timeOrNull('Since when it is online, or when it was last seen; null when it was never seen'),
  health: nullable(object({ receivedAt: time(), ...DeviceHealth.properties }), {
    description: 'What it said last about itself',
  }),
  state: nullable(
    object({
      receivedAt: time(),
      held: integer({ description: 'Datapoints that are held' }),
      troubled: integer({ description: 'Those of them whose equipment did not do it' }),
      connections: array(object({ id: text(), status: oneOf(statuses) })),
    }),
    { description: 'Its last known state' },
  ),
})

/** What a person who helps with a problem needs. It has no secrets, no addresses and no names of people. */
export const ProblemReport = object({
  at: time(),
  service: object({ version: text(), runtime: text(), startedAt: time() }),
  site: object({ id: text(), organizationId: text(), timeZone: text() }),
  controllers: array(Controller),
  controllersLeftOut: integer(),
  alerts: array(
    object({
      id: text(),
      kind: oneOf(ALERT_KINDS),
      deviceId: nullable(text()),
      subjectId: text(),
      openedAt: time(),
      closedAt: timeOrNull(),
    }),
  ),
  log: nullable(array(object({ at: time(), level: text(), message: text() })), {
    description: 'Recent lines of this process of the service about this site; null unless you administer it',
  }),
})
export interface ProblemReport extends Static<typeof ProblemReport> {}

export const problemReportRoutes = {
  getProblemReport: route({
    method: 'GET',
    path: '/api/orgs/:orgId/sites/:siteId/problem-report',
    access: { by: 'operator', role: 'viewer' },
    tag: 'Operation',
    summary: 'Versions, controllers, alerts and recent log lines of a site, without secrets and names of people',
    reply: ProblemReport,
  }),
} as const
