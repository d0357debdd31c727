import { type AlertGroup, groupAlerts } from '@plantroom/contract/alert-groups'
import type { Alert } from '@plantroom/contract/alerts'
import { describeAlert, isSnoozedAt } from '../../parts/describe-alert.ts'
import { format } from '../../texts/format.ts'
import { siteStatus as texts } from '../../texts/site.ts'
import { connectionsOf, type DeviceOverview, isLive } from './overview.ts'

/** One thing that is wrong. */
export interface Problem {
  text: string
  /** `undefined` when only this page noticed it. */
  since: string | undefined
  alert: Alert | undefined
}

export type SiteStatus =
  | { state: 'well'; text: string }
  /** Not everything has answered yet, nothing is there, or what is wrong is snoozed. */
  | { state: 'unknown'; text: string }
  | { state: 'trouble'; problems: readonly Problem[] }

/**
 * Says how a site is, in one line: from what is live, which is earlier than any alert, and from the open alerts. `alerts`
 * is undefined until they are loaded. Pure.
 */
export function siteStatus(
  devices: readonly DeviceOverview[],
  alerts: readonly Alert[] | undefined,
  now: number,
): SiteStatus {
  const groups = groupAlerts(alerts ?? [])
  const current = groups.filter(({ lead }) => !isSnoozedAt(lead, now))
  const problems = [...current.map(ofGroup), ...devices.flatMap((seen) => unreported(seen, alerts ?? []))]
  if (problems.length > 0) return { state: 'trouble', problems }
  const waiting = devices.filter((seen) => !isLive(seen))
  if (alerts === undefined || waiting.length > 0) return { state: 'unknown', text: texts.asking }
  const snoozed = groups.length - current.length
  if (snoozed > 0) return { state: 'unknown', text: format(texts.snoozed, { count: snoozed }) }
  if (devices.length === 0) return { state: 'unknown', text: texts.nothing }
  const connections = devices.reduce((sum, seen) => sum + connectionsOf(seen).total, 0)
  return { state: 'well', text: format(texts.well, { count: devices.length, connections }) }
}

function ofGroup({ lead, together }: AlertGroup<Alert>): Problem {
  const sentence = describeAlert(lead)
  const text = together.length === 0 ? sentence : format(texts.andOthers, { sentence, count: together.length })
  return { text, since: lead.beganAt, alert: lead }
}

/** What is wrong with a controller and has no alert yet. */
function unreported(seen: DeviceOverview, alerts: readonly Alert[]): Problem[] {
  const { device, freshness } = seen
  const known = (kind: Alert['kind'], id: string) =>
    alerts.some((alert) => alert.kind === kind && alert.deviceId === device.id && alert.subject.id === id)
  const problem = (text: string): Problem => ({ text, since: undefined, alert: undefined })
  if (freshness === 'offline') {
    return known('controller-offline', device.id) ? [] : [problem(format(texts.offline, { controller: device.name }))]
  }
  if (!isLive(seen)) return []
  return connectionsOf(seen)
    .troubles.filter(({ id, status }) => status < 1 && !known('connection-lost', id))
    .map(({ name, id }) => problem(format(texts.connection, { connection: name ?? id, controller: device.name })))
}
