import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Driver } from '../driver.ts'
import { type CountingListener, createCountingListener } from '../testing/counting-listener.ts'
import { never, type Points, useBench } from './testing/bench.ts'

const bench = useBench()

function connect(points: Points, settings: Record<string, unknown> = {}): { driver: Driver; events: CountingListener } {
  const events = createCountingListener()
  const driver = bench.protocol.connect(bench.connection(points, settings), events)
  onTestFinished(() => driver.close())
  return { driver, events }
}

async function open(points: Points, settings?: Record<string, unknown>) {
  const connected = connect(points, settings)
  await connected.driver.open(never)
  return connected
}

const at = (register: number) => ({ register, type: 'uint16' })
const ONE = { a: at(10) }

/** Registers 10 to 19; 13 and 17 are missing. */
const TEN = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`r${10 + index}`, at(10 + index)]))

/** Answers like equipment without these registers, and counts its answers. */
function serveWithout(...missing: number[]) {
  const done = { answered: 0, refused: 0 }
  bench.peer.serve((request) => {
    const { address, count, functionCode } = request
    const registers = Array.from({ length: count }, (_, index) => address + index)
    const refuses = registers.some((register) => missing.includes(register))
    done[refuses ? 'refused' : 'answered'] += 1
    if (refuses) request.answer([functionCode | 0x80, 2])
    else request.answerRegisters(...registers)
  })
  return done
}

describe('an exception', () => {
  test('is reported each time, even while a block is split and only two points turn out to be missing', async () => {
    const done = serveWithout(13, 17)
    const { driver, events } = await open(TEN)
    const readings = await driver.read(Object.keys(TEN))
    expect(readings.filter((reading) => 'error' in reading)).toHaveLength(2)
    expect(done.refused).toBeGreaterThan(2)
    expect(events.exceptions).toBe(done.refused)
    for (let turn = 0; turn < 5; turn += 1) await driver.read(Object.keys(TEN))
    expect(events.exceptions).toBe(done.refused)
    expect(events).toMatchObject({ timeouts: 0, losses: [] })
  })

  test('is reported for a refused write, but not for a value that was never sent', async () => {
    bench.peer.serve((request) => request.answer([request.functionCode | 0x80, 4]))
    const { driver, events } = await open(ONE)
    await expect(driver.write('a', 1)).rejects.toThrow('exception 4')
    await expect(driver.write('a', 65_536)).rejects.toThrow('does not fit')
    expect(events).toMatchObject({ exceptions: 1, timeouts: 0 })
  })

  test('is reported only to the connection that sent the request, even on a shared socket', async () => {
    bench.peer.serve((request) => {
      if (request.unitId === 2) request.answer([request.functionCode | 0x80, 2])
      else request.answerRegisters(7)
    })
    const [good, bad] = [await open(ONE, { unitId: 1 }), await open(ONE, { unitId: 2 })]
    await Promise.all([good.driver.read(['a']), bad.driver.read(['a']), good.driver.read(['a'])])
    expect(bench.peer.accepted()).toBe(1)
    expect([good.events.exceptions, bad.events.exceptions]).toEqual([0, 1])
  })
})

describe('a timeout', () => {
  test('is reported for each request without an answer, but not for one that was never sent', async () => {
    let asked = 0
    bench.peer.serve(() => {
      asked += 1
      bench.clock.advanceNow(1000)
    })
    const { driver, events } = await open(ONE)
    await expect(driver.read(['a'])).rejects.toThrow('did not answer within 1000 ms')
    expect([asked, events.timeouts]).toEqual([1, 1])
    // The unit is known to be silent, so this read fails without a request.
    await expect(driver.read(['a'])).rejects.toThrow('did not answer within 1000 ms')
    expect([asked, events.timeouts]).toEqual([1, 1])
    bench.clock.advanceNow(60_000)
    await expect(driver.read(['a'])).rejects.toThrow('did not answer within')
    expect(asked).toBe(2)
    expect(events.timeouts).toBe(asked)
  })

  test('is reported for a connection that is not accepted in time', async () => {
    const { driver, events } = connect(ONE)
    const opening = driver.open(never)
    bench.clock.advanceNow(1000)
    await expect(opening).rejects.toThrow('did not accept the connection within 1000 ms')
    expect(events).toMatchObject({ timeouts: 1, losses: [] })
  })

  test('is not reported for equipment that refuses or closes the connection', async () => {
    bench.peer.serve(({ socket }) => void socket.end())
    const { driver, events } = await open(ONE)
    await expect(driver.read(['a'])).rejects.toThrow('closed the connection')
    await bench.peer.stop()
    await driver.close()
    await expect(driver.open(never)).rejects.toThrow('refused the connection')
    expect(events).toMatchObject({ timeouts: 0, exceptions: 0, losses: [] })
  })
})

describe('a link that is lost while idle', () => {
  async function openTwo() {
    serveWithout()
    const both = [await open(ONE, { unitId: 1 }), await open(ONE, { unitId: 2 })]
    for (const { driver } of both) await driver.read(['a'])
    return both
  }

  test('is reported to all connections that share it if the equipment accepts no new one', async () => {
    const both = await openTwo()
    await bench.peer.stop()
    const reason = `127.0.0.1:${bench.peer.port} refused the connection`
    for (const { events } of both) await eventually(() => expect(events.losses).toEqual([reason]))
    for (const { events } of both) expect(events).toMatchObject({ timeouts: 0, exceptions: 0 })
  })

  test('is not reported if the equipment accepts a new one: much equipment closes idle sockets', async () => {
    const both = await openTwo()
    bench.peer.hangUp()
    await eventually(() => expect(bench.peer.accepted()).toBe(2))
    for (const { driver } of both) expect(await driver.read(['a'])).toEqual([{ raw: 10 }])
    for (const { events } of both) expect(events.losses).toEqual([])
    expect(bench.peer.accepted()).toBe(2)
  })

  test('is not reopened over and over if the equipment closes every socket', async () => {
    const both = await openTwo()
    bench.peer.welcome((socket) => void socket.end())
    bench.peer.hangUp()
    await eventually(() => expect(bench.peer.accepted()).toBe(2))
    await bench.peer.allClosed()
    await bench.clock.advance(60_000)
    expect(bench.peer.accepted()).toBe(2)
    for (const { events } of both) expect(events.losses).toEqual([])
  })

  test('is not reported by equipment that closes the socket after each answer', async () => {
    bench.peer.serve((request) => {
      request.answerRegisters(7)
      request.socket.end()
    })
    const { driver, events } = await open(ONE)
    for (let turn = 1; turn <= 5; turn += 1) {
      expect(await driver.read(['a'])).toEqual([{ raw: 7 }])
      await eventually(() => expect(bench.peer.accepted()).toBe(turn + 1))
    }
    expect(events).toMatchObject({ timeouts: 0, exceptions: 0, losses: [] })
  })

  test('is not reported to a closed connection', async () => {
    const [left, stays] = await openTwo()
    await left?.driver.close()
    await bench.peer.stop()
    await eventually(() => expect(stays?.events.losses).toHaveLength(1))
    expect(left?.events.losses).toEqual([])
  })
})
