import { sleep } from '@plantroom/base/clock'
import { type RawBuilder, sql } from 'kysely'
import type { ChangeFeed } from '../db/change-feed.ts'
import { LEASE_MS, type WorkKind } from './kind.ts'
import { claimDue, findDue, type Lease, type LeasedRows, timeOf, type WorkTable } from './leased-rows.ts'
import { createLooks, type Looks } from './looks.ts'
import { createPlaces, type Places } from './places.ts'
import { type RunDeps, runLease } from './run-lease.ts'

const LOOK_MS = 1_000

export interface WorkDeps extends RunDeps {
  /** Announces new rows, so that they do not wait for the next look. */
  feed?: Pick<ChangeFeed, 'follow'> | undefined
  /** Shared by the kinds of a process. */
  looks?: Looks
}

export interface RunningWork {
  /** How many rows this process works on. */
  readonly running: number
  /** Takes no more rows, and waits for those that it works on. */
  stop(): Promise<void>
}

/** Places for rows of a kind: the ordinary ones, or those of rows that take long. */
interface Pool<Table extends WorkTable, Key extends string> {
  kind: WorkKind<Table, Key>
  places: Places
  /** Where runs continue that take long. */
  slow: Pool<Table, Key> | undefined
}

interface Bounded {
  kind: Pick<WorkKind, 'atOnce' | 'perOrganization' | 'isOpen'>
  places: Places
}

function openPools<Table extends WorkTable, Key extends string>(kind: WorkKind<Table, Key>): Pool<Table, Key>[] {
  const { slow: more, rows } = kind
  if (!more) return [{ kind, places: createPlaces(), slow: undefined }]
  const only = (is: (now: RawBuilder<Date>) => RawBuilder<unknown>): LeasedRows<Table, Key> => ({
    ...rows,
    ready: (now) => sql`${rows.ready?.(now) ?? sql`true`} AND ${is(now)}`,
  })
  const isSlow = (now: RawBuilder<Date>) => rows.slow?.is(now) ?? sql`false`
  const slow = { kind: { ...kind, ...more, rows: only(isSlow) }, places: createPlaces(), slow: undefined }
  const ordinary = { kind: { ...kind, rows: only((now) => sql`NOT (${isSlow(now)})`) }, places: createPlaces(), slow }
  return [ordinary, slow]
}

/** Does this kind of work until it is stopped. Several processes may do the same kind at the same time. */
export function startWork<Table extends WorkTable, Key extends string>(
  deps: WorkDeps,
  kind: WorkKind<Table, Key>,
): RunningWork {
  const { feed, looks = createLooks(deps) } = deps
  const stopping = new AbortController()
  const serving = openPools(kind).map((pool) => serve({ ...deps, looks }, pool, stopping.signal))
  const news = () => {
    for (const { wake } of serving) wake()
  }
  feed?.follow(kind.rows.table, { changed: news, missed: news })
  return {
    get running() {
      return serving.reduce((sum, { places }) => sum + places.count, 0)
    },
    async stop() {
      stopping.abort(new Error('the process is stopping'))
      news()
      await Promise.all(serving.map(({ served }) => served))
    },
  }
}

/** Takes what is due in one pool, as long as it may. */
function serve<Table extends WorkTable, Key extends string>(
  deps: WorkDeps & { looks: Looks },
  pool: Pool<Table, Key>,
  signal: AbortSignal,
) {
  const { clock, log, looks } = deps
  const { kind, places } = pool
  const lookMs = kind.lookMs ?? LOOK_MS
  let wake = () => {}
  let hasNews = false

  // A place that becomes free is used at once, and so is what the feed announces. Returns whether rows are known to be due.
  async function nextTurn(): Promise<boolean> {
    if (hasNews) return false
    const woken = new AbortController()
    wake = () => woken.abort()
    const looked = mayTake(pool, signal)
      ? looks.untilDue(kind.rows, lookMs, woken.signal)
      : sleep(clock, lookMs, woken.signal).then(() => false)
    try {
      return await (places.count > 0 ? Promise.race([looked, places.one().then(() => false)]) : looked)
    } finally {
      woken.abort()
    }
  }

  async function run(): Promise<void> {
    let isDue = false
    while (!signal.aborted) {
      hasNews = false
      try {
        await takeDue(deps, pool, signal, isDue)
        isDue = !signal.aborted && (await nextTurn())
      } catch (error) {
        isDue = false
        log.warn({ kind: kind.name, error: (error as Error).message }, 'could not look for work; retrying')
        await sleep(clock, lookMs, signal)
      }
    }
    await places.all()
  }

  return {
    places,
    served: run(),
    wake() {
      hasNews = true
      wake()
    },
  }
}

/** Does everything that is due, and waits for it. Returns how many rows that were. */
export async function runDue<Table extends WorkTable, Key extends string>(
  deps: WorkDeps,
  kind: WorkKind<Table, Key>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const pools = openPools(kind)
  let taken = 0
  for (;;) {
    const rows = pools.map(({ kind: { rows: of } }) => of)
    const due = await findDue(deps.db, rows, timeOf(deps.clock))
    for (const [place, pool] of pools.entries()) if (due[place]) taken += await takeDue(deps, pool, signal, true)
    const busy = pools.filter(({ places }) => places.count > 0)
    if (busy.length === 0) return taken
    await Promise.race(busy.map(({ places }) => places.one()))
  }
}

const mayTake = ({ kind, places }: Bounded, signal: AbortSignal) =>
  places.count < kind.atOnce && !signal.aborted && kind.isOpen?.() !== false

/** Takes rows that are due until no place is free or nothing is due. Returns how many. */
async function takeDue<Table extends WorkTable, Key extends string>(
  deps: WorkDeps,
  pool: Pool<Table, Key>,
  signal: AbortSignal,
  isDue = false,
): Promise<number> {
  const { kind, places } = pool
  let [taken, isKnown] = [0, isDue]
  while (mayTake(pool, signal)) {
    const { done } = places
    const now = timeOf(deps.clock)
    if (!isKnown && !(await findDue(deps.db, [kind.rows], now))[0]) break
    isKnown = false
    if (!mayTake(pool, signal)) break
    const leases = await claimDue(deps.db, kind.rows, {
      kind: kind.name,
      now,
      leaseMs: kind.leaseMs ?? LEASE_MS,
      places: kind.atOnce - places.count,
      perOrganization: kind.perOrganization,
      running: places.byOrganization(),
    })
    for (const lease of leases) begin(deps, pool, lease, signal)
    // What ended during the claim may have been what its organization waited for.
    if (leases.length === 0 && places.done === done) break
    taken += leases.length
  }
  return taken
}

/** Runs a row in a place of the pool, and later perhaps in one of the slow ones. */
function begin<Table extends WorkTable, Key extends string>(
  deps: WorkDeps,
  { kind, places, slow }: Pool<Table, Key>,
  lease: Lease<Key>,
  stopping: AbortSignal,
): void {
  const moveTo = (pool: Pool<Table, Key>) => () => {
    if (!hasRoom(pool, lease)) return false
    pool.places.take(lease, done)
    leave()
    return true
  }
  const done = runLease(deps, kind, lease, { stopping, moveToSlow: slow && moveTo(slow) })
  const leave = places.take(lease, done)
}

const hasRoom = ({ kind, places }: Bounded, { organizationId }: { organizationId: string }) =>
  places.count < kind.atOnce && (places.byOrganization().get(organizationId) ?? 0) < kind.perOrganization
