import { every, systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { type Traffic, watchTraffic } from '@plantroom/testkit/watch-traffic'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver, Reading } from '../driver.ts'
import { useBench } from './testing/bench.ts'
import type { RegisterBank } from './testing/register-bank.ts'
import type { PeerRequest } from './testing/scripted-peer.ts'
import { fillBank, POINT_IDS, POINTS, readAll, valuesOf } from './testing/two-units.ts'

const TIMEOUT_MS = 1000
const OURS = 1
const OTHER = 2

/** A way to misbehave, applied to all requests for unit 1 or to all requests. */
interface Fault {
  /** Replaces the answer; `answer` sends the proper one. */
  does(request: PeerRequest, answer: () => void): void
  /** What reads of the unit return meanwhile: all values, errors, or a lost link with its reason. */
  reads: 'values' | 'errors' | { lost: RegExp }
  /** The outcome of a write meanwhile, where `reads` does not imply it. */
  writes?: string
  /** The settings that such equipment is commissioned with. */
  settings?: Record<string, unknown>
}

const bench = useBench()
let banks: Record<number, RegisterBank>
let stopTime: () => void
let traffic: Traffic
let previous: PeerRequest | undefined
let acceptedAt: WeakMap<object, number>
let answersInParts: number
let answersToCome: number

beforeEach(() => {
  banks = { [OURS]: fillBank(OURS), [OTHER]: fillBank(OTHER) }
  previous = undefined
  acceptedAt = new WeakMap()
  answersInParts = 0
  answersToCome = 0
  bench.peer.welcome((socket) => acceptedAt.set(socket, bench.clock.monotonic()))
  traffic = watchTraffic()
  // Time stands still while a request or an answer is on its way.
  stopTime = every(systemClock, 1, () => {
    if (answersInParts === 0 && traffic.hasArrived()) bench.clock.advanceNow(20)
  })
})
afterEach(() => {
  stopTime()
  traffic.stop()
})

const answer = (request: PeerRequest) => banks[request.unitId]?.answer(request)
const later = (ms: number, action: () => void) => {
  answersToCome += 1
  bench.clock.after(ms, () => {
    answersToCome -= 1
    action()
  })
}

/** Returns the proper answer of a bank as bytes. */
function bytesOf(request: PeerRequest): Buffer {
  let bytes: Buffer = Buffer.alloc(0)
  const take = (pdu: readonly number[]) => {
    bytes = request.frame(pdu)
  }
  banks[request.unitId]?.answer({ ...request, answer: take })
  return bytes
}

/** Sends the proper answer with another header. */
function answerAs(request: PeerRequest, as: { transactionId?: number; unitId?: number }): void {
  request.answer([...bytesOf(request).subarray(7)], as)
}

async function byteByByte({ socket }: PeerRequest, bytes: Buffer): Promise<void> {
  answersInParts += 1
  for (const byte of bytes) {
    await new Promise<void>((resolve) => socket.write(Uint8Array.of(byte), () => resolve()))
  }
  answersInParts -= 1
}

