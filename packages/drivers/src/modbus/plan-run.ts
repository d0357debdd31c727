import type { Reading } from '../driver.ts'
import type { Block } from './blocks.ts'
import { isBitTable } from './config.ts'
import { READ_FUNCTION } from './frame.ts'
import { type Cause, causeText, type Holes, isIllegal, isPassing } from './holes.ts'
import type { ReadPlan, Wanted } from './read-plan.ts'
import type { Patience } from './read-policy.ts'
import type { Answer, UnitSession } from './unit-session.ts'

/** The state that a driver keeps between reads. */
export interface ReadMemory {
  holes: Holes
  /** The block that was answered last. */
  recent: Block<Wanted> | undefined
  /** The number of probes so far. */
  probes: number
  /** How often the unit had come back when the holes were last made due. */
  returns: number
}

// One call wastes at most its first timeout plus this long.
const MAX_WASTED_MS = 2000
// Busy or failed equipment refuses everything: reading each value separately is useless.
const MAX_REFUSED_IN_A_ROW = 32

/** One execution of a plan: sends requests, collects readings, and tracks the time that was wasted. */
export class PlanRun {
  readonly plan: ReadPlan
  readonly memory: ReadMemory
  readonly session: UnitSession
  readonly readings: Reading[]
  readonly #urgent: boolean
  #wastedMs = 0
  #refusedInARow = 0
  #isAnswered = false

  constructor(plan: ReadPlan, memory: ReadMemory, session: UnitSession, urgent: boolean) {
    this.plan = plan
    this.memory = memory
    this.session = session
    this.#urgent = urgent
    this.readings = new Array<Reading>(plan.pointIds.length)
    for (const [index, reading] of plan.unknown) this.readings[index] = reading
  }

  get isUrgent(): boolean {
    return this.#urgent
  }

  /** True once the unit has answered a request of this run. */
  get isAnswered(): boolean {
    return this.#isAnswered
  }

  get hasWaited(): boolean {
    return this.#wastedMs > 0
  }

  /** True once this call has waited too long for missing answers. */
  get isOutOfTime(): boolean {
    return this.#wastedMs > this.session.timeoutMs + MAX_WASTED_MS
  }

  /** True once blocks are no longer read in parts: this call is out of time, or was refused too often. */
  get isExhausted(): boolean {
    return this.isOutOfTime || this.#refusedInARow > MAX_REFUSED_IN_A_ROW
  }

  /** The first requests of a call get the full timeout, until one gets no answer. */
  get firstPatience(): Patience {
    return this.#wastedMs > 0 ? 'short' : 'full'
  }

  /** @param isProbe sends the request even though the unit is silent */
  async ask(block: Block<Wanted>, patience: Patience, isProbe = false): Promise<Answer> {
    const answer = await this.send(block, patience, isProbe)
    this.note(answer)
    return answer
  }

  /** Like `ask`, but the caller passes the answer to `note`. */
  send({ table, start, end }: Block<Wanted>, patience: Patience, isProbe = false): Promise<Answer> {
    const request = { functionCode: READ_FUNCTION[table], address: start, count: end - start }
    return this.session.read(request, { patience, urgent: this.#urgent, isProbe })
  }

  note(answer: Answer): void {
    if ('unanswered' in answer) {
      // At least 1 ms, so that a miss counts even if no time has passed.
      this.#wastedMs += Math.max(1, answer.waitedMs + answer.reconnectMs)
      return
    }
    this.#isAnswered = true
    if ('data' in answer) this.#refusedInARow = 0
    else if (!isIllegal(answer.exception)) this.#refusedInARow += 1
  }

  take(block: Block<Wanted>, data: Uint8Array): void {
    decodeBlock(block, data, this.readings)
    this.memory.holes.forget(block)
    this.memory.recent = block
  }

  fail({ points }: Block<Wanted>, error: string): void {
    for (const { index } of points) this.readings[index] = { error }
  }

  /** Fails the block and remembers it as unreadable; after a passing exception only if that is its second in a row. */
  rememberHole(block: Block<Wanted>, cause: Cause): void {
    if (isPassing(cause) && !this.memory.holes.isRemembered(block)) {
      this.leave(block, cause)
      return
    }
    this.fail(block, causeText(cause))
    this.memory.holes.forgetSuspect(block)
    const { table, start, end } = block
    this.memory.holes.remember({ table, start, end, cause, isGap: false, askedAt: this.session.now() })
  }

  /** Fails the block, and leaves it to the next call to find the unreadable part. */
  leave(block: Block<Wanted>, cause: Cause): void {
    this.fail(block, causeText(cause))
    const { table, start, end } = block
    this.memory.holes.suspect({ table, start, end, cause })
  }
}

function decodeBlock(block: Block<Wanted>, data: Uint8Array, readings: Reading[]): void {
  const { table, start, points } = block
  if (isBitTable(table)) {
    for (const { register, index } of points) {
      const offset = register - start
      readings[index] = { raw: ((data[offset >> 3] ?? 0) >> (offset & 7)) & 1 }
    }
    return
  }
  const wire = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (const { register, index, read } of points) readings[index] = read(wire, (register - start) * 2)
}
