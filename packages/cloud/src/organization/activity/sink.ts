import { createBackoff } from '@plantroom/base/backoff'
import { type Clock, sleep } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { Db } from '../../platform/db/database.ts'
import { addSink, lockSink, markSent, nextUnsent, type UnsentEntry } from './sink-store.ts'

const LOOK_MS = 2_000
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
  log: Log
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

/** Sends the activity log on, from its first entry. Actions never wait for it. `stop` waits for a running delivery. */
export function startSink(deps: SinkDeps): { stop(): Promise<void> } {
  const { db, sink, clock, log } = deps
  const stopping = new AbortController()
  const { signal } = stopping

  async function run(): Promise<void> {
    let backoff = createBackoff(clock)
    let isFailing = false
    let isKnown = false
    while (!signal.aborted) {
      try {
        if (!isKnown) await addSink(db, sink.name)
        isKnown = true
        const sent = await sendNext(deps)
        if (isFailing && sent > 0) log.info({ sink: sink.name }, 'the activity log is sent on again')
        if (sent > 0) [isFailing, backoff] = [false, createBackoff(clock)]
        else await sleep(clock, LOOK_MS, signal)
      } catch (error) {
        // Once for an outage, however long it lasts. The metric shows how much waits.
        if (!isFailing)
          log.warn({ sink: sink.name, error: reasonOf(error) }, 'could not send the activity log on; retrying')
        isFailing = true
        await sleep(clock, backoff.next(), signal)
      }
    }
  }

  const ended = run()
  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}
