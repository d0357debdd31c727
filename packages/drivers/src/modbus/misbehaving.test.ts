import { every, systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver, Reading } from '../driver.ts'
import { type Bench, startBench } from './testing/bench.ts'
import { fillBank, POINT_IDS, POINTS, readAll, valuesOf } from './testing/building.ts'
import type { RegisterBank } from './testing/register-bank.ts'
import type { Question } from './testing/scripted-peer.ts'

const TIMEOUT_MS = 1000
const OURS = 1
const OTHER = 2

/** One way to misbehave. It meets all that is asked of unit 1, or all that is asked. */
interface Mischief {
  /** What it does instead of answering; `answer` is what it should have done. */
  does(question: Question, answer: () => void): void
  /** What is read of the unit meanwhile: all its values, errors in their place, or the link is lost for a reason. */
  reads: 'values' | 'errors' | { lost: RegExp }
  /** Only where it must be known, as it is with equipment that has this need. */
  settings?: Record<string, unknown>
}

let bench: Bench
let banks: Record<number, RegisterBank>
let stopTime: () => void
let previous: Question | undefined
let acceptedAt: WeakMap<object, number>
let answersOnTheirWay: number
let answersToCome: number

beforeEach(async () => {
  bench = await startBench()
  banks = { [OURS]: fillBank(OURS), [OTHER]: fillBank(OTHER) }
  previous = undefined
  acceptedAt = new WeakMap()
  answersOnTheirWay = 0
  answersToCome = 0
  bench.peer.welcome((socket) => acceptedAt.set(socket, bench.clock.monotonic()))
  // Time passes, but an answer arrives long before 1 s has passed: that takes fifty of these.
  stopTime = every(systemClock, 1, () => {
    if (answersOnTheirWay === 0) bench.clock.advanceNow(20)
  })
})
afterEach(() => {
  stopTime()
  return bench.stop()
})

const answer = (question: Question) => banks[question.unitId]?.answer(question)
const later = (ms: number, action: () => void) => {
  answersToCome += 1
  bench.clock.after(ms, () => {
    answersToCome -= 1
    action()
  })
}

/** The proper answer of a bank, as bytes. */
function bytesOf(question: Question): Buffer {
  let bytes: Buffer = Buffer.alloc(0)
  const take = (pdu: readonly number[]) => {
    bytes = question.frame(pdu)
  }
  banks[question.unitId]?.answer({ ...question, answer: take })
  return bytes
}

/** The proper answer with another head. */
function answerAs(question: Question, as: { transactionId?: number; unitId?: number }): void {
  question.answer([...bytesOf(question).subarray(7)], as)
}

async function byteByByte({ socket }: Question, bytes: Buffer): Promise<void> {
  answersOnTheirWay += 1
  for (const byte of bytes) {
    await new Promise<void>((resolve) => socket.write(Uint8Array.of(byte), () => resolve()))
  }
  answersOnTheirWay -= 1
}

const MISCHIEF: Record<string, Mischief> = {
  'does not answer': { does: () => {}, reads: { lost: /unit 1 at .* did not answer within 1000 ms/ } },
  'answers after the timeout': {
    does: (_, answer) => later(TIMEOUT_MS + 200, answer),
    reads: { lost: /did not answer/ },
  },
  'answers after the timeout, and gives it to the connection that came after': {
    does(question) {
      if (previous && previous.socket !== question.socket) question.socket.write(bytesOf(previous))
      previous = question
    },
    reads: { lost: /did not answer|another question/ },
  },
  'answers with the transaction id of the question before': {
    does: (question) => answerAs(question, { transactionId: question.transactionId - 1 }),
    reads: { lost: /another question/ },
  },
  'answers with no transaction id': {
    does: (question) => answerAs(question, { transactionId: 0 }),
    reads: { lost: /another question/ },
  },
  'answers in the name of another unit': {
    does: (question) => answerAs(question, { unitId: OTHER }),
    reads: { lost: /another question/ },
  },
  'answers the question before': {
    does(question) {
      if (previous) question.socket.write(bytesOf(previous))
      else answerAs(question, { transactionId: question.transactionId - 1 })
      previous = question
    },
    reads: { lost: /another question/ },
  },
  'answers another function': {
    does: (question) => question.answer([question.functionCode ^ 7, 2, 0, 1]),
    reads: { lost: /does not fit the question/ },
  },
  'answers with fewer registers than were asked': {
    does: (question) => question.answer([question.functionCode, 0]),
    reads: { lost: /does not fit the question/ },
  },
  'answers with more registers than were asked': {
    does: ({ answer, functionCode }) => answer([functionCode, 250, ...new Array<number>(250).fill(7)]),
    reads: { lost: /does not fit the question/ },
  },
  'sends a frame that is shorter than it says': {
    does: (question) => question.socket.write(bytesOf(question).subarray(0, -1)),
    reads: { lost: /did not answer/ },
  },
  'sends a part of an answer and hangs up': {
    does: (question) => question.socket.end(bytesOf(question).subarray(0, 8)),
    reads: { lost: /closed the connection/ },
  },
  'says everything twice': {
    does(question) {
      const bytes = bytesOf(question)
      question.socket.write(Buffer.concat([bytes, bytes]))
    },
    reads: { lost: /not Modbus TCP/ },
  },
  'resets the connection': {
    does: (question) => question.socket.resetAndDestroy(),
    reads: { lost: /reset the connection|closed the connection/ },
  },
  'hangs up': { does: (question) => question.socket.end(), reads: { lost: /closed the connection/ } },
  'speaks another protocol': {
    does: (question) => question.socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'),
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
    reads: { lost: /sent more than an answer/ },
  },
  'answers byte by byte': { does: (question) => void byteByByte(question, bytesOf(question)), reads: 'values' },
  'answers as late as it may': { does: (_, answer) => later(TIMEOUT_MS / 2, answer), reads: 'values' },
  'needs a pause after the connection': {
    does: (question, answer) => {
      if (bench.clock.monotonic() - (acceptedAt.get(question.socket) ?? 0) >= 500) answer()
    },
    reads: 'values',
    settings: { connectDelayMs: 500 },
  },
  ...Object.fromEntries(
    Array.from({ length: 11 }, (_, index): [string, Mischief] => [
      `answers with exception ${index + 1}`,
      {
        does: (question) => question.answer([question.functionCode | 0x80, index + 1]),
        // With these a gateway says that it could not reach the unit.
        reads: index + 1 >= 10 ? { lost: /unit 1 at .*: exception 1[01]/ } : 'errors',
      },
    ]),
  ),
}

