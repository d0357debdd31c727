import { beforeEach, describe, expect, test } from 'vitest'
import type { Driver } from '../driver.ts'
import { never, useBench } from './testing/bench.ts'
import { type FaultyPeer, serveFaults } from './testing/faulty-peer.ts'

const bench = useBench()
let peer: FaultyPeer
beforeEach(() => {
  peer = serveFaults(bench)
})

const POWER = { power: { register: 100, type: 'int16' } }
const TWO = { a: { register: 10, type: 'uint16' }, b: { register: 50, type: 'uint16' } }

const DEAD = 3
const ALIVE = 4

/** Moves the clock to the timeout of the request in progress. */
const letItGiveUp = () => bench.clock.advanceNow(bench.clock.waiting()[0] ?? 0)
const silenceOf = (unitId: number) => `unit ${unitId} at 127.0.0.1:${bench.peer.port} did not answer within 1000 ms`

describe('a silent unit', () => {
  test('is confirmed by small reads after one timeout, and then fails without requests until the next probe', async () => {
    const dead = await bench.open({ ...TWO, c: { register: 90, type: 'uint16' } }, { unitId: DEAD })
    await dead.read(['a', 'b', 'c'])
    peer.silentUnits.add(DEAD)
    peer.frames.length = 0
    await expect(dead.read(['a', 'b', 'c'])).rejects.toMatchObject({ kind: 'offline', message: silenceOf(DEAD) })
    expect(peer.frames).toEqual(['read 3:10+1', 'read 3:90+1', 'read 3:50+1'])
    expect(peer.wastedMs).toBeLessThan(1000 + 2 * 60)
    peer.frames.length = 0
    await expect(dead.read(['a'])).rejects.toThrow(silenceOf(DEAD))
    await expect(dead.read(['b'], { urgent: true })).rejects.toThrow(silenceOf(DEAD))
    expect(peer.frames).toEqual([])
  })

  test('rejects its queued reads, while other units are read', async () => {
    const dead = await bench.open(POWER, { unitId: DEAD })
    const alive = await bench.open(TWO, { unitId: ALIVE })
    peer.silentUnits.add(DEAD)
    const readings = [dead.read(['power']), dead.read(['power'])].map((reading) =>
      reading.catch(({ message }) => message),
    )
    expect(await alive.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
    expect(await Promise.all(readings)).toEqual([silenceOf(DEAD), silenceOf(DEAD)])
    expect(peer.frames.filter((frame) => frame.startsWith('read 3'))).toHaveLength(1)
  })

  test('is found by the first of many queued urgent reads: the others cost nothing', async () => {
    const points = Object.fromEntries(
      Array.from({ length: 50 }, (_, at) => [`p${at}`, { register: at, type: 'int16' }]),
    )
    const dead = await bench.open(points, { unitId: DEAD })
    const alive = await bench.open(TWO, { unitId: ALIVE })
    await dead.read(Object.keys(points))
    peer.silentUnits.add(DEAD)
    peer.frames.length = 0
    const readings = Object.keys(points).map((id) => dead.read([id], { urgent: true }).catch(({ message }) => message))
    expect(await alive.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
    for (const reason of await Promise.all(readings)) expect(reason).toContain('did not answer')
    expect(peer.frames.filter((frame) => frame.startsWith('read 3')).length).toBeLessThanOrEqual(6)
  })

  test('costs one full timeout for many queued writes, and little for each further one', async () => {
    const points = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`p${at}`, { register: at, type: 'int16' }]),
    )
    const dead = await bench.open(points, { unitId: DEAD })
    await dead.read(Object.keys(points))
    peer.silentUnits.add(DEAD)
    peer.wastedMs = 0
    const writes = Object.keys(points).map((id) => dead.write(id, 7).catch(({ kind }) => kind))
    expect(new Set(await Promise.all(writes))).toEqual(new Set(['offline']))
    expect(peer.wastedMs).toBeLessThan(1000 + 19 * 60)
  })

  test('can be opened, because the link is up', async () => {
    const dead = await bench.open(POWER, { unitId: DEAD })
    peer.silentUnits.add(DEAD)
    await expect(dead.read(['power'])).rejects.toThrow('did not answer')
    await dead.open(never)
    await dead.close()
    await dead.open(never)
  })

  /** Reads every 100 ms for `ms` of the clock. Returns the times at which requests arrived. */
  async function readFor(driver: Driver, ids: readonly string[], ms: number): Promise<readonly number[]> {
    const times: number[] = []
    const until = bench.clock.monotonic() + ms
    while (bench.clock.monotonic() < until) {
      const before = bench.clock.monotonic()
      peer.frames.length = 0
      await driver.read(ids).catch(() => {})
      if (peer.frames.length > 0) times.push(before)
      bench.clock.advanceNow(100)
    }
    return times
  }

  test('is probed once a second with one small read when it is alone at its address', async () => {
    const dead = await bench.open({ wide: { register: 0, type: 'uint32' }, b: TWO.b }, { unitId: DEAD })
    await dead.read(['wide', 'b'])
    peer.silentUnits.add(DEAD)
    await readFor(dead, ['wide', 'b'], 1000)
    const times = await readFor(dead, ['wide', 'b'], 20_000)
    expect(times.length).toBeGreaterThan(13)
    expect(times.length).toBeLessThan(21)
    peer.frames.length = 0
    const looks = new Set<string>()
    for (let turn = 0; turn < 40; turn += 1) {
      await dead.read(['wide', 'b']).catch(() => {})
      for (const frame of peer.frames.splice(0)) looks.add(frame)
      bench.clock.advanceNow(500)
    }
    // The range that answered last, alternating with the others.
    expect([...looks].sort()).toEqual(['read 3:0+2', 'read 3:50+1'])
  })

  test('is read and written within 1.1 s of its return after 10 s', async () => {
    const driver = await bench.open(TWO)
    await driver.read(['a', 'b'])
    peer.silentUnits.add(1)
    await readFor(driver, ['a', 'b'], 5000)
    await driver.write('a', 7).catch(() => {})
    await readFor(driver, ['a', 'b'], 5000)
    peer.silentUnits.clear()
    const from = bench.clock.monotonic()
    let readings = await driver.read(['a', 'b']).catch(() => undefined)
    while (!readings) {
      bench.clock.advanceNow(50)
      readings = await driver.read(['a', 'b']).catch(() => undefined)
    }
    expect(bench.clock.monotonic() - from).toBeLessThan(1100)
    expect(readings).toEqual([{ raw: 10 }, { raw: 50 }])
    await driver.write('a', 8)
    expect(peer.held(1, 10)).toBe(8)
  })

  test('is read completely by the call whose probe is answered', async () => {
    const driver = await bench.open(TWO)
    peer.silentUnits.add(1)
    await expect(driver.read(['a', 'b'])).rejects.toThrow('did not answer')
    bench.clock.advanceNow(1000)
    peer.silentUnits.clear()
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
  })

  test('is also one that its gateway cannot reach, until the gateway reaches it again', async () => {
    const driver = await bench.open(TWO)
    for (const register of [10, 50]) peer.refused.set(register, 11)
    await expect(driver.read(['a', 'b'])).rejects.toMatchObject({
      kind: 'offline',
      message: `unit 1 at 127.0.0.1:${bench.peer.port}: exception 11: gateway target device failed to respond`,
    })
    peer.frames.length = 0
    await expect(driver.read(['a', 'b'])).rejects.toThrow('exception 11')
    expect(peer.frames).toEqual([])
    peer.refused.clear()
    bench.clock.advanceNow(1000)
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
  })

  test('is distinguished from a silent register by a second connection to the same unit', async () => {
    const broken = await bench.open({ b: TWO.b }, { unitId: ALIVE })
    const healthy = await bench.open({ a: TWO.a }, { unitId: ALIVE })
    await healthy.read(['a'])
    peer.silent.add(50)
    for (let turn = 0; turn < 10; turn += 1) {
      await broken.read(['b']).catch(() => {})
      bench.clock.advanceNow(1000)
      // At the latest when its own probe is due.
      await healthy.read(['a']).catch(() => {})
      expect(await healthy.read(['a'])).toEqual([{ raw: 10 }])
      await healthy.write('a', 10)
    }
  })

  test('costs the other unit on its endpoint less than a tenth of its reads', async () => {
    peer.answerMs = 10
    const dead = await bench.open(TWO, { unitId: DEAD })
    const alive = await bench.open(TWO, { unitId: ALIVE })
    await dead.read(['a', 'b'])
    peer.silentUnits.add(DEAD)
    let reads = 0
    const from = bench.clock.monotonic()
    while (bench.clock.monotonic() - from < 120_000) {
      const ofDead = dead.read(['a', 'b']).catch(() => {})
      expect(await alive.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
      await ofDead
      reads += 1
    }
    expect((reads * 20) / (bench.clock.monotonic() - from)).toBeGreaterThan(0.9)
  })
})

