import { addAbortListener } from 'node:events'
import type { Clock } from '@plantroom/base/clock'
import type { Bounds } from './bounds.ts'

/** A request ended at one of its bounds. */
export class OutboundFailure extends Error {
  readonly code: 'ETIMEDOUT' | 'EMSGSIZE' | 'EBUSY'

  constructor(code: OutboundFailure['code'], message: string) {
    super(message)
    this.name = 'OutboundFailure'
    this.code = code
  }
}

/** The times of one request. */
export interface Times {
  /** Aborts when a time is over, and when the caller gives up. */
  readonly signal: AbortSignal
  /** Rejects at the same moment. */
  readonly ended: Promise<never>
  /** A byte went out or came in. */
  moved(): void
  /** The whole request is sent. */
  sent(): void
  stop(): void
}

export function startTimes(
  clock: Clock,
  { idleMs, answerMs, totalMs }: Pick<Bounds, 'idleMs' | 'answerMs' | 'totalMs'>,
  given: AbortSignal | undefined,
): Times {
  const late = new AbortController()
  const end = (what: string, ms: number) =>
    late.abort(new OutboundFailure('ETIMEDOUT', `${what} within ${describe(ms)}`))
  const signal = given ? AbortSignal.any([late.signal, given]) : late.signal
  const { promise: ended, reject } = Promise.withResolvers<never>()
  // Removed with the request: the signal of a caller may outlive it.
  const listener = addAbortListener(signal, () => reject(signal.reason))
  ended.catch(() => {})
  let movedAt = clock.monotonic()
  const cancels = new Set<() => void>()
  const look = () => {
    const left = movedAt + idleMs - clock.monotonic()
    if (left <= 0) end('no data', idleMs)
    else cancels.add(clock.after(left, look))
  }
  cancels.add(clock.after(totalMs, () => end('no answer', totalMs)))
  cancels.add(clock.after(idleMs, look))
  return {
    signal,
    ended,
    moved() {
      movedAt = clock.monotonic()
    },
    sent() {
      cancels.add(clock.after(answerMs, () => end('no answer', answerMs)))
    },
    stop() {
      listener[Symbol.dispose]()
      for (const cancel of cancels) cancel()
    },
  }
}

const describe = (ms: number) => (ms < 120_000 ? `${ms / 1000} s` : `${ms / 60_000} minutes`)
