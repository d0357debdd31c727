import { expect } from 'vitest'
import type { Driver, Reading } from '../../driver.ts'
import type { Bench, Points } from './bench.ts'
import type { PeerRequest } from './scripted-peer.ts'

/** A peer with faults that the test turns on and off. Holding register n of each unit holds n until it is written. */
export interface FaultyPeer {
  /** Reads that include one of these registers get no answer. */
  readonly silent: Set<number>
  /** Writes to one of these registers get no answer. */
  readonly silentWrites: Set<number>
  /** Units that answer no request. */
  readonly silentUnits: Set<number>
  /** Registers whose reads are refused, with their exception. */
  readonly refused: Map<number, number>
  /** The received requests, for example `read 1:10+2` or `write 1:10=7`. Tests may empty it. */
  readonly frames: string[]
  /** Called with each request before it is answered. */
  onFrame: (frame: string) => void
  /** How long an answer takes. */
  answerMs: number
  /** How long the driver has waited for answers that never came. */
  wastedMs: number
  held(unitId: number, register: number): number
}

/** Serves faults. Time passes only while the driver waits: for as long as the answer takes, or until it gives up. */
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
    wastedMs: 0,
    held: (unitId, register) => written.get(`${unitId}:${register}`) ?? register,
  }

  function giveNoAnswer(): void {
    const waitMs = bench.clock.waiting()[0] ?? 0
    peer.wastedMs += waitMs
    bench.clock.advanceNow(waitMs)
  }

  function answer(request: PeerRequest): void {
    const { unitId, functionCode, address, count, body } = request
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
      request.answer([functionCode | 0x80, exception])
    } else if (isRead) {
      request.answerRegisters(...registers.map((register) => peer.held(unitId, register)))
    } else {
      written.set(`${unitId}:${address}`, count)
      request.answer([functionCode, ...body.subarray(0, 4)])
    }
  }

  bench.peer.serve(answer)
  return peer
}

export const at = (register: number) => ({ register, type: 'uint16' })

/** Returns a datapoint for each of `count` adjacent registers. */
export const rowOf = (count: number, from = 0): Points =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`r${from + index}`, at(from + index)]))

/** Returns the expected readings if these registers give errors. */
export const expectedOf = (points: Points, bad: ReadonlySet<number>) =>
  Object.values(points).map(({ register }) =>
    bad.has(register as number) ? { error: expect.any(String) } : { raw: register },
  )

export const errorsIn = (readings: readonly Reading[]) => readings.filter((reading) => 'error' in reading).length

/** Polls every second of the clock, and returns the last readings. */
export async function pollFor(
  { clock }: Bench,
  driver: Driver,
  ids: readonly string[],
  seconds: number,
): Promise<readonly Reading[]> {
  let readings: readonly Reading[] = []
  for (let second = 0; second < seconds; second += 1) {
    clock.advanceNow(1000)
    readings = await driver.read(ids)
  }
  return readings
}
