import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver } from '../driver.ts'
import { type Bench, never, startBench } from './testing/bench.ts'
import type { Question } from './testing/scripted-peer.ts'

let bench: Bench
beforeEach(async () => {
  bench = await startBench()
})
afterEach(() => bench.stop())

const POWER = { power: { register: 100, type: 'int16' } }
const TWO = { a: { register: 10, type: 'uint16' }, b: { register: 50, type: 'uint16' } }

const DEAD = 3
const ALIVE = 4

/** Waits as long for the question as the driver does. */
const letItGiveUp = () => bench.clock.advanceNow(bench.clock.waiting()[0] ?? 0)

describe('a silent unit', () => {
  test('keeps the others waiting once, and what is asked of it then is answered at once', async () => {
    const dead = await bench.open(POWER, { unitId: DEAD })
    const alive = await bench.open(TWO, { unitId: ALIVE })
    let askedOfDead = 0
    const reading = dead.read(['power'])
    await bench.peer.next()
    const waiting = [alive.read(['a', 'b']), dead.read(['power'])]
    bench.peer.serve((question) => {
      if (question.unitId === DEAD) askedOfDead += 1
      else question.answerRegisters(question.address)
    })
    bench.clock.advanceNow(1000)
    const silence = `unit 3 at 127.0.0.1:${bench.peer.port} did not answer within 1000 ms`
    await expect(reading).rejects.toThrow(silence)
    await expect(waiting[1]).rejects.toThrow(silence)
    expect(await waiting[0]).toEqual([{ raw: 10 }, { raw: 50 }])
    await expect(dead.read(['power'])).rejects.toThrow(silence)
    await expect(dead.write('power', 1)).rejects.toThrow(silence)
    expect(askedOfDead).toBe(0)
  })

  test('is not opened while it is left alone', async () => {
    await bench.open(TWO, { unitId: ALIVE })
    const dead = await bench.open(POWER, { unitId: DEAD })
    const reading = dead.read(['power'])
    await bench.peer.next()
    bench.clock.advanceNow(1000)
    await expect(reading).rejects.toThrow('did not answer')
    await dead.close()
    await expect(dead.open(never)).rejects.toThrow('did not answer')
    bench.clock.advanceNow(1000)
    await dead.open(never)
  })

  test('that is alone at its address is asked every second, in the usual way', async () => {
    const dead = await bench.open(POWER, { unitId: DEAD })
    for (let turn = 0; turn < 10; turn += 1) {
      const reading = dead.read(['power'])
      await bench.peer.next()
      bench.clock.advanceNow(1000)
      await expect(reading).rejects.toThrow('did not answer within 1000 ms')
      bench.clock.advanceNow(999)
      await expect(dead.read(['power'])).rejects.toThrow('did not answer within 1000 ms')
      bench.clock.advanceNow(1)
    }
    const answered = dead.read(['power'])
    ;(await bench.peer.next()).answerRegisters(7)
    expect(await answered).toEqual([{ raw: 7 }])
  })

  /** A unit that missed a question while another answers, and may be asked again. */
  async function silentAmongOthers(points: Parameters<Bench['open']>[0]): Promise<Driver> {
    const alive = await bench.open(POWER, { unitId: ALIVE })
    const answered = alive.read(['power'])
    ;(await bench.peer.next()).answerRegisters(1)
    await answered
    const dead = await bench.open(points, { unitId: DEAD })
    const reading = dead.read(Object.keys(points))
    reading.catch(() => {})
    await bench.peer.next()
    letItGiveUp()
    await expect(reading).rejects.toThrow('did not answer')
    bench.clock.advanceNow(1000)
    return dead
  }

  const asked = ({ functionCode, address, count }: Question) => ({ functionCode, address, count })

  test('among others is asked for one register first, and for everything when it gave that', async () => {
    const dead = await silentAmongOthers({
      a: { register: 10, type: 'uint16' },
      b: { register: 11, type: 'uint16' },
    })
    const reading = dead.read(['a', 'b'])
    const probe = await bench.peer.next()
    expect(asked(probe)).toEqual({ functionCode: 3, address: 10, count: 1 })
    probe.answerRegisters(666)
    const question = await bench.peer.next()
    expect(asked(question)).toEqual({ functionCode: 3, address: 10, count: 2 })
    question.answerRegisters(1, 2)
    expect(await reading).toEqual([{ raw: 1 }, { raw: 2 }])
  })

  test('among others is asked to give a sign of life before anything is written', async () => {
    const dead = await silentAmongOthers(POWER)
    const writing = dead.write('power', 7)
    const probe = await bench.peer.next()
    expect(asked(probe)).toEqual({ functionCode: 3, address: 100, count: 1 })
    // Any word will do: it is there.
    probe.answer([0x83, 2])
    const question = await bench.peer.next()
    expect(asked(question)).toEqual({ functionCode: 6, address: 100, count: 7 })
    question.answer([6, ...question.body.subarray(0, 4)])
    await writing
  })

  test('that gives no sign of life gets no question, and nothing is written', async () => {
    const dead = await silentAmongOthers({ ...POWER, relay: { register: 7, table: 'coil' } })
    const writing = dead.write('relay', 1)
    writing.catch(() => {})
    expect(asked(await bench.peer.next())).toEqual({ functionCode: 1, address: 7, count: 1 })
    letItGiveUp()
    await expect(writing).rejects.toMatchObject({ kind: 'offline', message: expect.stringContaining('within 50 ms') })
    await bench.peer.deserted()
  })

  test('that its gateway cannot reach is asked no more for a while', async () => {
    const driver = await bench.open(TWO)
    let count = 0
    bench.peer.serve((question) => {
      count += 1
      question.answer([0x83, 11])
    })
    const error = 'exception 11: gateway target device failed to respond'
    expect(await driver.read(['a', 'b'])).toEqual([{ error }, { error }])
    expect(count).toBe(1)
    bench.serveCountingRegisters()
    bench.clock.advanceNow(1000)
    expect(await driver.read(['a', 'b'])).toEqual([{ raw: 10 }, { raw: 50 }])
  })
})

