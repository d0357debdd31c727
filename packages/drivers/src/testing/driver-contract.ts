import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Reading } from '../driver.ts'
import type { DriverRig } from './driver-rig.ts'
import { describeExactWrites } from './exact-writes-contract.ts'
import { failureOf, ONE_LINE } from './failure-of.ts'
import { describeTargets } from './targets-contract.ts'

export type { DriverRig }

const never = new AbortController().signal

/** The promises of every driver, whatever protocol it speaks. */
export function describeDriver(name: string, make: () => Promise<DriverRig>): void {
  async function start(): Promise<DriverRig> {
    const rig = await make()
    onTestFinished(async () => {
      await rig.driver.close()
      await rig.close()
    })
    const [a, b] = rig.points
    await rig.set(a, 11)
    await rig.set(b, 22)
    return rig
  }

  /** An open driver that has read both points: equipment may publish its state a moment after the link stands. */
  async function open(): Promise<DriverRig> {
    const rig = await start()
    await rig.driver.open(never)
    await reads(rig, { raw: 11 }, { raw: 22 })
    // A driver may have had to learn how the equipment wants to be asked.
    rig.told.exceptions = 0
    return rig
  }

  const reads = ({ driver, points }: DriverRig, ...readings: Reading[]) =>
    eventually(async () => expect(await driver.read(points)).toEqual(readings))

  /** Opens again and again, as the connection above does, until a read succeeds. */
  const returns = ({ driver, points }: DriverRig) =>
    eventually(async () => {
      await driver.open(never)
      const readings = await driver.read(points)
      expect(readings.every((reading) => 'raw' in reading)).toBe(true)
      return readings
    })

  describe(`a driver: ${name}`, () => {
    describeTargets(async () => (await start()).targets)

    describe('reading', () => {
      test('gives one reading per point, in the order asked, and twice the same', async () => {
        const { driver, points } = await open()
        const [a, b] = points
        const asked = [b, a, b]
        const first = await driver.read(asked)
        expect(first).toEqual([{ raw: 22 }, { raw: 11 }, { raw: 22 }])
        expect(await driver.read(asked)).toEqual(first)
        expect(await driver.read([])).toEqual([])
      })

      test('shows what has changed at the equipment', async () => {
        const rig = await open()
        await rig.set(rig.points[1], 8)
        await reads(rig, { raw: 11 }, { raw: 8 })
      })

      test('gives the same when it is urgent', async () => {
        const { driver, points } = await open()
        expect(await driver.read(points, { urgent: true })).toEqual([{ raw: 11 }, { raw: 22 }])
      })

      test('of many at once gives each its own', async () => {
        const { driver, points } = await open()
        const [a, b] = points
        const all = await Promise.all(
          Array.from({ length: 50 }, (_, index) => driver.read([index % 2 ? a : b], { urgent: index % 3 === 0 })),
        )
        expect(all).toEqual(Array.from({ length: 50 }, (_, index) => [{ raw: index % 2 ? 11 : 22 }]))
      })

      test('calls a point that the equipment does not have an error, and harms no other', async ({ skip }) => {
        const { driver, points, missing } = await open()
        if (missing === undefined) return skip()
        const [a, b] = points
        for (let turn = 0; turn < 3; turn += 1) {
          const [first, absent, last] = await driver.read([a, missing, b])
          expect([first, last]).toEqual([{ raw: 11 }, { raw: 22 }])
          expect(absent).toEqual({ error: expect.stringMatching(ONE_LINE) })
        }
      })

      test('calls a point that was never commissioned an error, and harms no other', async () => {
        const { driver, points } = await open()
        const [a, b] = points
        const readings = await driver.read([a, 'stranger', b])
        expect(readings).toEqual([{ raw: 11 }, { error: expect.stringContaining('stranger') }, { raw: 22 }])
      })
    })

    describe('writing', () => {
      test('reaches the equipment, and what is nearest to it reads back', async () => {
        const rig = await open()
        const { driver, at } = rig
        const [a, b] = rig.points
        const nearest = driver.nearest(a, 7.4)
        await driver.write(a, nearest)
        await eventually(async () => expect(await at(a)).toBe(nearest))
        expect(await driver.read([a], { urgent: true })).toEqual([{ raw: nearest }])
        expect(await at(b)).toBe(22)
        await reads(rig, { raw: nearest }, { raw: 22 })
      })

      test('the same twice, and then another, ends with the last', async () => {
        const rig = await open()
        const [a] = rig.points
        for (const raw of [7, 7, 8]) await rig.driver.write(a, rig.driver.nearest(a, raw))
        await eventually(async () => expect(await rig.at(a)).toBe(rig.driver.nearest(a, 8)))
        expect(await rig.driver.read([a], { urgent: true })).toEqual([{ raw: rig.driver.nearest(a, 8) }])
      })

      test('many at once keeps them in order', async () => {
        const { driver, points, at } = await open()
        const values = [7, 8, 11, 22, 8, 7]
        await Promise.all(values.flatMap((raw) => points.map((id) => driver.write(id, driver.nearest(id, raw)))))
        for (const id of points) await eventually(async () => expect(await at(id)).toBe(driver.nearest(id, 7)))
      })

      /** Waits for a later write: if the earlier one had been sent, it would have arrived first. */
      async function nothingElseWasWritten({ driver, points, at }: DriverRig): Promise<void> {
        const [a, b] = points
        await driver.write(b, driver.nearest(b, 8))
        await eventually(async () => expect(await at(b)).toBe(driver.nearest(b, 8)))
        expect(await at(a)).toBe(11)
      }

      test('what can only be read is refused', async () => {
        const rig = await open()
        const before = await rig.at(rig.readOnly)
        expect(() => rig.driver.nearest(rig.readOnly, 7)).toThrow(REJECTED)
        await expect(rig.driver.write(rig.readOnly, 7)).rejects.toThrow(REJECTED)
        await nothingElseWasWritten(rig)
        expect(await rig.at(rig.readOnly)).toBe(before)
      })

      test('what was never commissioned is refused', async () => {
        const rig = await open()
        expect(() => rig.driver.nearest('stranger', 7)).toThrow(REJECTED)
        await expect(rig.driver.write('stranger', 7)).rejects.toThrow(REJECTED)
        await nothingElseWasWritten(rig)
      })

      test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
        '%d, which fits nothing, is refused and named, and nothing is written',
        async (raw) => {
          const rig = await open()
          const [a] = rig.points
          expect(() => rig.driver.nearest(a, raw)).toThrow(String(raw))
          expect(() => rig.driver.nearest(a, raw)).toThrow(REJECTED)
          await expect(rig.driver.write(a, raw)).rejects.toThrow(REJECTED)
          await nothingElseWasWritten(rig)
          expect(await rig.driver.read([a])).toEqual([{ raw: 11 }])
        },
      )
    })

    describeExactWrites(open)

    describe.each(['silence', 'drop'] as const)('a link that is lost by %s', (loss) => {
      test('rejects the read, and stands again after it was opened again', async () => {
        const rig = await open()
        await rig[loss]()
        await eventually(() => expect(rig.driver.read(rig.points)).rejects.toThrow(OFFLINE))
        await rig.heal()
        expect(await returns(rig)).toEqual([{ raw: 11 }, { raw: 22 }])
      })

      test('rejects the urgent read too', async () => {
        const rig = await open()
        await rig[loss]()
        await eventually(() => expect(rig.driver.read(rig.points, { urgent: true })).rejects.toThrow(OFFLINE))
      })

      test('calls a write offline, and takes the next one after it was opened again', async () => {
        const rig = await open()
        const [a] = rig.points
        await rig[loss]()
        await expect(rig.driver.write(a, rig.driver.nearest(a, 7))).rejects.toThrow(OFFLINE)
        await rig.heal()
        await returns(rig)
        await rig.driver.write(a, rig.driver.nearest(a, 8))
        await eventually(async () => expect(await rig.at(a)).toBe(rig.driver.nearest(a, 8)))
      })

      test('comes back each time that it is lost', async () => {
        const rig = await open()
        for (let turn = 0; turn < 3; turn += 1) {
          await rig[loss]()
          await eventually(() => expect(rig.driver.read(rig.points)).rejects.toThrow(OFFLINE))
          await rig.heal()
          await returns(rig)
        }
        if (rig.links) expect(rig.links()).toBeLessThanOrEqual(1)
      })

      test('can be closed, and opened when it is there again', async () => {
        const rig = await open()
        await rig[loss]()
        await rig.driver.close()
        await rig.heal()
        expect(await returns(rig)).toEqual([{ raw: 11 }, { raw: 22 }])
      })
    })

    describe('telling', () => {
      test('nothing while all is well', async () => {
        const { driver, points, told } = await open()
        const [a] = points
        await driver.write(a, driver.nearest(a, 7))
        await driver.read(points, { urgent: true })
        expect(told).toMatchObject({ timeouts: 0, exceptions: 0, losses: [] })
      })

      test('each question that has no answer in its time', async () => {
        const rig = await open()
        const [a] = rig.points
        await rig.silence()
        await expect(rig.driver.write(a, rig.driver.nearest(a, 7))).rejects.toThrow(OFFLINE)
        expect(rig.told).toMatchObject({ timeouts: 1, exceptions: 0 })
      })

      test('a link that was dropped while nobody asked', async ({ skip }) => {
        const rig = await open()
        if (!rig.hasLink) return skip()
        await rig.drop()
        await eventually(() => expect(rig.told.losses).toEqual([expect.stringMatching(ONE_LINE)]))
        expect(rig.told).toMatchObject({ timeouts: 0, exceptions: 0 })
        await rig.heal()
        await returns(rig)
        await rig.drop()
        await eventually(() => expect(rig.told.losses).toHaveLength(2))
      })

      test('nothing of a link that its user closes, also in the middle of what has no answer', async () => {
        const rig = await open()
        await rig.driver.close()
        await rig.driver.open(never)
        await rig.silence()
        const reading = rig.driver.read(rig.points, { urgent: true }).catch(() => {})
        await rig.driver.close()
        await reading
        expect(rig.told.losses).toEqual([])
      })
    })

    describe('opening and closing', () => {
      test('nothing is read or written before it is open', async () => {
        const { driver, points, at } = await start()
        await expect(driver.read(points)).rejects.toThrow(OFFLINE)
        await expect(driver.write(points[0], driver.nearest(points[0], 7))).rejects.toThrow(OFFLINE)
        expect(await at(points[0])).toBe(11)
      })

      test('nor after it was closed, which can be done twice; and it can be opened again', async () => {
        const rig = await open()
        const { driver, points } = rig
        await driver.close()
        await driver.close()
        await expect(driver.read(points)).rejects.toThrow(OFFLINE)
        await expect(driver.write(points[0], driver.nearest(points[0], 7))).rejects.toThrow(OFFLINE)
        await nothingStands(rig)
        await driver.open(never)
        await reads(rig, { raw: 11 }, { raw: 22 })
      })

      test('closing what was never open does nothing', async () => {
        const { driver } = await start()
        await driver.close()
      })

      test('opening what is open changes nothing', async () => {
        const rig = await open()
        await rig.driver.open(never)
        await reads(rig, { raw: 11 }, { raw: 22 })
        if (rig.links) expect(rig.links()).toBe(1)
      })

      test('an opening that was called off before it began is rejected, and leaves nothing open', async () => {
        const rig = await start()
        await expect(rig.driver.open(AbortSignal.abort())).rejects.toThrow(OFFLINE)
        await expect(rig.driver.read(rig.points)).rejects.toThrow(OFFLINE)
        await nothingStands(rig)
        expect(await returns(rig)).toEqual([{ raw: 11 }, { raw: 22 }])
      })

      test('an opening that is called off while it is under way is rejected, and leaves nothing open', async () => {
        const rig = await start()
        const abort = new AbortController()
        const opening = rig.driver.open(abort.signal)
        abort.abort()
        await expect(opening).rejects.toThrow(OFFLINE)
        await expect(rig.driver.read(rig.points)).rejects.toThrow(OFFLINE)
        await nothingStands(rig)
        expect(await returns(rig)).toEqual([{ raw: 11 }, { raw: 22 }])
      })

      test('closing ends the opening that is under way, and leaves nothing open', async () => {
        const rig = await start()
        const isOver = watched(rig.driver.open(never))
        await rig.driver.close()
        await aFewTurns()
        expect(isOver()).toBe(true)
        await expect(rig.driver.read(rig.points)).rejects.toThrow(OFFLINE)
        await nothingStands(rig)
      })

      test('closing ends what is read and written, though nobody answers', async () => {
        const rig = await open()
        const [a] = rig.points
        await rig.silence()
        const under = [
          rig.driver.read(rig.points),
          rig.driver.read(rig.points, { urgent: true }),
          rig.driver.write(a, rig.driver.nearest(a, 7)),
        ].map(watched)
        await aFewTurns()
        await rig.driver.close()
        await aFewTurns()
        expect(under.map((isOver) => isOver())).toEqual([true, true, true])
      })

      const nothingStands = ({ links }: DriverRig) => eventually(() => expect(links?.() ?? 0).toBe(0))
    })
  })
}

const REJECTED = failureOf('rejected')
const OFFLINE = failureOf('offline')

function watched(work: Promise<unknown>): () => boolean {
  let over = false
  const end = () => {
    over = true
  }
  work.then(end, end)
  return () => over
}

/** Lets pending work finish without any time passing. */
async function aFewTurns(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}
