import { connect } from 'node:net'
import { every, systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver } from '../driver.ts'
import { type Bench, never, startBench } from './testing/bench.ts'
import { createRegisterBank, type RegisterBank } from './testing/register-bank.ts'
import { type Question, startScriptedPeer } from './testing/scripted-peer.ts'

const TWO = { a: { register: 10, type: 'uint16' }, b: { register: 50, type: 'uint16' } }
const AS_DELIVERED = { a: 10, b: 50 }

let bench: Bench
let bank: RegisterBank
let stopTime: () => void = () => {}

beforeEach(async () => {
  bench = await startBench()
  bank = delivered()
})
afterEach(() => {
  stopTime()
  return bench.stop()
})

function delivered(): RegisterBank {
  const fresh = createRegisterBank()
  fresh.holding.set(10, AS_DELIVERED.a).set(50, AS_DELIVERED.b)
  return fresh
}

const behave = () => bench.peer.serve((question) => bank.answer(question))

const letTimePass = () => {
  stopTime = every(systemClock, 1, () => bench.clock.advanceNow(20))
}

const reads = (driver: Driver, a: number, b: number) =>
  eventually(async () => expect(await driver.read(['a', 'b'])).toEqual([{ raw: a }, { raw: b }]))

describe('equipment that acknowledges what is written and ignores it', () => {
  test('is seen through by the reading after it', async () => {
    const driver = await bench.open(TWO)
    bench.peer.serve((question) => {
      if (question.functionCode === 3) bank.answer(question)
      else question.answer([question.functionCode, ...question.body.subarray(0, 4)])
    })
    await driver.write('a', 7)
    expect(await driver.read(['a', 'b'], { urgent: true })).toEqual([{ raw: 10 }, { raw: 50 }])
  })
})

describe('equipment that forgets on reboot', () => {
  test('shows its present value, not the written one, and takes the next write', async () => {
    behave()
    const driver = await bench.open(TWO)
    await driver.write('a', 7)
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 7 }, { raw: 50 }])

    const { port } = bench.peer
    await bench.peer.stop()
    letTimePass()
    await expect(driver.read(['a'])).rejects.toThrow()
    bank = delivered()
    bench.peer = await startScriptedPeer(port)
    behave()
    await reads(driver, AS_DELIVERED.a, AS_DELIVERED.b)
    await driver.write('a', 8)
    await reads(driver, 8, AS_DELIVERED.b)
  })
})

describe('equipment with room for one connection', () => {
  /** Destroys each connection that comes while another one is open. */
  function admitOne(): { turnedAway(): number } {
    let turnedAway = 0
    bench.peer.welcome((socket, standing) => {
      if (standing === 0) return
      turnedAway += 1
      socket.destroy()
    })
    return { turnedAway: () => turnedAway }
  }

  test('is asked by all its users over one', async () => {
    behave()
    const { turnedAway } = admitOne()
    const drivers = await Promise.all([1, 2, 3, 4, 5].map((unitId) => bench.open(TWO, { unitId })))
    const readings = await Promise.all(drivers.map((driver) => driver.read(['a', 'b'])))
    expect(readings).toEqual(drivers.map(() => [{ raw: 10 }, { raw: 50 }]))
    expect(turnedAway()).toBe(0)
    expect(bench.peer.accepted()).toBe(1)
  })

  test('is read again when the other client has left', async () => {
    behave()
    const { turnedAway } = admitOne()
    const driver = await bench.open(TWO)
    await reads(driver, 10, 50)
    bench.peer.hangUp()
    await bench.peer.deserted()
    const stranger = connect(bench.peer.port, '127.0.0.1')
    await eventually(() => expect(bench.peer.standing()).toBe(1))

    letTimePass()
    await eventually(async () => {
      await expect(driver.read(['a', 'b'])).rejects.toThrow()
      expect(turnedAway()).toBeGreaterThan(2)
    })
    stranger.destroy()
    await reads(driver, 10, 50)
  })
})

