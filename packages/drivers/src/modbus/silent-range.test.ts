import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver, Reading } from '../driver.ts'
import { type Bench, type Points, startBench } from './testing/bench.ts'
import { type FaultyPeer, serveFaults } from './testing/faulty-peer.ts'

const TIMEOUT_MS = 1000

let bench: Bench
let peer: FaultyPeer
beforeEach(async () => {
  bench = await startBench()
  peer = serveFaults(bench)
})
afterEach(() => bench.stop())

const at = (register: number) => ({ register, type: 'uint16' })
const rowOf = (count: number, from = 0): Points =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`r${from + index}`, at(from + index)]))
const TWO: Points = { a: at(10), b: at(50) }

/** What must be read when these registers give an error. */
const expectedOf = (points: Points, bad: ReadonlySet<number>) =>
  Object.values(points).map(({ register }) =>
    bad.has(register as number) ? { error: expect.any(String) } : { raw: register },
  )
const errorsIn = (readings: readonly Reading[]) => readings.filter((reading) => 'error' in reading).length

/** Polls every second of the clock. */
async function pollFor(driver: Driver, ids: readonly string[], seconds: number): Promise<readonly Reading[]> {
  let readings: readonly Reading[] = []
  for (let second = 0; second < seconds; second += 1) {
    bench.clock.advanceNow(1000)
    readings = await driver.read(ids)
  }
  return readings
}

describe('a register that does not answer', () => {
  test('that falls silent while another is held costs neither its value nor the write to it', async () => {
    const driver = await bench.open(TWO)
    await driver.write('a', 7)
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 7 }, { raw: 50 }])
    peer.silent.add(50)
    const silence = `unit 1 at 127.0.0.1:${bench.peer.port} did not answer within 1000 ms`
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 7 }, { error: silence }])
    peer.frames.length = 0
    await driver.write('a', 10, { release: true })
    expect(peer.frames).toEqual(['write 1:10=10'])
    for (let turn = 0; turn < 20; turn += 1) {
      expect(await pollFor(driver, ['a', 'b'], 1)).toEqual([{ raw: 10 }, { error: silence }])
    }
  })

  test('holds up a release by the one request that is under way, and by nothing else', async () => {
    const driver = await bench.open(TWO)
    await driver.read(['a', 'b'])
    const frames: string[] = []
    let releasing: Promise<void> | undefined
    bench.peer.serve((question) => {
      frames.push(`${question.functionCode === 3 ? 'read' : 'write'} ${question.address}`)
      if (question.functionCode === 6) return question.answer([6, ...question.body.subarray(0, 4)])
      if (question.address !== 50) return question.answerRegisters(question.address)
      // The release is asked for while this is waited for.
      releasing ??= driver.write('a', 10, { release: true })
      bench.clock.advanceNow(bench.clock.waiting()[0] ?? 0)
    })
    const before = bench.clock.monotonic()
    const reading = driver.read(['a', 'b'])
    await reading
    await releasing
    expect(frames.slice(0, 3)).toEqual(['read 10', 'read 50', 'write 10'])
    expect(bench.clock.monotonic() - before).toBeLessThan(TIMEOUT_MS + 100)
  })

  test('from the start takes nothing from the others, read or written', async () => {
    peer.silent.add(50)
    const driver = await bench.open(TWO)
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { error: expect.stringContaining('did not answer') }])
    await driver.write('a', 7)
    expect(peer.held(1, 10)).toBe(7)
  })

  test.each([0, 5, 7])('from the start in a block of eight, at place %d, costs only itself', async (place) => {
    peer.silent.add(place)
    const points = rowOf(8)
    const driver = await bench.open(points)
    expect(await driver.read(Object.keys(points))).toEqual(expectedOf(points, peer.silent))
  })

  test('is found in each half of a block in one call, and no later block reaches across it', async () => {
    const points = rowOf(100)
    const ids = Object.keys(points)
    const driver = await bench.open(points)
    await driver.read(ids)
    for (const register of [3, 49, 50, 97]) peer.silent.add(register)
    expect(await driver.read(ids)).toEqual(expectedOf(points, peer.silent))
    peer.frames.length = 0
    expect(await driver.read(ids)).toEqual(expectedOf(points, peer.silent))
    expect(peer.frames).toEqual(['read 1:0+3', 'read 1:4+45', 'read 1:51+46', 'read 1:98+2'])
  })

  test('is waited for its whole timeout once, and then only briefly', async () => {
    const points = rowOf(100)
    const driver = await bench.open(points)
    await driver.read(Object.keys(points))
    peer.silent.add(42)
    await driver.read(Object.keys(points))
    expect(peer.vainMs).toBeLessThan(TIMEOUT_MS + 10 * 50)
  })

  test('is asked again after a second, read when it is back, and then joins its block again', async () => {
    const points = rowOf(8)
    const ids = Object.keys(points)
    const driver = await bench.open(points)
    await driver.read(ids)
    peer.silent.add(5)
    await driver.read(ids)
    peer.silent.clear()
    bench.clock.advanceNow(900)
    expect(errorsIn(await driver.read(ids))).toBe(1)
    bench.clock.advanceNow(100)
    expect(await driver.read(ids)).toEqual(expectedOf(points, new Set()))
    peer.frames.length = 0
    await driver.read(ids)
    expect(peer.frames).toEqual(['read 1:0+8'])
  })

  test('that is back is read, though the first reply to its retry is a stray one', async () => {
    const driver = await bench.open(TWO)
    await driver.read(['a', 'b'])
    peer.silent.add(50)
    await driver.read(['a', 'b'])
    bench.clock.advanceNow(1000)
    let isOver = false
    bench.peer.serve((question) => {
      if (isOver || question.address !== 50) return question.answerRegisters(question.address)
      isOver = true
      question.answer([3, 2, 0, 1], { unitId: 9 })
    })
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
    expect(isOver).toBe(true)
  })

  test('brings the others back with it', async () => {
    const points = rowOf(60)
    const ids = Object.keys(points)
    const driver = await bench.open(points)
    await driver.read(ids)
    for (let register = 20; register < 40; register += 1) peer.silent.add(register)
    await pollFor(driver, ids, 30)
    peer.silent.clear()
    expect(errorsIn(await pollFor(driver, ids, 25))).toBe(0)
  })

  test('that is only slow is found by the whole timeout that a retry has now and then', async () => {
    const driver = await bench.open(TWO)
    await driver.read(['a', 'b'])
    peer.silent.add(50)
    await driver.read(['a', 'b'])
    // From now on it takes 600 ms: too long for a short retry.
    bench.peer.serve((question) => {
      if (question.address === 50) bench.clock.advanceNow(Math.min(600, bench.clock.waiting()[0] ?? 0))
      question.answerRegisters(question.address)
    })
    const first = await pollFor(driver, ['a', 'b'], 10)
    expect(first).toEqual([{ raw: 10 }, { error: expect.any(String) }])
    expect(await pollFor(driver, ['a', 'b'], 60)).toEqual([{ raw: 10 }, { raw: 50 }])
  })

  test('costs the others about one part in twenty of their time', async () => {
    peer.answerMs = 20
    const points = rowOf(50)
    const ids = Object.keys(points)
    const driver = await bench.open(points)
    for (const register of [5, 15, 25, 35]) peer.silent.add(register)
    await driver.read(ids)
    peer.vainMs = 0
    const from = bench.clock.monotonic()
    while (bench.clock.monotonic() - from < 3 * 60_000) await driver.read(ids)
    expect(peer.vainMs / (bench.clock.monotonic() - from)).toBeLessThan(0.08)
  })

  test('between two points that are read together costs neither of them anything', async () => {
    peer.silent.add(2)
    const points = { a: at(0), b: at(4), c: at(5) }
    const driver = await bench.open(points)
    expect(await driver.read(['a', 'b', 'c'])).toEqual([{ raw: 0 }, { raw: 4 }, { raw: 5 }])
    peer.frames.length = 0
    expect(await driver.read(['a', 'b', 'c'])).toEqual([{ raw: 0 }, { raw: 4 }, { raw: 5 }])
    expect(peer.frames).toEqual(['read 1:0+1', 'read 1:4+2'])
    peer.silent.clear()
    await pollFor(driver, ['a', 'b', 'c'], 3)
    peer.frames.length = 0
    await driver.read(['a', 'b', 'c'])
    expect(peer.frames).toEqual(['read 1:0+6'])
  })

  test('is asked for by all points that share it in one request', async () => {
    const points = { a: at(0), b: { register: 5, type: 'int16' }, c: at(5), d: at(9) }
    peer.silent.add(5)
    const driver = await bench.open(points)
    const error = { error: expect.any(String) }
    expect(await driver.read(['a', 'b', 'c', 'd'])).toEqual([{ raw: 0 }, error, error, { raw: 9 }])
    peer.frames.length = 0
    await pollFor(driver, ['a', 'b', 'c', 'd'], 1)
    expect(peer.frames).toEqual(['read 1:0+1', 'read 1:9+1', 'read 1:5+1'])
  })

  test('among all that are read urgently, once, costs only itself', async () => {
    peer.silent.add(50)
    const driver = await bench.open({ ...TWO, c: at(90) })
    expect(await driver.read(['a', 'b', 'c'], { urgent: true })).toEqual([
      { raw: 10 },
      { error: expect.any(String) },
      { raw: 90 },
    ])
  })
})

