import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { ActivitySubject } from '@plantroom/contract/activity'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Db } from '../../platform/db/database.ts'
import type { ActivityLog } from './activity-log.ts'
import type { ActivityStore } from './activity-store.ts'
import type { Happened } from './happened.ts'
import { type CountedRefusal, createRefusalCounts, type Refusal } from './refusal-counts.ts'

const PERIOD_MS = 60_000
/** Entries about refusals that one process adds to one log in a minute. The rest becomes one entry. */
export const MAX_ENTRIES_PER_LOG = 20
/** The same in an hour. After that, a minute has one entry with a number. */
export const MAX_ENTRIES_PER_HOUR = 100
const HOUR_MS = 3_600_000

/** Records refused callers. Strangers cause these, so they are counted in memory and written once a minute. */
export interface Refusals {
  /** Counts a refusal. Costs no I/O. */
  add(refusal: Refusal): void
  /** Writes what was counted. Runs once a minute. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface RefusalDeps {
  db: Db
  activity: Pick<ActivityLog, 'append'>
  store: Pick<ActivityStore, 'findKey' | 'organizationsOf'>
  clock: Clock
  log: Log
}

export function createRefusals(deps: RefusalDeps): Refusals {
  const { clock, log } = deps
  const counts = createRefusalCounts(() => clock.now())
  const boundPerLog = createLogBounds(clock)

  async function flush(): Promise<void> {
    const { refusals, others } = counts.take()
    const happened: Happened[] = []
    for (const one of refusals) happened.push(await describe(one, deps))
    if (others > 0) {
      happened.push({ organizationId: null, action: 'refused', outcome: 'refused', details: manyMore(others) })
    }
    const nobody = { kind: 'unknown', id: null, name: null, address: null } as const
    // One log at a time, so that none is locked while the others are written.
    for (const entries of boundPerLog(happened)) {
      await deps.db.transaction().execute((tx) => deps.activity.append(tx, nobody, entries))
    }
  }

  const flushAndLog = () =>
    flush().catch((error: Error) => log.warn({ error: error.message }, 'could not record refused callers'))
  const stop = every(clock, PERIOD_MS, () => void flushAndLog())

  return {
    add: counts.add,
    flush,
    async close() {
      stop()
      await flushAndLog()
    },
  }
}

const manyMore = (count: number) => ({ reason: 'many', count })

async function describe(refusal: CountedRefusal, { store, clock }: RefusalDeps): Promise<Happened> {
  const { action, network, route, count, firstAt, lastAt, person } = refusal
  const { organizationId, reason, subject } = await place(refusal, store, clock.now())
  const repeated = count > 1 && { firstAt: formatTimestamp(firstAt), lastAt: formatTimestamp(lastAt) }
  return {
    action,
    organizationId,
    outcome: 'refused',
    by: { kind: 'unknown', id: null, name: null, ...refusal.by, address: network },
    subject: subject ?? (person && { kind: 'person', id: person.id, name: person.email }),
    details: { reason, count, ...(route !== undefined && { route }), ...repeated },
  }
}

/** Finds whose log a refusal belongs to. */
async function place(
  { reason, organizationId, keyId, person }: CountedRefusal,
  store: RefusalDeps['store'],
  now: number,
): Promise<{ organizationId: string | null | readonly string[]; reason: string; subject?: ActivitySubject }> {
  if (organizationId !== undefined) return { organizationId, reason }
  if (person) return { organizationId: await store.organizationsOf(person.id), reason }
  const key = keyId === undefined ? undefined : await store.findKey(keyId)
  if (!key || keyId === undefined) return { organizationId: null, reason }
  const { revokedAt, expiresAt } = key
  const why = revokedAt ? 'revoked-key' : expiresAt && expiresAt.getTime() <= now ? 'expired-key' : 'wrong-secret'
  return { organizationId: key.organizationId, reason: why, subject: { kind: 'key', id: keyId, name: key.name } }
}

/** Groups by log, and replaces what exceeds the bounds of a log by one entry with the number of refusals. */
function createLogBounds(clock: Clock): (happened: readonly Happened[]) => Happened[][] {
  let hourEnds = clock.monotonic() + HOUR_MS
  const written = new Map<Happened['organizationId'], number>()

  return (happened) => {
    if (clock.monotonic() >= hourEnds) {
      hourEnds = clock.monotonic() + HOUR_MS
      written.clear()
    }
    return [...Map.groupBy(happened.flatMap(splitByLog), (one) => one.organizationId)].map(([log, entries]) => {
      const before = written.get(log) ?? 0
      const room = Math.max(0, Math.min(MAX_ENTRIES_PER_LOG, MAX_ENTRIES_PER_HOUR - before))
      written.set(log, before + Math.min(room, entries.length))
      const count = entries.slice(room).reduce((sum, { details }) => sum + Number(details?.count ?? 1), 0)
      const rest: Happened = { organizationId: log, action: 'refused', outcome: 'refused', details: manyMore(count) }
      return [...entries.slice(0, room), ...(count > 0 ? [rest] : [])]
    })
  }
}

function splitByLog(happened: Happened): Happened[] {
  const logs = [happened.organizationId ?? []].flat()
  if (logs.length === 0) return [{ ...happened, organizationId: null }]
  return logs.map((organizationId) => ({ ...happened, organizationId }))
}