describe('a peer that speaks out of turn', () => {
  test('gives a late answer to the connection that came after', async () => {
    const driver = await bench.open(TWO)
    const reading = driver.read(['a'])
    const late = await bench.peer.next()
    bench.clock.advanceNow(1000)
    await expect(reading).rejects.toThrow('did not answer')
    await driver.close()
    await driver.open(never)
    const next = driver.read(['b'])
    const question = await bench.peer.next()
    question.socket.write(late.frame([3, 2, 2, 154]))
    await expect(next).rejects.toThrow('another question')
  })

  test('speaks without being asked, and no request gets that as its answer', async () => {
    const driver = await bench.open(TWO)
    const first = driver.read(['a'])
    const question = await bench.peer.next()
    question.answerRegisters(10)
    expect(await first).toEqual([{ raw: 10 }])
    question.answer([3, 2, 2, 154], { transactionId: question.transactionId + 1 })
    await eventually(() => expect(bench.peer.accepted()).toBe(2))
    bench.serveCountingRegisters()
    expect(await driver.read(['b'])).toEqual([{ raw: 50 }])
  })

  test('hangs up while nothing is asked, and the next question has a new connection', async () => {
    const driver = await bench.open(TWO)
    const first = driver.read(['a'])
    const question = await bench.peer.next()
    question.answerRegisters(10)
    await first
    question.socket.end()
    await eventually(() => expect(bench.peer.accepted()).toBe(2))
    bench.serveCountingRegisters()
    expect(await driver.read(['b'])).toEqual([{ raw: 50 }])
  })
})

describe('a peer that misbehaves at random', () => {
  type Mischief = (question: Question, value: number) => void
  let held: Question | undefined
  const MISCHIEF: Record<string, Mischief> = {
    none: (question, value) => question.answerRegisters(value),
    silence: () => bench.clock.advanceNow(1000),
    late: (question, value) => {
      bench.clock.advanceNow(1000)
      question.answerRegisters(value)
    },
    stale: (question, value) => question.socket.write((held ?? question).frame([3, 2, value >> 8, value & 0xff])),
    wrongId: (question, value) =>
      question.answer([3, 2, value >> 8, value & 0xff], { transactionId: question.transactionId - 1 }),
    twice: (question, value) => {
      question.answerRegisters(value)
      question.answerRegisters(value)
    },
    halfThenClose: (question, value) => question.socket.end(question.frame([3, 2, value >> 8]).subarray(0, 9)),
    reset: (question) => question.socket.resetAndDestroy(),
  }

  test('never makes one datapoint show the value of another', { timeout: 60_000 }, async () => {
    const points = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`p${index}`, { register: index * 100, type: 'uint16' }]),
    )
    const ids = Object.keys(points)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ point: fc.nat(19), mischief: fc.constantFrom(...Object.keys(MISCHIEF)) }), {
          minLength: 5,
          maxLength: 25,
        }),
        async (script) => {
          held = undefined
          const driver = await bench.open(points)
          for (const { point, mischief } of script) {
            bench.clock.advanceNow(60_000)
            bench.peer.serve((question) => {
              MISCHIEF[mischief]?.(question, question.address)
              held = question
            })
            const [reading] = await driver.read([ids[point] as string]).catch(() => [])
            if (reading && 'raw' in reading) expect(reading).toEqual({ raw: point * 100 })
          }
          bench.serveCountingRegisters()
          // What the last mischief left in the pipe may still cost one question.
          bench.clock.advanceNow(60_000)
          await driver.read(['p0']).catch(() => {})
          bench.clock.advanceNow(60_000)
          expect(await driver.read(['p0', 'p19'])).toEqual([{ raw: 0 }, { raw: 1900 }])
          await driver.close()
        },
      ),
      cases(15),
    )
  })
})