describe('one silent unit among thirty', () => {
  /** Reads all units as often as possible for `durationMs` of the clock; each takes `answerMs` to answer. */
  async function run(units: readonly number[], deadUnit: number | undefined, answerMs: number, durationMs: number) {
    const drivers = new Map<number, Driver>()
    for (const unitId of units) drivers.set(unitId, await bench.open(POWER, { unitId }))
    const seen = { living: 0, askedOfDead: 0, blockedMs: 0, backAfterMs: Number.NaN }
    let dead = deadUnit

    bench.peer.serve((request) => {
      const before = bench.clock.monotonic()
      if (request.unitId === dead) {
        letItGiveUp()
        seen.askedOfDead += 1
        seen.blockedMs += bench.clock.monotonic() - before
      } else {
        bench.clock.advanceNow(answerMs)
        request.answerRegisters(request.unitId)
      }
    })

    const readOne = async (unitId: number, driver: Driver) => {
      // The edge does the same after a failure.
      await driver.open(never)
      expect(await driver.read(['power'])).toEqual([{ raw: unitId }])
      if (unitId !== deadUnit) seen.living += 1
    }
    const round = () =>
      Promise.all([...drivers].map(([unitId, driver]) => readOne(unitId, driver).catch((error) => error)))

    const startedAt = bench.clock.monotonic()
    while (bench.clock.monotonic() - startedAt < durationMs) {
      const failures = (await round()).filter((failure) => failure !== undefined)
      expect(failures).toHaveLength(deadUnit === undefined ? 0 : 1)
    }
    const rate = seen.living / (bench.clock.monotonic() - startedAt)

    const revivedAt = bench.clock.monotonic()
    dead = undefined
    while ((await round()).some((failure) => failure !== undefined)) {}
    seen.backAfterMs = bench.clock.monotonic() - revivedAt
    for (const driver of drivers.values()) await driver.close()
    return { ...seen, rate }
  }

  const OTHERS = Array.from({ length: 29 }, (_, index) => index + 1)
  const SILENT = 30

  test.each([
    { what: 'on a fast network', answerMs: 20, minutes: 2, soonMs: 10_000 },
    { what: 'behind a serial gateway', answerMs: 100, minutes: 10, soonMs: 20_000 },
  ])(
    'costs the others less than 7 % of their rate, and is found again quickly: $what',
    {
      timeout: 120_000,
    },
    async ({ answerMs, minutes, soonMs }) => {
      const durationMs = minutes * 60_000
      const without = await run(OTHERS, undefined, answerMs, durationMs)
      const withSilent = await run([...OTHERS, SILENT], SILENT, answerMs, durationMs)
      expect(without.rate).toBeCloseTo(1 / answerMs, 6)
      expect(withSilent.rate / without.rate).toBeGreaterThan(0.93)
      expect(withSilent.backAfterMs).toBeLessThan(soonMs)
    },
  )
})
