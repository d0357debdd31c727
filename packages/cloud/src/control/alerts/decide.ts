import type { AlertKind, AlertRule, AlertRules } from '@plantroom/contract/alerts'
import { type Condition, keyOf } from './conditions.ts'

/** An alert that is open. */
export interface OpenAlert extends Pick<Condition, 'kind' | 'organizationId' | 'deviceId' | 'subject'> {
  id: string
  /** When the trouble began. */
  beganAt: number
  openedAt: number
  /** Since when the trouble is over, while the delay before the end runs. */
  clearSince: number | undefined
}

export interface Decisions {
  open: Condition[]
  /** The trouble is over, and the delay before the end begins. */
  clear: string[]
  /** The trouble is back before the delay was over. */
  back: string[]
  close: { id: string; at: number }[]
}

/** No decision about a controller is made sooner: every controller reconnects within a minute of a broker's restart. */
const SHORTEST_OFFLINE_MS = 60_000
/** A failed import is over when a later one succeeds, or when nobody cares any more. */
const IMPORT_MS = 7 * 86_400_000

/** Kinds that are decided from what a device says about itself. */
const OF_HEALTH: ReadonlySet<AlertKind> = new Set<AlertKind>([
  ...(['connection-lost', 'setpoint-not-taken', 'not-restored', 'clock-wrong', 'disk-low', 'disk-failed'] as const),
  ...(['telemetry-gap'] as const),
])

/** Decides which alerts open and close. Pure. */
export function decide(about: {
  now: number
  conditions: ReadonlyMap<string, Condition>
  open: readonly OpenAlert[]
  rulesOf(organizationId: string): AlertRules
  /** `undefined` for a device that was removed. */
  isOnline(deviceId: string): boolean | undefined
  /** Sites whose automatic export has worked since its alert began, or is off. */
  recovered: ReadonlySet<string>
}): Decisions {
  const { now, conditions, open, rulesOf, isOnline, recovered } = about
  const decisions: Decisions = { open: [], clear: [], back: [], close: [] }
  const known = new Set(open.map(keyOf))
  for (const [key, condition] of conditions) {
    const rule = rulesOf(condition.organizationId).rules[condition.kind]
    if (known.has(key) || !rule.enabled) continue
    if (now - condition.since >= openAfter(condition, rule)) decisions.open.push(condition)
  }
  for (const alert of open) {
    const rule = rulesOf(alert.organizationId).rules[alert.kind]
    const online = alert.deviceId === null ? undefined : isOnline(alert.deviceId)
    const isRemoved = alert.deviceId !== null && online === undefined
    if (!rule.enabled || isRemoved) decisions.close.push({ id: alert.id, at: now })
    else if (alert.kind === 'import-failed') {
      if (now - alert.openedAt >= IMPORT_MS) decisions.close.push({ id: alert.id, at: now })
    } else if (isUnproven(alert, recovered) || isStanding(alert, conditions.get(keyOf(alert)), rule, now)) {
      if (alert.clearSince !== undefined) decisions.back.push(alert.id)
    } else if (OF_HEALTH.has(alert.kind) && online === false) {
      // What it said last may no longer be so. It says it again when it is back.
    } else settle(decisions, alert, rule.closeAfterSeconds * 1000, now)
  }
  return decisions
}

/** A late run that is under way, or a corrected target, does not end the alert of an automatic export. A success does. */
const isUnproven = ({ kind, subject }: OpenAlert, recovered: ReadonlySet<string>) =>
  kind === 'export-failed' && !recovered.has(subject.id)

function settle(decisions: Decisions, alert: OpenAlert, closeAfterMs: number, now: number): void {
  const { id, clearSince = now } = alert
  if (now - clearSince >= closeAfterMs) decisions.close.push({ id, at: clearSince })
  else if (alert.clearSince === undefined) decisions.clear.push(id)
}

/** Every device that archives is silent between two batches: it counts only when it is long. */
function isStanding(alert: OpenAlert, condition: Condition | undefined, rule: AlertRule, now: number): boolean {
  if (!condition) return false
  return alert.kind !== 'telemetry-gap' || now - condition.since >= openAfter(condition, rule)
}

/** How long a trouble must last before its alert opens, in milliseconds. */
export function openAfter({ kind, details }: Condition, { openAfterSeconds }: AlertRule): number {
  const ms = openAfterSeconds * 1000
  if (kind === 'controller-offline') return Math.max(ms, SHORTEST_OFFLINE_MS)
  // What is dropped is lost already.
  if (kind === 'telemetry-gap') return 'dropped' in details ? 0 : ms
  return ms
}
