import { addAbortListener } from 'node:events'
import { type Clock, every } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Updateable } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Schema } from '../db/schema.ts'
import { LEASE_MS, type WorkKind } from './kind.ts'
import { type Lease, type LeasedRows, renew, timeOf, type WorkTable } from './leased-rows.ts'

export interface RunDeps {
  db: Db
  clock: Clock
  log: Log
}

export interface RunOptions {
  stopping: AbortSignal
  /** Lets the run continue among the slow ones. False when there is no room. Missing for one that begins there. */
  moveToSlow: (() => boolean) | undefined
}

/** Runs a row while its lease is renewed. Never rejects. */
export async function runLease<Table extends WorkTable, Key extends string>(
  { db, clock, log }: RunDeps,
  kind: WorkKind<Table, Key>,
  lease: Lease<Key>,
  { stopping, moveToSlow }: RunOptions,
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
  const pace = watchPace({ db, clock, log }, kind, lease, moveToSlow)
  const alsoStore = (more: () => Updateable<Schema[Table]>) => {
    columns = more
  }
  try {
    await kind.run(lease, { stopping: stop.signal, lost: lost.signal, giveWay: pace.giveWay, alsoStore })
  } catch (error) {
    log.warn({ kind: kind.name, ...keyOf(kind.rows, lease), err: error }, 'work was not recorded; it is done again')
  } finally {
    endRenewals()
    // A renewal that waited for the end of the run locks the row once more. The next claim would skip it.
    await renewing
    await pace.end()
  }
}

/** Moves a run that takes long to the slow ones, and remembers which they are. */
function watchPace<Table extends WorkTable, Key extends string>(
  { db, clock, log }: RunDeps,
  { name, rows, slow }: WorkKind<Table, Key>,
  lease: Lease<Key>,
  moveToSlow: RunOptions['moveToSlow'],
) {
  const giveWay = new AbortController()
  let isQuick = true
  let remembering: Promise<void> | undefined
  function remember(isSlow: boolean): Promise<void> {
    remembering = Promise.resolve(rows.slow?.remember(db, lease, isSlow)).then(
      () => {},
      (error: Error) => log.warn({ kind: name, error: error.message }, 'could not remember how long work takes'),
    )
    return remembering
  }
  function leave(afterMs: number): void {
    isQuick = false
    if (!moveToSlow) return
    // Remembered later: on a busy machine, what is quick takes a little longer, too.
    if (moveToSlow()) cancel = clock.after(afterMs, () => void remember(true))
    // Before it is given back: otherwise it would begin among the ordinary ones.
    else void remember(true).then(() => giveWay.abort(new Error('it took long, and others wanted the place')))
  }
  let cancel = slow ? clock.after(slow.afterMs, () => leave(slow.afterMs)) : () => {}
  return {
    giveWay: giveWay.signal,
    async end() {
      cancel()
      if (slow && !moveToSlow && isQuick) await remember(false)
      await remembering
    },
  }
}

function keyOf<Key extends string>({ key }: LeasedRows<WorkTable, Key>, lease: Lease<Key>): object {
  return Object.fromEntries(key.map((name) => [name, lease[name]]))
}