/** Lets the unit, or all, do their mischief; `met` counts the questions that met it. */
function misbehave({ does }: Mischief, whom: (question: Question) => boolean): { stop(): void; met(): number } {
  let over = false
  let met = 0
  bench.peer.serve((question) => {
    if (over || !whom(question)) return answer(question)
    met += 1
    does(question, () => answer(question))
  })
  return {
    met: () => met,
    stop() {
      over = true
    },
  }
}

/** Not one reading that is not the datapoint's own. Returns whether all were there. */
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

/** Nothing is left behind by what went wrong: no socket, no timer. */
function expectNothingPiledUp(): void {
  expect(bench.peer.standing()).toBeLessThanOrEqual(2)
  expect(bench.clock.waiting().length - answersToCome).toBeLessThanOrEqual(3)
}

const comesBack = (driver: Driver, unitId: number) =>
  eventually(async () => expect(expectOwnValues(unitId, await readAll(driver))).toBe(true))

const kindOf = ({ reads }: Mischief) => (typeof reads === 'object' ? 'lost' : reads)

const ROUNDS = 4
/** The longest time for which a unit is left alone that gave no proper answer. */
const LEFT_ALONE_MS = 60_000

describe.each(Object.entries(MISCHIEF))('a peer that %s', (_name, mischief) => {
  test('never puts a value where it does not belong, and is read again as soon as it behaves', async () => {
    const driver = await bench.open(POINTS, { timeoutMs: TIMEOUT_MS, ...mischief.settings })
    const { stop, met } = misbehave(mischief, () => true)
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = met()
      const reading = driver.read(POINT_IDS)
      if (typeof mischief.reads === 'object') await expect(reading).rejects.toThrow(mischief.reads.lost)
      if (mischief.reads === 'values') expect(expectOwnValues(OURS, await reading)).toBe(true)
      if (mischief.reads === 'errors') expect((await reading).every((each) => 'error' in each)).toBe(true)
      expect(met()).toBeGreaterThan(before)
      expectNothingPiledUp()
      bench.clock.advanceNow(LEFT_ALONE_MS)
    }
    stop()
    await comesBack(driver, OURS)
  })

  test('as one unit of two takes no value from the other', async () => {
    const settings = { timeoutMs: TIMEOUT_MS, ...mischief.settings }
    const bad = await bench.open(POINTS, { ...settings, unitId: OURS })
    const good = await bench.open(POINTS, { ...settings, unitId: OTHER })
    const { stop, met } = misbehave(mischief, ({ unitId }) => unitId === OURS)
    for (let round = 0; round < ROUNDS; round += 1) {
      const before = met()
      const [fromBad, fromGood] = await Promise.all([readAll(bad), readAll(good)])
      expectOwnValues(OURS, fromBad)
      expect(expectOwnValues(OTHER, fromGood)).toBe(true)
      expect(met()).toBeGreaterThan(before)
      expectNothingPiledUp()
      bench.clock.advanceNow(LEFT_ALONE_MS)
    }
    stop()
    await comesBack(bad, OURS)
    await comesBack(good, OTHER)
  })

  test('gets what is written once at most, and never is anything else called done', async () => {
    const driver = await bench.open(POINTS, { timeoutMs: TIMEOUT_MS, ...mischief.settings })
    const writes: number[] = []
    const { stop } = misbehave(
      {
        ...mischief,
        does(question, answer) {
          if (question.functionCode > 4) writes.push(question.count)
          mischief.does(question, answer)
        },
      },
      () => true,
    )
    const outcome = await driver.write('word3', 777).then(
      () => 'done',
      (failure) => failure.kind,
    )
    expect(outcome).toBe({ values: 'done', errors: 'rejected', lost: 'offline' }[kindOf(mischief)])
    expect(writes).toEqual([777])
    stop()
    await eventually(async () => expect(await driver.read(['word3'])).toEqual([{ raw: banks[OURS]?.holding.get(3) }]))
    expect(writes).toEqual([777])
  })
})