describe('equipment that accepts no new connection for two seconds after it was left', () => {
  test('shows a silent register in the end, and the values of all others', async () => {
    let leftAt = Number.NEGATIVE_INFINITY
    bench.peer.welcome((socket) => {
      if (bench.clock.monotonic() < leftAt + 2000) {
        socket.destroy()
        return
      }
      socket.on('close', () => {
        leftAt = bench.clock.monotonic()
      })
    })
    const points = { ...rowOf(16), far: at(500) }
    const ids = Object.keys(points)
    peer.silent.add(5)
    const driver = await bench.open(points)
    for (let second = 0; second < 60; second += 1) {
      await driver.read(ids).catch(() => {})
      bench.clock.advanceNow(1000)
    }
    bench.clock.advanceNow(2000)
    expect(await driver.read(ids)).toEqual(expectedOf(points, peer.silent))
  })
})

describe('a unit that fell silent and is back', () => {
  test('is read in whole blocks again, also when a register in the block it missed is silent now', async () => {
    const points = rowOf(8)
    const ids = Object.keys(points)
    const driver = await bench.open(points)
    await driver.read(ids)
    peer.silentUnits.add(1)
    await expect(driver.read(ids)).rejects.toThrow('did not answer')
    bench.clock.advanceNow(1000)
    peer.silentUnits.clear()
    peer.silent.add(2)
    await driver.read(['r2'], { urgent: true }).catch(() => {})
    expect(await pollFor(driver, ids, 2)).toEqual(expectedOf(points, peer.silent))
    peer.frames.length = 0
    await driver.read(ids)
    expect(peer.frames).toEqual(['read 1:0+2', 'read 1:3+5'])
    peer.silent.clear()
    await pollFor(driver, ids, 3)
    peer.frames.length = 0
    await driver.read(ids)
    expect(peer.frames).toEqual(['read 1:0+8'])
  })
})
