import type { Bench } from './bench.ts'
import type { Question } from './scripted-peer.ts'

/** A peer with faults that a test turns on and off. Holding register n of each unit holds n until it is written. */
export interface FaultyPeer {
  /** Reads that include one of these registers get no answer. */
  readonly silent: Set<number>
  /** Writes to one of these registers get no answer. */
  readonly silentWrites: Set<number>
  /** Units that answer nothing. */
  readonly silentUnits: Set<number>
  /** Registers whose reads are refused, with the exception. */
  readonly refused: Map<number, number>
  /** What was received since it was last emptied, for example `read 1:10+2` or `write 1:10=7`. */
  readonly frames: string[]
  /** Called with each frame, before it is answered or not. */
  onFrame: (frame: string) => void
  /** How long an answer takes. */
  answerMs: number
  /** How long the driver has waited for answers that did not come. */
  vainMs: number
  held(unitId: number, register: number): number
}

/** Time passes only while an answer is waited for: until the driver gives up, or for as long as the answer takes. */
export function serveFaults(bench: Bench): FaultyPeer {
  const written = new Map<string, number>()
  const peer: FaultyPeer = {
    silent: new Set(),
    silentWrites: new Set(),
    silentUnits: new Set(),
    refused: new Map(),
    frames: [],
    onFrame: () => {},
    answerMs: 0,
    vainMs: 0,
    held: (unitId, register) => written.get(`${unitId}:${register}`) ?? register,
  }

  function giveNoAnswer(): void {
    const waitMs = bench.clock.waiting()[0] ?? 0
    peer.vainMs += waitMs
    bench.clock.advanceNow(waitMs)
  }

  function answer(question: Question): void {
    const { unitId, functionCode, address, count, body } = question
    const isRead = functionCode === 3
    const frame = isRead ? `read ${unitId}:${address}+${count}` : `write ${unitId}:${address}=${count}`
    peer.frames.push(frame)
    peer.onFrame(frame)
    const registers = isRead ? Array.from({ length: count }, (_, index) => address + index) : [address]
    const silent = isRead ? peer.silent : peer.silentWrites
    if (peer.silentUnits.has(unitId) || registers.some((register) => silent.has(register))) {
      giveNoAnswer()
      return
    }
    if (peer.answerMs > 0) bench.clock.advanceNow(peer.answerMs)
    const exception = isRead ? registers.map((register) => peer.refused.get(register)).find(Boolean) : undefined
    if (exception !== undefined) {
      question.answer([functionCode | 0x80, exception])
    } else if (isRead) {
      question.answerRegisters(...registers.map((register) => peer.held(unitId, register)))
    } else {
      written.set(`${unitId}:${address}`, count)
      question.answer([functionCode, ...body.subarray(0, 4)])
    }
  }

  bench.peer.serve(answer)
  return peer
}
