import { connect } from 'node:net'
import { every, systemClock } from '@plantroom/base/clock'
import { eventually } from '@plantroom/testkit/eventually'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver } from '../driver.ts'
import { never, useBench } from './testing/bench.ts'
import { createRegisterBank, type RegisterBank } from './testing/register-bank.ts'
import { type PeerRequest, startScriptedPeer } from './testing/scripted-peer.ts'

const TWO = { a: { register: 10, type: 'uint16' }, b: { register: 50, type: 'uint16' } }
const AS_DELIVERED = { a: 10, b: 50 }

const bench = useBench()
let bank: RegisterBank
let stopTime: () => void = () => {}

beforeEach(() => {
  bank = delivered()
})
afterEach(() => stopTime())

function delivered(): RegisterBank {
  const fresh = createRegisterBank()
  fresh.holding.set(10, AS_DELIVERED.a).set(50, AS_DELIVERED.b)
  return fresh
}

const behave = () => bench.peer.serve((request) => bank.answer(request))

const letTimePass = () => {
  stopTime = every(systemClock, 1, () => bench.clock.advanceNow(20))
}

const reads = (driver: Driver, a: number, b: number) =>
  eventually(async () => expect(await driver.read(['a', 'b'])).toEqual([{ raw: a }, { raw: b }]))

describe('equipment that acknowledges a write and ignores it', () => {
  test('is exposed by the next read', async () => {
    const driver = await bench.open(TWO)
    bench.peer.serve((request) => {
      if (request.functionCode === 3) bank.answer(request)
      else request.answer([request.functionCode, ...request.body.subarray(0, 4)])
    })
    await driver.write('a', 7)
    expect(await driver.read(['a', 'b'], { urgent: true })).toEqual([{ raw: 10 }, { raw: 50 }])
  })
})

describe('equipment that forgets on reboot', () => {
  test('shows its current value, not the written one, and accepts the next write', async () => {
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

describe('equipment that accepts a single connection', () => {
  /** Closes every connection that arrives while another one is open. */
  function admitOne(): { turnedAway(): number } {
    let turnedAway = 0
    bench.peer.welcome((socket, alreadyOpen) => {
      if (alreadyOpen === 0) return
      turnedAway += 1
      socket.destroy()
    })
    return { turnedAway: () => turnedAway }
  }

  test('serves all its users over that connection', async () => {
    behave()
    const { turnedAway } = admitOne()
    const drivers = await Promise.all([1, 2, 3, 4, 5].map((unitId) => bench.open(TWO, { unitId })))
    const readings = await Promise.all(drivers.map((driver) => driver.read(['a', 'b'])))
    expect(readings).toEqual(drivers.map(() => [{ raw: 10 }, { raw: 50 }]))
    expect(turnedAway()).toBe(0)
    expect(bench.peer.accepted()).toBe(1)
  })

  test('is read again after the other client has disconnected', async () => {
    behave()
    const { turnedAway } = admitOne()
    const driver = await bench.open(TWO)
    await reads(driver, 10, 50)
    bench.peer.hangUp()
    await bench.peer.allClosed()
    const stranger = connect(bench.peer.port, '127.0.0.1')
    await eventually(() => expect(bench.peer.openCount()).toBe(1))

    letTimePass()
    await eventually(async () => {
      await expect(driver.read(['a', 'b'])).rejects.toThrow()
      expect(turnedAway()).toBeGreaterThan(2)
    })
    stranger.destroy()
    await reads(driver, 10, 50)
  })
})

describe('a peer that sends data out of turn', () => {
  test('gets its connection dropped for a late answer on the next connection', async () => {
    const driver = await bench.open(TWO)
    const reading = driver.read(['a'])
    const late = await bench.peer.next()
    bench.clock.advanceNow(1000)
    await expect(reading).rejects.toThrow('did not answer')
    await driver.close()
    await driver.open(never)
    const next = driver.read(['b'])
    const request = await bench.peer.next()
    request.socket.write(late.frame([3, 2, 2, 154]))
    await expect(next).rejects.toThrow('a request other')
  })

  test('sends an unsolicited frame, which answers no request', async () => {
    const driver = await bench.open(TWO)
    const first = driver.read(['a'])
    const request = await bench.peer.next()
    request.answerRegisters(10)
    expect(await first).toEqual([{ raw: 10 }])
    request.answer([3, 2, 2, 154], { transactionId: request.transactionId + 1 })
    await eventually(() => expect(bench.peer.accepted()).toBe(2))
    bench.serveCountingRegisters()
    expect(await driver.read(['b'])).toEqual([{ raw: 50 }])
  })

  test('closes an idle connection, and the next request uses a new one', async () => {
    const driver = await bench.open(TWO)
    const first = driver.read(['a'])
    const request = await bench.peer.next()
    request.answerRegisters(10)
    await first
    request.socket.end()
    await eventually(() => expect(bench.peer.accepted()).toBe(2))
    bench.serveCountingRegisters()
    expect(await driver.read(['b'])).toEqual([{ raw: 50 }])
  })
})

describe('a peer that misbehaves at random', () => {
  type Fault = (request: PeerRequest, value: number) => void
  let held: PeerRequest | undefined
  const FAULTS: Record<string, Fault> = {
    none: (request, value) => request.answerRegisters(value),
    silence: () => bench.clock.advanceNow(1000),
    late: (request, value) => {
      bench.clock.advanceNow(1000)
      request.answerRegisters(value)
    },
    stale: (request, value) => request.socket.write((held ?? request).frame([3, 2, value >> 8, value & 0xff])),
    wrongId: (request, value) =>
      request.answer([3, 2, value >> 8, value & 0xff], { transactionId: request.transactionId - 1 }),
    twice: (request, value) => {
      request.answerRegisters(value)
      request.answerRegisters(value)
    },
    halfThenClose: (request, value) => request.socket.end(request.frame([3, 2, value >> 8]).subarray(0, 9)),
    reset: (request) => request.socket.resetAndDestroy(),
  }

  test('never makes one datapoint show the value of another', { timeout: 60_000 }, async () => {
    const points = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`p${index}`, { register: index * 100, type: 'uint16' }]),
    )
    const ids = Object.keys(points)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ point: fc.nat(19), fault: fc.constantFrom(...Object.keys(FAULTS)) }), {
          minLength: 5,
          maxLength: 25,
        }),
        async (script) => {
          held = undefined
          const driver = await bench.open(points)
          for (const { point, fault } of script) {
            bench.clock.advanceNow(60_000)
            bench.peer.serve((request) => {
              FAULTS[fault]?.(request, request.address)
              held = request
            })
            const [reading] = await driver.read([ids[point] as string]).catch(() => [])
            if (reading && 'raw' in reading) expect(reading).toEqual({ raw: point * 100 })
          }
          bench.serveCountingRegisters()
          // Leftovers of the last fault may still cost one request.
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
