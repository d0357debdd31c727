import { beforeEach, describe, expect, test } from 'vitest'
import { never, useBench } from './testing/bench.ts'
import { type FaultyPeer, serveFaults } from './testing/faulty-peer.ts'
import { startScriptedPeer } from './testing/scripted-peer.ts'

const bench = useBench()
let peer: FaultyPeer
beforeEach(() => {
  peer = serveFaults(bench)
})

const at = (register: number) => ({ register, type: 'uint16' })
const POINTS = { a: at(10), b: at(50), c: at(90) }

const outcomeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    ({ kind }) => kind as string,
  )

describe('a write to a unit', () => {
  test('that answers no reads goes through, and ends the silence', async () => {
    for (const register of [10, 50, 90]) peer.silent.add(register)
    const driver = await bench.open(POINTS)
    await expect(driver.read(['a', 'b', 'c'])).rejects.toMatchObject({ kind: 'offline' })
    for (const value of [7, 8, 9]) {
      peer.frames.length = 0
      await driver.write('a', value)
      expect(peer.frames).toEqual([`write 1:10=${value}`])
      await expect(driver.read(['a', 'b', 'c'])).rejects.toMatchObject({ kind: 'offline' })
    }
  })

  test('that is silent gets the full timeout, whatever happened to reads', async () => {
    const driver = await bench.open(POINTS)
    peer.silentUnits.add(1)
    await expect(driver.read(['a'])).rejects.toThrow('did not answer')
    await expect(driver.read(['a'])).rejects.toThrow('did not answer')
    peer.frames.length = 0
    await expect(driver.write('a', 7)).rejects.toMatchObject({
      kind: 'offline',
      message: expect.stringContaining('within 1000 ms'),
    })
    expect(peer.frames).toEqual(['write 1:10=7'])
  })

  test('that answers neither reads nor writes is sent once a second in total, whichever address comes first', async () => {
    const driver = await bench.open(POINTS)
    peer.silentUnits.add(1)
    await expect(driver.read(['a', 'b'])).rejects.toThrow('did not answer')
    peer.frames.length = 0
    for (const id of ['a', 'b', 'c']) expect(await outcomeOf(driver.write(id, 7))).toBe('offline')
    expect(peer.frames).toEqual(['write 1:10=7'])
    bench.clock.advanceNow(1000)
    for (const id of ['b', 'a', 'c']) expect(await outcomeOf(driver.write(id, 7))).toBe('offline')
    expect(peer.frames).toEqual(['write 1:10=7', 'write 1:50=7'])
  })

  test('that was silent can go to every address as soon as the unit has answered anything', async () => {
    const driver = await bench.open(POINTS)
    peer.silentUnits.add(1)
    await expect(driver.read(['a', 'b'])).rejects.toThrow('did not answer')
    await outcomeOf(driver.write('a', 7))
    bench.clock.advanceNow(1000)
    peer.silentUnits.clear()
    await driver.read(['a', 'b'])
    for (const id of ['a', 'b', 'c']) await driver.write(id, 8)
    expect([10, 50, 90].map((register) => peer.held(1, register))).toEqual([8, 8, 8])
  })
})

describe('an address that does not answer writes', () => {
  test('delays the others by one timeout, and is then paused for a second', async () => {
    const driver = await bench.open(POINTS)
    await driver.read(['a', 'b', 'c'])
    peer.silentWrites.add(10)
    expect(await outcomeOf(driver.write('a', 7))).toBe('offline')
    peer.frames.length = 0
    for (let turn = 0; turn < 3; turn += 1) expect(await outcomeOf(driver.write('a', 7))).toBe('offline')
    await driver.write('b', 8)
    expect(await driver.read(['a', 'b', 'c'])).toEqual([{ raw: 10 }, { raw: 8 }, { raw: 90 }])
    expect(peer.frames[0]).toBe('write 1:50=8')
    bench.clock.advanceNow(1000)
    peer.silentWrites.clear()
    await driver.write('a', 7)
    expect(peer.held(1, 10)).toBe(7)
  })

  test('is retried with a short timeout, at least every 5 s for a release', async () => {
    const driver = await bench.open(POINTS)
    await driver.read(['a', 'b', 'c'])
    peer.silentWrites.add(10)
    let writes = 0
    for (let tenths = 0; tenths < 600; tenths += 1) {
      peer.frames.length = 0
      await outcomeOf(driver.write('a', 7, { release: true }))
      writes += peer.frames.length
      await driver.read(['b'])
      bench.clock.advanceNow(100)
    }
    expect(writes).toBeGreaterThanOrEqual(12)
    expect(peer.wastedMs).toBeLessThan(15_000)
  })

  test('does not make the whole unit silent', async () => {
    const driver = await bench.open(POINTS)
    peer.silentWrites.add(10)
    await outcomeOf(driver.write('a', 7))
    expect(await driver.read(['a', 'b', 'c'])).toEqual([{ raw: 10 }, { raw: 50 }, { raw: 90 }])
  })
})

describe('a write that is no longer wanted', () => {
  test('is not sent, and rejects with a conflict', async () => {
    const driver = await bench.open(POINTS)
    await expect(driver.write('a', 7, { stillWanted: () => false })).rejects.toMatchObject({ kind: 'conflict' })
    expect(peer.frames).toEqual([])
    await driver.write('a', 8, { stillWanted: () => true })
    expect(peer.frames).toEqual(['write 1:10=8'])
  })

  test('is checked right before it would be sent, after a reconnect and its delay', async () => {
    const driver = await bench.open(POINTS, { connectDelayMs: 500 })
    bench.peer.hangUp()
    await bench.peer.allClosed()
    let asked = 0
    const writing = outcomeOf(
      driver.write('a', 7, {
        stillWanted() {
          asked += 1
          return false
        },
      }),
    )
    while (bench.clock.waiting()[0] !== 500) await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toBe(0)
    bench.clock.advanceNow(500)
    expect(await writing).toBe('conflict')
    expect(asked).toBe(1)
    expect(peer.frames).toEqual([])
  })
})

describe('a driver whose opening failed', () => {
  test('sends a write when the host is back, and connects at most once a second', async () => {
    const { port } = bench.peer
    await bench.peer.stop()
    const driver = bench.protocol.connect(bench.connection(POINTS))
    await expect(driver.open(never)).rejects.toThrow('refused the connection')
    bench.peer = await startScriptedPeer(port)
    peer = serveFaults(bench)
    expect(await outcomeOf(driver.write('a', 7))).toBe('offline')
    expect(bench.peer.accepted()).toBe(0)
    bench.clock.advanceNow(1000)
    await driver.write('a', 7)
    expect(peer.held(1, 10)).toBe(7)
    await driver.close()
    await bench.peer.allClosed()
  })

  test('gives up connecting after 3 s, however long its timeout is', async () => {
    const driver = bench.protocol.connect(bench.connection(POINTS, { timeoutMs: 60_000 }))
    const opening = driver.open(never)
    bench.clock.advanceNow(3000)
    await expect(opening).rejects.toThrow('did not accept the connection within 3000 ms')
    await driver.close()
  })
})
