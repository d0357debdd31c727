import { addAbortListener } from 'node:events'
import { type Clock, every, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Updateable } from 'kysely'
import type { ChangeFeed } from '../db/change-feed.ts'
import type { Db } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { claimDue, hasDue, type Lease, type LeasedRows, renew, timeOf, type WorkTable } from './leased-rows.ts'
import { createPlaces, type Places } from './places.ts'

/** A process that does not renew its lease for this long is dead. */
export const LEASE_MS = 60_000
const LOOK_MS = 1_000

/** What a run may use, and must heed. The signals are its own: what it leaves on them goes with it. */
export interface RunTools<Table extends WorkTable> {
  /** Aborts when the process stops. What can be given back should be; the rest is waited for. */
  stopping: AbortSignal
  /** Aborts when another process has the row, or it was ended: nothing can be recorded any more. */
  lost: AbortSignal
  /** Also stores these columns whenever the lease is renewed. */
  alsoStore(columns: () => Updateable<Schema[Table]>): void
}

/** A kind of work that is done later: `claim → run → settle`. */
export interface WorkKind<Table extends WorkTable = WorkTable, Key extends string = string> {
  name: string
  rows: LeasedRows<Table, Key>
  /** In one process at the same time. */
  atOnce: number
  /** Of one organization. At most half of `atOnce`, so that no organization waits for another one's. */
  perOrganization: number
  leaseMs?: number
  /** How often the lease is renewed. */
  renewMs?: number
  /** How often to look for what has become due. */
  lookMs?: number
  /** False keeps every row waiting, for example while a server that all of them need cannot be reached. */
  isOpen?(): boolean
  /** Does it once and settles the row, in the transaction of what it records. What it throws is logged; the row is run again. */
  run(lease: Lease<Key>, tools: RunTools<Table>): Promise<void>
}

export interface WorkDeps {
  db: Db
  clock: Clock
  log: Log
  /** Announces new rows, so that they do not wait for the next look. */
  feed?: Pick<ChangeFeed, 'follow'> | undefined
}

export interface RunningWork {
  /** How many rows this process works on. */
  readonly running: number
  /** Takes no more rows, and waits for those that it works on. */
  stop(): Promise<void>
}

/** Does this kind of work until it is stopped. Several processes may do the same kind at the same time. */
export function startWork<Table extends WorkTable, Key extends string>(
  deps: WorkDeps,
  kind: WorkKind<Table, Key>,
): RunningWork {
  const { clock, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping
  const places = createPlaces()
  let wake = () => {}
  let hasNews = false

  // A place that becomes free is used at once, and so is what the feed announces.
  async function nextTurn(): Promise<void> {
    if (hasNews) return
    const woken = new AbortController()
    wake = () => woken.abort()
    const pause = sleep(clock, kind.lookMs ?? LOOK_MS, woken.signal)
    await (places.count > 0 ? Promise.race([pause, places.one()]) : pause)
    woken.abort()
  }

  async function serve(): Promise<void> {
    while (!signal.aborted) {
      hasNews = false
      try {
        await takeDue(deps, kind, { places, signal })
      } catch (error) {
        log.warn({ kind: kind.name, error: (error as Error).message }, 'could not look for work; retrying')
        await sleep(clock, kind.lookMs ?? LOOK_MS, signal)
        continue
      }
      if (!signal.aborted) await nextTurn()
    }
    await places.all()
  }

  const news = () => {
    hasNews = true
    wake()
  }
  deps.feed?.follow(kind.rows.table, { changed: news, missed: news })
  const served = serve()
  return {
    get running() {
      return places.count
    },
    async stop() {
      stopping.abort(new Error('the process is stopping'))
      wake()
      await served
    },
  }
}

/** Does everything that is due, and waits for it. Returns how many rows that were. */
export async function runDue<Table extends WorkTable, Key extends string>(
  deps: WorkDeps,
  kind: WorkKind<Table, Key>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const places = createPlaces()
  let taken = 0
  for (;;) {
    taken += await takeDue(deps, kind, { places, signal })
    if (places.count === 0) return taken
    await places.one()
  }
}

/** Takes rows that are due until no place is free or nothing is due. Returns how many. */
async function takeDue<Table extends WorkTable, Key extends string>(
  deps: WorkDeps,
  kind: WorkKind<Table, Key>,
  { places, signal }: { places: Places; signal: AbortSignal },
): Promise<number> {
  let taken = 0
  const mayTake = () => places.count < kind.atOnce && !signal.aborted && kind.isOpen?.() !== false
  while (mayTake()) {
    const { done } = places
    const now = timeOf(deps.clock)
    if (!(await hasDue(deps.db, kind.rows, now)) || !mayTake()) break
    const leases = await claimDue(deps.db, kind.rows, {
      kind: kind.name,
      now,
      leaseMs: kind.leaseMs ?? LEASE_MS,
      places: kind.atOnce - places.count,
      perOrganization: kind.perOrganization,
      running: places.byOrganization(),
    })
    for (const lease of leases) places.take(lease, runLease(deps, kind, lease, signal))
    // What ended during the claim may have been what its organization waited for.
    if (leases.length === 0 && places.done === done) break
    taken += leases.length
  }
  return taken
}

async function runLease<Table extends WorkTable, Key extends string>(
  { db, clock, log }: WorkDeps,
  kind: WorkKind<Table, Key>,
  lease: Lease<Key>,
  stopping: AbortSignal,
): Promise<void> {
  const leaseMs = kind.leaseMs ?? LEASE_MS
  const [stop, lost] = [new AbortController(), new AbortController()]
  using _stops = addAbortListener(stopping, () => stop.abort(stopping.reason))
  let columns: (() => Updateable<Schema[Table]>) | undefined
  let renewing: Promise<void> | undefined
  const look = () => {
    // One at a time: renewals that queue behind a slow database would use up its connections.
    renewing ??= renew(db, kind.rows, lease, { now: timeOf(clock), leaseMs, set: columns?.() })
      .then(
        (isOurs) => {
          if (!isOurs) lost.abort(new Error('another process has this work'))
        },
        // A database that cannot be reached now may be there at the next look.
        (error: Error) => log.warn({ kind: kind.name, error: error.message }, 'could not renew a lease'),
      )
      .finally(() => {
        renewing = undefined
      })
  }
  const endRenewals = every(clock, kind.renewMs ?? leaseMs / 3, look)
  const alsoStore = (more: () => Updateable<Schema[Table]>) => {
    columns = more
  }
  try {
    await kind.run(lease, { stopping: stop.signal, lost: lost.signal, alsoStore })
  } catch (error) {
    log.warn({ kind: kind.name, ...keyOf(kind.rows, lease), err: error }, 'work was not recorded; it is done again')
  } finally {
    endRenewals()
    // A renewal that waited for the end of the run locks the row once more. The next claim would skip it.
    await renewing
  }
}

function keyOf<Key extends string>({ key }: LeasedRows<WorkTable, Key>, lease: Lease<Key>): object {
  return Object.fromEntries(key.map((name) => [name, lease[name]]))
}