const FAULTS: Record<string, Fault> = {
  'does not answer': { does: () => {}, reads: { lost: /unit 1 at .* did not answer within 1000 ms/ } },
  'answers after the timeout': {
    does: (_, answer) => later(TIMEOUT_MS + 200, answer),
    reads: { lost: /did not answer/ },
  },
  'answers after the timeout, and gives it to the connection that came after': {
    does(request) {
      if (previous && previous.socket !== request.socket) request.socket.write(bytesOf(previous))
      previous = request
    },
    reads: { lost: /did not answer|a request other/ },
  },
  'answers with the transaction id of the request before': {
    does: (request) => answerAs(request, { transactionId: request.transactionId - 1 }),
    reads: { lost: /a request other/ },
  },
  'answers with no transaction id': {
    does: (request) => answerAs(request, { transactionId: 0 }),
    reads: { lost: /a request other/ },
  },
  'answers in the name of another unit': {
    does: (request) => answerAs(request, { unitId: OTHER }),
    reads: { lost: /a request other/ },
  },
  'answers the request before': {
    does(request) {
      if (previous) request.socket.write(bytesOf(previous))
      else answerAs(request, { transactionId: request.transactionId - 1 })
      previous = request
    },
    reads: { lost: /a request other/ },
  },
  'answers another function': {
    does: (request) => request.answer([request.functionCode ^ 7, 2, 0, 1]),
    reads: { lost: /does not fit the request/ },
  },
  'answers with fewer registers than were asked': {
    does: (request) => request.answer([request.functionCode, 0]),
    reads: { lost: /does not fit the request/ },
  },
  'answers with more registers than were asked': {
    does: ({ answer, functionCode }) => answer([functionCode, 250, ...new Array<number>(250).fill(7)]),
    reads: { lost: /does not fit the request/ },
  },
  'sends a frame that is shorter than it says': {
    does: (request) => request.socket.write(bytesOf(request).subarray(0, -1)),
    reads: { lost: /did not answer/ },
  },
  'sends a part of an answer and hangs up': {
    does: (request) => request.socket.end(bytesOf(request).subarray(0, 8)),
    reads: { lost: /closed the connection/ },
  },
  'says everything twice': {
    does(request) {
      const bytes = bytesOf(request)
      request.socket.write(Buffer.concat([bytes, bytes]))
    },
    reads: { lost: /not Modbus TCP/ },
  },
  'resets the connection': {
    does: (request) => request.socket.resetAndDestroy(),
    reads: { lost: /reset the connection|closed the connection/ },
  },
  'hangs up': { does: (request) => request.socket.end(), reads: { lost: /closed the connection/ } },
  'speaks another protocol': {
    does: (request) => request.socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
    reads: { lost: /not Modbus TCP/ },
  },
  'announces a frame that is longer than a frame can be': {
    does: ({ socket }) => socket.write(Buffer.from([0, 1, 0, 0, 0xff, 0xff, 1])),
    reads: { lost: /not Modbus TCP/ },
  },
  'sends garbage without end': {
    does({ socket }) {
      const flood = () => {
        while (socket.writable && socket.write(Buffer.alloc(16_384, 7))) {}
      }
      socket.on('drain', flood)
      flood()
    },
    reads: { lost: /sent more data than an answer/ },
  },
  'answers byte by byte': { does: (request) => void byteByByte(request, bytesOf(request)), reads: 'values' },
  'answers as late as it may': { does: (_, answer) => later(TIMEOUT_MS / 2, answer), reads: 'values' },
  'needs a pause after the connection': {
    does: (request, answer) => {
      if (bench.clock.monotonic() - (acceptedAt.get(request.socket) ?? 0) >= 500) answer()
    },
    reads: 'values',
    settings: { connectDelayMs: 500 },
  },
  ...Object.fromEntries(
    Array.from({ length: 11 }, (_, index): [string, Fault] => [
      `answers with exception ${index + 1}`,
      {
        does: (request) => request.answer([request.functionCode | 0x80, index + 1]),
        // Gateways use these to report that they could not reach the unit.
        reads: index + 1 >= 10 ? { lost: /unit 1 at .*: exception 1[01]/ } : 'errors',
        // Failed and busy equipment may have written the value; an acknowledge says that it will.
        writes: { 4: 'offline', 5: 'done', 6: 'offline', 10: 'offline', 11: 'offline' }[index + 1] ?? 'rejected',
      },
    ]),
  ),
}

/** Applies the fault to one unit or to all; `met` counts the affected requests. */
function misbehave({ does }: Fault, whom: (request: PeerRequest) => boolean): { stop(): void; met(): number } {
  let over = false
  let met = 0
  bench.peer.serve((request) => {
    if (over || !whom(request)) return answer(request)
    met += 1
    does(request, () => answer(request))
  })
  return {
    met: () => met,
    stop() {
      over = true
    },
  }
}

