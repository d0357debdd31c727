import type { Clock } from '@plantroom/base/clock'
import { ALERT_KINDS, type AlertRules, type BecomingAlert } from '@plantroom/contract/alerts'
import { API } from '@plantroom/contract/api'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { createAlertStore } from './alert-store.ts'
import { type Condition, conditionsOf, type KnownDevice, keyOf } from './conditions.ts'
import { openAfter } from './decide.ts'
import { createFactStore, type SeenDevice } from './fact-store.ts'
import { sitesOf } from './visible-sites.ts'

export interface BecomingDeps {
  db: Db
  devices: { all(): Iterable<KnownDevice> }
  presence: { isOnline(deviceId: string): boolean; wasHeard(deviceId: string): boolean }
  clock: Clock
}

/**
 * Lists what is wrong with controllers and their equipment before it has lasted long enough for an alert. Missing
 * measurements are not among it: only a long silence means something.
 */
export function becomingRoute(app: FastifyInstance, deps: BecomingDeps): void {
  const { db, devices, presence, clock } = deps
  addRoute(app, API.listBecomingAlerts, async ({ params, query, siteIds }) => {
    const { orgId: organizationId } = params
    const visible = sitesOf(siteIds, query.siteId)
    const own = [...devices.all()].filter(
      (device) => device.organizationId === organizationId && (visible?.includes(device.siteId) ?? true),
    )
    if (own.length === 0) return { becoming: [] }
    const ids = own.map(({ id }) => id)
    const [facts, alerts] = [createFactStore(db), createAlertStore(db)]
    const now = clock.now()
    const conditions = conditionsOf({
      now,
      watchingSince: now,
      devices: own,
      seen: seenNow(ids, await facts.seen(ids), presence, now),
      troubled: await facts.troubled(ids),
      archiving: new Set(),
      measured: new Map(),
      lostMemory: [],
      wentBack: [],
      missedLimits: [],
      exports: [],
      openadr: [],
    })
    const known = new Set((await alerts.allOpen(organizationId)).map(keyOf))
    return { becoming: becomingOf(conditions, known, await alerts.rulesOf(organizationId)) }
  })
}

/** What this process has heard is newer than what is stored. */
function seenNow(
  ids: readonly string[],
  stored: ReadonlyMap<string, SeenDevice>,
  { isOnline, wasHeard }: BecomingDeps['presence'],
  now: number,
): Map<string, SeenDevice> {
  const seen = new Map(stored)
  for (const id of ids) {
    const online = isOnline(id)
    if (wasHeard(id) && online !== stored.get(id)?.online) seen.set(id, { online, since: now })
  }
  return seen
}

/** Pure. */
export function becomingOf(
  conditions: ReadonlyMap<string, Condition>,
  known: ReadonlySet<string>,
  { rules }: AlertRules,
): BecomingAlert[] {
  return [...conditions]
    .filter(([key, { kind }]) => !known.has(key) && rules[kind].enabled)
    .map(([, condition]) => ({ condition, opensAt: condition.since + openAfter(condition, rules[condition.kind]) }))
    .sort((a, b) => a.opensAt - b.opensAt || order(a.condition) - order(b.condition))
    .map(({ condition, opensAt }) => {
      const { kind, siteId, deviceId, deviceName, subject, details, since } = condition
      const times = { beganAt: formatTimestamp(since), opensAt: formatTimestamp(opensAt) }
      return { kind, siteId, deviceId, deviceName, subject, details: { ...details }, ...times }
    })
}

const order = ({ kind }: Condition) => ALERT_KINDS.indexOf(kind)
