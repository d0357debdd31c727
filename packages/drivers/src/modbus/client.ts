import type { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../driver.ts'
import type { Reply, Request } from './frame.ts'

/** The reason why a request got no valid answer. */
export interface NoAnswer {
  reason: Failure
  /** True if nothing arrived, as opposed to an invalid answer or a lost link. */
  timedOut: boolean
}

/** One link, one exchange at a time. A late or stray reply never reaches another request. */
export interface Client {
  /** The monotonic time at which the connection was established. */
  readonly connectedAt: number
  isUp(): boolean
  /** Returns the monotonic time before which nothing may be sent, because the line must be quiet. */
  quietAt(): number
  /** Sends the request before it returns. */
  exchange(unitId: number, request: Request, timeoutMs: number, listener?: DriverListener): Promise<Reply | NoAnswer>
  /** Ends the exchange in progress; the link stays open if the protocol can tell its late answer from others. */
  giveUp(reason: string): void
  drop(reason: string): void
}

export interface ConnectOptions {
  timeoutMs: number
  /** Aborts the attempt. */
  signal: AbortSignal
  /** Notified when the attempt takes too long. */
  listener: DriverListener | undefined
  /** Called when the link is lost between exchanges. */
  onIdleLoss(): void
}

/** The way to the units of one endpoint. */
export interface Transport {
  /** Names the endpoint in messages, for example `10.0.0.5:502`. */
  readonly name: string
  /** Resolves when the link is open; rejects with a one-line reason. */
  connect(options: ConnectOptions): Promise<Client>
}