/** Expects that every reading is the datapoint's own value. Returns true if all values were read. */
function expectOwnValues(unitId: number, readings: readonly Reading[] | undefined): boolean {
  if (!readings) return false
  expect(readings).toHaveLength(POINT_IDS.length)
  const values = valuesOf(unitId)
  let complete = true
  for (const [index, reading] of readings.entries()) {
    if ('raw' in reading) expect([POINT_IDS[index], reading.raw]).toEqual([POINT_IDS[index], values[index]])
    else complete = false
  }
  return complete
}

/** Expects that no socket and no timer is left behind. */
async function expectNothingPiledUp(): Promise<void> {
  await eventually(() => expect(bench.peer.openCount()).toBeLessThanOrEqual(2))
  expect(bench.clock.waiting().length - answersToCome).toBeLessThanOrEqual(3)
}

const comesBack = (driver: Driver, unitId: number) =>
  eventually(async () => expect(expectOwnValues(unitId, await readAll(driver))).toBe(true))

const kindOf = ({ reads }: Fault) => (typeof reads === 'object' ? 'lost' : reads)

const ROUNDS = 4
/** The longest pause after a unit gave no proper answer. */
const LEFT_ALONE_MS = 60_000

describe.each(Object.entries(FAULTS))('a peer that %s', (_name, fault) => {
  test('never makes a point show a value of another, and is read again as soon as it behaves', async () => {
    const driver = await bench.open(POINTS, { timeoutMs: TIMEOUT_MS, ...fault.settings })
    const { stop, met } = misbehave(fault, () => true)
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = met()
      const reading = driver.read(POINT_IDS)
      if (typeof fault.reads === 'object') await expect(reading).rejects.toThrow(fault.reads.lost)
      if (fault.reads === 'values') expect(expectOwnValues(OURS, await reading)).toBe(true)
      if (fault.reads === 'errors') expect((await reading).every((each) => 'error' in each)).toBe(true)
      expect(met()).toBeGreaterThan(before)
      await expectNothingPiledUp()
      bench.clock.advanceNow(LEFT_ALONE_MS)
    }
    stop()
    await comesBack(driver, OURS)
  })

  test('does not affect the other unit when it is one of two', async () => {
    const settings = { timeoutMs: TIMEOUT_MS, ...fault.settings }
    const bad = await bench.open(POINTS, { ...settings, unitId: OURS })
    const good = await bench.open(POINTS, { ...settings, unitId: OTHER })
    const { stop, met } = misbehave(fault, ({ unitId }) => unitId === OURS)
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = met()
      const [fromBad, fromGood] = await Promise.all([readAll(bad), readAll(good)])
      expectOwnValues(OURS, fromBad)
      expect(expectOwnValues(OTHER, fromGood)).toBe(true)
      expect(met()).toBeGreaterThan(before)
      await expectNothingPiledUp()
      bench.clock.advanceNow(LEFT_ALONE_MS)
    }
    stop()
    await comesBack(bad, OURS)
    await comesBack(good, OTHER)
  })

  test('receives a write at most once, and only an acknowledged write counts as done', async () => {
    const driver = await bench.open(POINTS, { timeoutMs: TIMEOUT_MS, ...fault.settings })
    const writes: number[] = []
    const { stop } = misbehave(
      {
        ...fault,
        does(request, answer) {
          if (request.functionCode > 4) writes.push(request.count)
          fault.does(request, answer)
        },
      },
      () => true,
    )
    const outcome = await driver.write('word3', 777).then(
      () => 'done',
      (failure) => failure.kind,
    )
    expect(outcome).toBe(fault.writes ?? { values: 'done', errors: 'rejected', lost: 'offline' }[kindOf(fault)])
    expect(writes).toEqual([777])
    stop()
    await eventually(async () => expect(await driver.read(['word3'])).toEqual([{ raw: banks[OURS]?.holding.get(3) }]))
    expect(writes).toEqual([777])
  })
})
