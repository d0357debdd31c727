import { describe, expect, test, vi } from 'vitest'
import { never, type Points, useBench } from './testing/bench.ts'
import type { PeerRequest } from './testing/scripted-peer.ts'

const bench = useBench()

const POWER = { power: { register: 100, type: 'int16' } }
const TWO = { a: { register: 10, type: 'uint16' }, b: { register: 50, type: 'uint16' } }

describe('an exception', () => {
  const ROW: Points = Object.fromEntries(
    Array.from({ length: 8 }, (_, index) => [`r${index}`, { register: index, type: 'uint16' }]),
  )

  test.each([
    [1, 'exception 1: illegal function'],
    [2, 'exception 2: illegal data address'],
    [3, 'exception 3: illegal data value'],
    [4, 'exception 4: server device failure'],
    [5, 'exception 5: acknowledge, still working'],
    [6, 'exception 6: server device busy'],
    [7, 'exception 7: negative acknowledge'],
    [8, 'exception 8: memory parity error'],
    [9, 'exception 9: unknown exception'],
    [12, 'exception 12: unknown exception'],
  ])('%i is an error reading', async (code, error) => {
    const driver = await bench.open(POWER)
    const reading = driver.read(['power'])
    ;(await bench.peer.next()).answer([0x83, code])
    expect(await reading).toEqual([{ error }])
  })

  test.each([10, 11])('%i means that the gateway cannot reach the unit: it is silent', async (code) => {
    const driver = await bench.open(POWER)
    const reading = driver.read(['power'])
    ;(await bench.peer.next()).answer([0x83, code])
    await expect(reading).rejects.toMatchObject({
      kind: 'offline',
      message: expect.stringContaining(`exception ${code}`),
    })
  })

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 99])('%i on a merged read costs the neighbours nothing', async (code) => {
    const driver = await bench.open(ROW)
    bench.peer.serve(({ address, count, answer, answerRegisters }) => {
      const addresses = Array.from({ length: count }, (_, index) => address + index)
      if (addresses.includes(5)) answer([0x83, code])
      else answerRegisters(...addresses)
    })
    const expected = Object.keys(ROW).map((_, index) =>
      index === 5 ? { error: expect.stringContaining(`exception ${code}`) } : { raw: index },
    )
    for (let turn = 0; turn < 3; turn += 1) expect(await driver.read(Object.keys(ROW))).toEqual(expected)
  })

  test('6 on everything for a while costs few requests, and leaves no trace afterwards', async () => {
    const many: Points = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`m${index}`, { register: index, type: 'uint16' }]),
    )
    const ids = Object.keys(many)
    const driver = await bench.open(many)
    let asked = 0
    bench.peer.serve((request) => {
      asked += 1
      request.answer([0x83, 6])
    })
    const readings = await driver.read(ids)
    expect(readings.every((reading) => 'error' in reading && reading.error.includes('exception 6'))).toBe(true)
    expect(asked).toBeLessThan(60)
    const ranges = bench.serveCountingRegisters()
    expect(await driver.read(ids)).toEqual(ids.map((_, index) => ({ raw: index })))
    ranges.length = 0
    await driver.read(ids)
    expect(ranges).toHaveLength(4)
  })

  test('on one block leaves the others readable', async () => {
    const driver = await bench.open(TWO)
    bench.peer.serve((request) =>
      request.address === 10 ? request.answer([0x83, 4]) : request.answerRegisters(request.address),
    )
    expect(await driver.read(['a', 'b'])).toEqual([{ error: 'exception 4: server device failure' }, { raw: 50 }])
  })

  test('2 on a merged block affects only the point without a register, and is remembered', async () => {
    const driver = await bench.open(ROW)
    const asked = bench.serveCountingRegisters([5])
    const expected = Object.keys(ROW).map((_, index) =>
      index === 5 ? { error: 'exception 2: illegal data address' } : { raw: index },
    )
    expect(await driver.read(Object.keys(ROW))).toEqual(expected)
    asked.length = 0
    expect(await driver.read(Object.keys(ROW))).toEqual(expected)
    expect(asked).toEqual([
      [0, 5],
      [6, 2],
      [5, 1],
    ])
  })

  test('2 on a bridged gap affects no point, and the gap is not bridged again', async () => {
    const points = {
      a: { register: 0, type: 'uint16' },
      b: { register: 4, type: 'uint16' },
      c: { register: 5, type: 'uint16' },
    }
    const driver = await bench.open(points)
    const asked = bench.serveCountingRegisters([2])
    expect(await driver.read(['a', 'b', 'c'])).toEqual([{ raw: 0 }, { raw: 4 }, { raw: 5 }])
    asked.length = 0
    expect(await driver.read(['a', 'b', 'c'])).toEqual([{ raw: 0 }, { raw: 4 }, { raw: 5 }])
    expect(asked).toEqual([
      [0, 1],
      [4, 2],
    ])
  })

  test('on blocks that cross a boundary is avoided from then on', async () => {
    const driver = await bench.open(ROW)
    const asked: [number, number][] = []
    bench.peer.serve(({ address, count, answer, answerRegisters }) => {
      asked.push([address, count])
      if (address < 3 && address + count > 3) answer([0x83, 2])
      else answerRegisters(...Array.from({ length: count }, (_, index) => address + index))
    })
    const all = Object.keys(ROW).map((_, index) => ({ raw: index }))
    expect(await driver.read(Object.keys(ROW))).toEqual(all)
    asked.length = 0
    expect(await driver.read(Object.keys(ROW))).toEqual(all)
    expect(asked).toEqual([
      [0, 3],
      [3, 5],
    ])
  })

  const MANY: Points = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`m${index}`, { register: index, type: 'uint16' }]),
  )
  const MANY_IDS = Object.keys(MANY)
  /** All but the first ten. */
  const ABSENT = Array.from({ length: 90 }, (_, index) => index + 10)

  test('2 on many points costs the others one request per poll, and is reported for each', async () => {
    const driver = await bench.open(MANY)
    const asked = bench.serveCountingRegisters(ABSENT)
    const expected = MANY_IDS.map((_, index) =>
      index < 10 ? { raw: index } : { error: 'exception 2: illegal data address' },
    )
    expect(await driver.read(MANY_IDS)).toEqual(expected)
    const again = new Set<number>()
    for (let poll = 0; poll < 90; poll += 1) {
      asked.length = 0
      expect(await driver.read(MANY_IDS)).toEqual(expected)
      expect(asked).toEqual([
        [0, 10],
        [expect.any(Number), 1],
      ])
      again.add(asked[1]?.[0] ?? 0)
    }
    // Each one was retried.
    expect(again.size).toBe(90)
  })

  test('2 is retried when its point is read alone', async () => {
    const driver = await bench.open(MANY)
    bench.serveCountingRegisters(ABSENT)
    await driver.read(MANY_IDS)
    bench.serveCountingRegisters()
    expect(await driver.read(['m70'], { urgent: true })).toEqual([{ raw: 70 }])
  })

  test('that replaces another one leaves the other refused ranges alone', async () => {
    const driver = await bench.open(MANY)
    bench.serveCountingRegisters(ABSENT)
    await driver.read(MANY_IDS)
    let asked = 0
    bench.peer.serve((request) => {
      asked += 1
      if (request.address < 10) request.answerRegisters(...Array.from({ length: request.count }, () => 1))
      else request.answer([0x83, 6])
    })
    await driver.read(MANY_IDS)
    expect(asked).toBe(2)
  })

  test('on a gap is retried after the link is reopened', async () => {
    const points = { a: { register: 0, type: 'uint16' }, b: { register: 4, type: 'uint16' } }
    const driver = await bench.open(points)
    bench.serveCountingRegisters([2])
    await driver.read(['a', 'b'])
    const asked = bench.serveCountingRegisters()
    await driver.open(never)
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 0 }, { raw: 4 }])
    expect(asked).toEqual([[0, 5]])
  })

  test('that has ended is forgotten: the points are read in one block again', async () => {
    const driver = await bench.open(ROW)
    bench.serveCountingRegisters([0, 1, 2, 3, 4, 5, 6, 7])
    await driver.read(Object.keys(ROW))
    const asked = bench.serveCountingRegisters()
    await driver.read(Object.keys(ROW))
    asked.length = 0
    await driver.read(Object.keys(ROW))
    expect(asked).toEqual([[0, 8]])
  })

  test('that ends during a poll, as another read finds, leaves no point of the poll without a reading', async () => {
    const far = { far: { register: 500, type: 'uint16' }, farther: { register: 600, type: 'uint16' } }
    const driver = await bench.open({ ...ROW, ...far })
    const ids = [...Object.keys(ROW), ...Object.keys(far)]
    bench.serveCountingRegisters([2, 5])
    await driver.read(ids)
    const held: PeerRequest[] = []
    bench.peer.serve((request) => {
      const { address, count } = request
      if (address === 500) held.push(request)
      else request.answerRegisters(...Array.from({ length: count }, (_, index) => address + index))
    })
    const poll = driver.read(ids)
    await vi.waitUntil(() => held.length === 1)
    const urgent = driver.read(['r2'], { urgent: true })
    held[0]?.answerRegisters(500)
    expect(await urgent).toEqual([{ raw: 2 }])
    expect(await poll).toEqual([...Object.keys(ROW).map((_, index) => ({ raw: index })), { raw: 500 }, { raw: 600 }])
  })
})
