import type { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../driver.ts'
import type { ReadRequest, Reply, WriteRequest } from './frame.ts'
import type { Patience, Unanswered } from './read-policy.ts'

export interface Timing {
  timeoutMs: number
  /** How long after connecting the equipment can take its first request. */
  connectDelayMs: number
  /** How long the equipment needs between an answer and the next request. */
  interFrameDelayMs: number
}

export interface SessionOptions {
  unitId: number
  timing: Timing
  listener: DriverListener | undefined
}

/** An answer to a read, or that there was none. */
export type Answer = Reply | Unanswered

export interface ReadOptions {
  patience: Patience
  urgent: boolean
  /** Sent although the unit is silent: an answer ends the silence. */
  isProbe: boolean
}

export interface WriteRules {
  release: boolean
  /** Called right before the request is sent; when it returns false, nothing is sent and the write rejects with `conflict`. */
  stillWanted?: (() => boolean) | undefined
}

/** One user's place at an endpoint: what it may ask of its unit, and what is known about the unit. */
export interface UnitSession {
  readonly timeoutMs: number
  now(): number
  /** Resolves when the socket is connected. */
  connect(): Promise<void>
  /** Rejects with an `offline` failure, without sending anything, when there is no socket or the unit is silent. */
  read(request: ReadRequest, options: ReadOptions): Promise<Answer>
  /** Rejects with an `offline` failure when there is no answer. Sent also while the unit is silent. */
  write(request: WriteRequest, rules: WriteRules): Promise<Reply>
  /** Gives the place up: requests that wait are rejected, and the last user closes the socket. */
  leave(): void

  /** How many answers the unit has given, and how often it was silent and came back. */
  answers(): number
  returns(): number
  /** Why the unit is silent, if it is. */
  silence(): Failure | undefined
  fellSilent(reason: Failure): void
  /** Starts a look for the silent unit and returns its patience; `undefined` when none is due. */
  beginProbe(): Patience | undefined
  endProbe(missed?: Unanswered): void
  /** Returns the patience for a retry of a silent range; `undefined` when none is due. */
  retryPatience(askedAt: number): Patience | undefined
  retryMissed(missed: Unanswered): void
}
