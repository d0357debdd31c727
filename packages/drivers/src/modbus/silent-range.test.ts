import { beforeEach, describe, expect, test } from 'vitest'
import { type Points, useBench } from './testing/bench.ts'
import { at, errorsIn, expectedOf, type FaultyPeer, pollFor, rowOf, serveFaults } from './testing/faulty-peer.ts'

const TIMEOUT_MS = 1000

const bench = useBench()
let peer: FaultyPeer
beforeEach(() => {
  peer = serveFaults(bench)
})
const TWO: Points = { a: at(10), b: at(50) }

describe('a register that does not answer', () => {
  test('affects neither the value of another register nor the write to it', async () => {
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
      expect(await pollFor(bench, driver, ['a', 'b'], 1)).toEqual([{ raw: 10 }, { error: silence }])
    }
  })

  test('delays a release by no more than the request in progress', async () => {
    const driver = await bench.open(TWO)
    await driver.read(['a', 'b'])
    const frames: string[] = []
    let releasing: Promise<void> | undefined
    bench.peer.serve((request) => {
      frames.push(`${request.functionCode === 3 ? 'read' : 'write'} ${request.address}`)
      if (request.functionCode === 6) return request.answer([6, ...request.body.subarray(0, 4)])
      if (request.address !== 50) return request.answerRegisters(request.address)
      // The release is requested while the driver waits for this answer.
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

  test('from the start affects neither reads nor writes of the others', async () => {
    peer.silent.add(50)
    const driver = await bench.open(TWO)
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { error: expect.stringContaining('did not answer') }])
    await driver.write('a', 7)
    expect(peer.held(1, 10)).toBe(7)
  })

  test.each([0, 5, 7])(
    'from the start in a block of eight, at position %d, costs only its own value',
    async (place) => {
      peer.silent.add(place)
      const points = rowOf(8)
      const driver = await bench.open(points)
      expect(await driver.read(Object.keys(points))).toEqual(expectedOf(points, peer.silent))
    },
  )

  test('is found in each half of a block in one call, and later blocks do not cross it', async () => {
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

  test('gets its full timeout once, and short ones afterwards', async () => {
    const points = rowOf(100)
    const driver = await bench.open(points)
    await driver.read(Object.keys(points))
    peer.silent.add(42)
    await driver.read(Object.keys(points))
    expect(peer.wastedMs).toBeLessThan(TIMEOUT_MS + 10 * 50)
  })

  test('is retried after a second, read when it is back, and merged into its block again', async () => {
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

  test('is read when it is back, even if the first reply to its retry is a stray one', async () => {
    const driver = await bench.open(TWO)
    await driver.read(['a', 'b'])
    peer.silent.add(50)
    await driver.read(['a', 'b'])
    bench.clock.advanceNow(1000)
    let isOver = false
    bench.peer.serve((request) => {
      if (isOver || request.address !== 50) return request.answerRegisters(request.address)
      isOver = true
      request.answer([3, 2, 0, 1], { unitId: 9 })
    })
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
    expect(isOver).toBe(true)
  })

  test('makes the other silent registers due for a retry when it is back', async () => {
    const points = rowOf(60)
    const ids = Object.keys(points)
    const driver = await bench.open(points)
    await driver.read(ids)
    for (let register = 20; register < 40; register += 1) peer.silent.add(register)
    await pollFor(bench, driver, ids, 30)
    peer.silent.clear()
    expect(errorsIn(await pollFor(bench, driver, ids, 25))).toBe(0)
  })

  test('is found by an occasional retry with the full timeout if it is only slow', async () => {
    const driver = await bench.open(TWO)
    await driver.read(['a', 'b'])
    peer.silent.add(50)
    await driver.read(['a', 'b'])
    // An answer takes 600 ms from now on: too long for a short retry.
    bench.peer.serve((request) => {
      if (request.address === 50) bench.clock.advanceNow(Math.min(600, bench.clock.waiting()[0] ?? 0))
      request.answerRegisters(request.address)
    })
    const first = await pollFor(bench, driver, ['a', 'b'], 10)
    expect(first).toEqual([{ raw: 10 }, { error: expect.any(String) }])
    expect(await pollFor(bench, driver, ['a', 'b'], 60)).toEqual([{ raw: 10 }, { raw: 50 }])
  })

  test('costs the others about 5 % of their time', async () => {
    peer.answerMs = 20
    const points = rowOf(50)
    const ids = Object.keys(points)
    const driver = await bench.open(points)
    for (const register of [5, 15, 25, 35]) peer.silent.add(register)
    await driver.read(ids)
    peer.wastedMs = 0
    const from = bench.clock.monotonic()
    while (bench.clock.monotonic() - from < 3 * 60_000) await driver.read(ids)
    expect(peer.wastedMs / (bench.clock.monotonic() - from)).toBeLessThan(0.08)
  })

  test('between two points of one block affects neither of them', async () => {
    peer.silent.add(2)
    const points = { a: at(0), b: at(4), c: at(5) }
    const driver = await bench.open(points)
    expect(await driver.read(['a', 'b', 'c'])).toEqual([{ raw: 0 }, { raw: 4 }, { raw: 5 }])
    peer.frames.length = 0
    expect(await driver.read(['a', 'b', 'c'])).toEqual([{ raw: 0 }, { raw: 4 }, { raw: 5 }])
    expect(peer.frames).toEqual(['read 1:0+1', 'read 1:4+2'])
    peer.silent.clear()
    await pollFor(bench, driver, ['a', 'b', 'c'], 3)
    peer.frames.length = 0
    await driver.read(['a', 'b', 'c'])
    expect(peer.frames).toEqual(['read 1:0+6'])
  })

  test('is retried with one request for all points that share it', async () => {
    const points = { a: at(0), b: { register: 5, type: 'int16' }, c: at(5), d: at(9) }
    peer.silent.add(5)
    const driver = await bench.open(points)
    const error = { error: expect.any(String) }
    expect(await driver.read(['a', 'b', 'c', 'd'])).toEqual([{ raw: 0 }, error, error, { raw: 9 }])
    peer.frames.length = 0
    await pollFor(bench, driver, ['a', 'b', 'c', 'd'], 1)
    expect(peer.frames).toEqual(['read 1:0+1', 'read 1:9+1', 'read 1:5+1'])
  })

  test('among points that are read urgently costs only its own value', async () => {
    peer.silent.add(50)
    const driver = await bench.open({ ...TWO, c: at(90) })
    expect(await driver.read(['a', 'b', 'c'], { urgent: true })).toEqual([
      { raw: 10 },
      { error: expect.any(String) },
      { raw: 90 },
    ])
  })
})

describe('equipment that accepts no new connection for two seconds after a disconnect', () => {
  test('eventually shows the error of a silent register, and the values of all others', async () => {
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
  test('is read in full blocks again, even if a register in the block it missed is silent now', async () => {
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
    expect(await pollFor(bench, driver, ids, 2)).toEqual(expectedOf(points, peer.silent))
    peer.frames.length = 0
    await driver.read(ids)
    expect(peer.frames).toEqual(['read 1:0+2', 'read 1:3+5'])
    peer.silent.clear()
    await pollFor(bench, driver, ids, 3)
    peer.frames.length = 0
    await driver.read(ids)
    expect(peer.frames).toEqual(['read 1:0+8'])
  })
})
