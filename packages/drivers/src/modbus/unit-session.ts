import type { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '../driver.ts'
import type { Question, ReadRequest, Reply, WriteRequest } from './frame.ts'
import type { Patience, Unanswered } from './read-policy.ts'

export interface Timing {
  timeoutMs: number
  /** How long the equipment needs between the connection and the first request. */
  connectDelayMs: number
  /** How long the equipment needs between an answer and the next request. */
  interFrameDelayMs: number
}

export interface SessionOptions {
  unitId: number
  timing: Timing
  listener: DriverListener | undefined
}

/** The answer to a read, or the lack of one. */
export type Answer = Reply | Unanswered

export interface ReadOptions {
  patience: Patience
  urgent: boolean
  /** Sends the request even though the unit is silent: an answer ends the silence. */
  isProbe: boolean
}

export interface WriteRules {
  release: boolean
  /** Called right before the request is sent. If it returns false, nothing is sent and the write rejects with `conflict`. */
  stillWanted?: (() => boolean) | undefined
  /** Reads to send right before the request, with nothing of anyone else in between. */
  prepare?: Preparation
}

export interface Preparation {
  reads: readonly ReadRequest[]
  /** Makes the payload of the request from what was read. If it throws, nothing is written. */
  payload(answers: readonly Reply[]): Uint8Array
}

/** The access of one connection to its unit through a shared endpoint, and the state of that unit. */
export interface UnitSession {
  readonly timeoutMs: number
  now(): number
  /** Resolves when the socket is connected. */
  connect(): Promise<void>
  /** Rejects with `offline`, with nothing sent, if there is no socket or the unit is silent. */
  read(request: Question, options: ReadOptions): Promise<Answer>
  /** Rejects with `offline` if there is no answer. Is sent even while the unit is silent. */
  write(request: WriteRequest, rules: WriteRules): Promise<Reply>
  /** Ends the session: rejects its queued requests, and closes the socket if it was the last user. */
  leave(): void

  /** Returns how many answers the unit has given. */
  answers(): number
  /** Returns how often the unit was silent and came back. */
  returns(): number
  /** Returns the reason for the unit's silence; `undefined` if it is not silent. */
  silence(): Failure | undefined
  fellSilent(reason: Failure): void
  /** Starts a probe of the silent unit and returns its patience; `undefined` if none is due. */
  beginProbe(): Patience | undefined
  endProbe(missed?: Unanswered): void
  /** Returns the patience for a retry of a silent range; `undefined` if none is due. */
  retryPatience(askedAt: number): Patience | undefined
  retryMissed(missed: Unanswered): void
}
