import { type Clock, sleep } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { NoAnswer } from './client.ts'
import { exceptionText, type Reply, type Request } from './frame.ts'
import type { Patience, Unanswered } from './read-policy.ts'
import type { Lane } from './request-queue.ts'
import type { SessionOptions, WriteRules } from './unit-session.ts'

/** A request in the queue. */
export interface Waiting {
  request: Request
  lane: Lane
  patience: Patience
  /** How long the equipment had for an answer before the request gave way to a more urgent one. */
  spentMs: number
  /** True if the request is sent even though the unit is silent. */
  isProbe: boolean
  rules: WriteRules
  resolve(answer: Reply | Unanswered): void
  reject(reason: unknown): void
}

/** Says that a request must be sent again because it gave way to a more urgent one. */
export const GAVE_WAY = 'the request gave way to a more urgent one'

/**
 * The longest time that a request in progress may delay a write, or a poll an urgent read. Normally that is the timeout
 * of the waiting unit, or twice the slowest recent answer of the unit in progress, if that is longer.
 */
export const MAX_DELAY_MS = 3000

/** The exceptions with which a gateway reports that it cannot reach the unit. */
const GATEWAY_EXCEPTIONS: readonly number[] = [10, 11]

/** The request in progress. */
export class CurrentRequest {
  readonly user: SessionOptions
  readonly item: Waiting
  isSent = false
  gaveWay = false
  #pause: AbortController | undefined
  #cancelLimit: (() => void) | undefined

  constructor(user: SessionOptions, item: Waiting) {
    this.user = user
    this.item = item
  }

  /** Lets the request give way after `delayMs`; `abandon` is called if it was sent by then. Only the first call counts. */
  limit(clock: Clock, delayMs: number, abandon: () => void): void {
    this.#cancelLimit ??= clock.after(Math.min(delayMs, MAX_DELAY_MS), () => {
      this.gaveWay = true
      this.#pause?.abort()
      if (this.isSent) abandon()
    })
  }

  /** Waits before the request is sent, unless it gives way or `closing` aborts. */
  async pause(clock: Clock, ms: number, closing: AbortSignal): Promise<void> {
    if (ms <= 0 || this.gaveWay) return
    this.#pause = new AbortController()
    await sleep(clock, ms, AbortSignal.any([closing, this.#pause.signal]))
  }

  /** Returns the reason why a reply is not the unit's answer; `undefined` if it is. */
  failureIn(
    reply: Reply | NoAnswer,
    { name, patienceMs }: { name: string; patienceMs: number },
  ): Pick<Unanswered, 'unanswered' | 'cause'> | undefined {
    const { unitId, listener } = this.user
    const offline = (reason: string) => new Failure('offline', `unit ${unitId} at ${name}${reason}`)
    if ('reason' in reply) {
      if (this.gaveWay) listener?.timedOut()
      else if (!reply.timedOut) return { unanswered: reply.reason, cause: 'broken' }
      const delay = this.gaveWay ? 'while another write was waiting' : `within ${Math.round(patienceMs)} ms`
      return { unanswered: offline(` did not answer ${delay}`), cause: 'timeout' }
    }
    if (!('exception' in reply) || !GATEWAY_EXCEPTIONS.includes(reply.exception)) return undefined
    return { unanswered: offline(`: ${exceptionText(reply.exception)}`), cause: 'gateway' }
  }

  end(): void {
    this.#cancelLimit?.()
  }
}
