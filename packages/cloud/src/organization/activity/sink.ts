import type { Clock } from '@plantroom/base/clock'
import type { Db } from '../../platform/db/database.ts'
import type { Duty } from '../../platform/work/index.ts'
import { addSink, lockSink, markSent, nextUnsent, type UnsentEntry } from './sink-store.ts'

const LOOK_MS = 2_000
const LONGEST_RETRY_MS = 60_000
/** Below the time after which the database ends an idle transaction. */
export const SEND_MS = 10_000

/** Where the activity log is sent on to. */
export interface Sink {
  /** Identifies how far it got, also after its address changed. */
  readonly name: string
  /** Delivers entries in their order. Rejects unless all of them arrived. */
  send(entries: readonly UnsentEntry[], signal: AbortSignal): Promise<void>
}

interface SinkDeps {
  db: Db
  sink: Sink
  clock: Clock
}

/**
 * Sends the next entries, and returns how many. The cursor moves after the delivery, in a transaction that no other process
 * can have at the same time: an entry is sent again when a process dies in between, and none is ever left out.
 */
export function sendNext({ db, sink, clock }: SinkDeps): Promise<number> {
  return db.transaction().execute(async (tx) => {
    if (!(await lockSink(tx, sink.name))) return 0
    const entries = await nextUnsent(tx, sink.name)
    if (entries.length === 0) return 0
    const late = new AbortController()
    const cancel = clock.after(SEND_MS, () => late.abort(new Error(`no answer within ${SEND_MS / 1000} s`)))
    await sink.send(entries, late.signal).finally(cancel)
    await markSent(tx, sink.name, entries)
    return entries.length
  })
}

/** Sends the activity log on, from its first entry. Actions never wait for it. */
export const sinkDuty = (deps: SinkDeps): Duty => ({
  name: `activity-sink ${deps.sink.name}`,
  everyMs: LOOK_MS,
  longestRetryMs: LONGEST_RETRY_MS,
  async run() {
    await addSink(deps.db, deps.sink.name)
    return (await sendNext(deps)) > 0 ? 'more' : undefined
  },
})