describe('one silent unit among thirty', () => {
  /** Each unit takes `answerMs` for an answer; all are read as often as can be, for `durationMs` of the clock. */
  async function run(units: readonly number[], deadUnit: number | undefined, answerMs: number, durationMs: number) {
    const drivers = new Map<number, Driver>()
    for (const unitId of units) drivers.set(unitId, await bench.open(POWER, { unitId }))
    const seen = { living: 0, askedOfDead: 0, blockedMs: 0, backAfterMs: Number.NaN }
    let dead = deadUnit

    bench.peer.serve((question) => {
      const before = bench.clock.monotonic()
      if (question.unitId === dead) {
        letItGiveUp()
        seen.askedOfDead += 1
        seen.blockedMs += bench.clock.monotonic() - before
      } else {
        bench.clock.advanceNow(answerMs)
        question.answerRegisters(question.unitId)
      }
    })

    const readOne = async (unitId: number, driver: Driver) => {
      // As its user does: what was lost is opened again.
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
    'costs the others less than 5 % of their rate, and is soon found again: $what',
    {
      timeout: 120_000,
    },
    async ({ answerMs, minutes, soonMs }) => {
      const durationMs = minutes * 60_000
      const without = await run(OTHERS, undefined, answerMs, durationMs)
      const withSilent = await run([...OTHERS, SILENT], SILENT, answerMs, durationMs)
      expect(without.rate).toBeCloseTo(1 / answerMs, 6)
      expect(withSilent.rate / without.rate).toBeGreaterThan(0.95)
      expect(withSilent.backAfterMs).toBeLessThan(soonMs)
    },
  )
})
