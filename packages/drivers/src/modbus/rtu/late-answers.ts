import type { Clock } from '@plantroom/base/clock'
import { isIdentify, READ_FUNCTION, type ReadRequest, type Request, replySize } from '../frame.ts'
import { frameSize, isFrame, MIN_FRAME } from './frame.ts'

interface Missed {
  unitId: number
  functionCode: number
  size: number
  at: number
}

/** No equipment or gateway that we know still sends an answer after this time. */
const LATEST_MS = 10_000
const MAX_REGISTERS = 125
const ADDRESSES = 65_536
/** The function that reads the same number of bits or registers from the other table. */
const TWIN = { 1: 2, 2: 1, 3: 4, 4: 3 } as const

/**
 * Remembers the requests without an answer of a line. RTU has no transaction ids, so that a late answer looks like the
 * one to a later request of the same function and size. Units answer in order: an answer that only a later request can
 * have proves that nothing older will come.
 */
export class LateAnswers {
  readonly #clock: Clock
  readonly #missed = new Map<string, Missed>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  missed(unitId: number, request: Request): void {
    this.#remember(unitId, request, this.#clock.monotonic())
  }

  /** Records that the answer to this request or to an earlier one has come. What is in doubt stays so no longer. */
  answeredOneOf(unitId: number, request: Request): void {
    const [first] = this.#of(unitId, request.functionCode)
    if (first) this.#remember(unitId, request, first.at)
  }

  #remember(unitId: number, request: Request, at: number): void {
    // A unit says the same of itself each time, and it looks like no other answer.
    if (isIdentify(request)) return
    const { functionCode } = request
    const size = frameSize(replySize(request))
    this.#missed.set(`${unitId} ${functionCode} ${size}`, { unitId, functionCode, size, at })
  }

  /** Forgets the unit's requests, because it has answered a later one. */
  settled(unitId: number): void {
    for (const [key, missed] of this.#missed) if (missed.unitId === unitId) this.#missed.delete(key)
  }

  /** Returns true if the answer to an earlier request would look the same. An exception names only the function. */
  isAmbiguous(unitId: number, request: Request, isException = false): boolean {
    if (this.#missed.size === 0) return false
    const size = frameSize(replySize(request))
    return this.#of(unitId, request.functionCode).some((missed) => isException || missed.size === size)
  }

  /** Returns a read at the same place whose answer looks like no earlier one; `undefined` if there is none. */
  distinct(unitId: number, request: ReadRequest): ReadRequest | undefined {
    const { functionCode, address, count } = request
    const isBits = functionCode === READ_FUNCTION.coil || functionCode === READ_FUNCTION.discrete
    const step = isBits ? 8 : 1
    const used = this.#of(unitId, functionCode)
    const own = Math.ceil(count / step)
    const reads = Array.from({ length: MAX_REGISTERS }, (_, index): ReadRequest => {
      const other = (index + 1) * step
      return { functionCode, count: other, address: Math.min(address, ADDRESSES - other) }
    })
    const isDistinct = (read: ReadRequest) => !used.some(({ size }) => size === frameSize(replySize(read)))
    // Part of the same range is the least likely to be refused, and a refusal can belong to every read of the function.
    const part = reads.slice(0, own - 1).find(isDistinct)
    if (part) return part
    // The other table: whatever the unit answers, data or a refusal, no earlier answer looks like it.
    const twin = { ...request, functionCode: TWIN[functionCode] }
    if (this.#of(unitId, twin.functionCode).length === 0) return twin
    return reads.slice(own).find(isDistinct)
  }

  /** Returns where the late answer that starts at `start` ends; `undefined` if none does. */
  endOf(bytes: Uint8Array, start: number): number | undefined {
    if (this.#missed.size === 0) return undefined
    for (const { functionCode, size } of this.#of(bytes[start] ?? 0)) {
      const end = start + (bytes[start + 1] === (functionCode | 0x80) ? MIN_FRAME : size)
      const isOfFunction = ((bytes[start + 1] ?? 0) & 0x7f) === functionCode
      if (isOfFunction && isFrame(bytes, start, end)) return end
    }
    return undefined
  }

  #of(unitId: number, functionCode?: number): readonly Missed[] {
    const oldest = this.#clock.monotonic() - LATEST_MS
    for (const [key, { at }] of this.#missed) if (at < oldest) this.#missed.delete(key)
    return [...this.#missed.values()].filter(
      (missed) => missed.unitId === unitId && (functionCode ?? missed.functionCode) === missed.functionCode,
    )
  }
}
