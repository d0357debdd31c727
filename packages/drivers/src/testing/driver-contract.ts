import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { type DriverRig, expectReadings, ONE_LINE, openRig, REJECTED, startRig } from './driver-rig.ts'
import { describeExactWrites } from './exact-writes-contract.ts'
import { describeLink } from './link-contract.ts'
import { describeRelinquish } from './relinquish-contract.ts'
import { describeTargets } from './targets-contract.ts'

/** The tests that every driver passes, whatever its protocol. */
export function describeDriver(name: string, make: () => Promise<DriverRig>): void {
  const start = () => startRig(make)
  const open = () => openRig(make)

  describe(`a driver: ${name}`, () => {
    describeTargets(async () => (await start()).targets)
    describeReads(open)
    describeWrites(open)
    describeExactWrites(open)
    describeRelinquish(start, open)
    describeLink(start, open)
  })
}

function describeReads(open: () => Promise<DriverRig>): void {
  describe('a read', () => {
    test('returns one reading per point, in the requested order, and the same again', async () => {
      const { driver, points } = await open()
      const [a, b] = points
      const asked = [b, a, b]
      const first = await driver.read(asked)
      expect(first).toEqual([{ raw: 22 }, { raw: 11 }, { raw: 22 }])
      expect(await driver.read(asked)).toEqual(first)
      expect(await driver.read([])).toEqual([])
    })

    test('shows a value that changed at the equipment', async () => {
      const rig = await open()
      await rig.set(rig.points[1], 8)
      await expectReadings(rig, { raw: 11 }, { raw: 8 })
      expect(await rig.at(rig.points[1])).toBe(8)
    })

    test('returns the same values when it is urgent', async () => {
      const { driver, points } = await open()
      expect(await driver.read(points, { urgent: true })).toEqual([{ raw: 11 }, { raw: 22 }])
    })

    test('returns its own values when many reads run at once', async () => {
      const { driver, points } = await open()
      const [a, b] = points
      const all = await Promise.all(
        Array.from({ length: 50 }, (_, index) => driver.read([index % 2 ? a : b], { urgent: index % 3 === 0 })),
      )
      expect(all).toEqual(Array.from({ length: 50 }, (_, index) => [{ raw: index % 2 ? 11 : 22 }]))
    })

    test('reports an error for a point that the equipment does not have, and reads the others', async ({ skip }) => {
      const { driver, points, missing } = await open()
      if (missing === undefined) return skip()
      const [a, b] = points
      for (let turn = 0; turn < 3; turn += 1) {
        const [first, absent, last] = await driver.read([a, missing, b])
        expect([first, last]).toEqual([{ raw: 11 }, { raw: 22 }])
        expect(absent).toEqual({ error: expect.stringMatching(ONE_LINE) })
      }
    })

    test('reports an error for a point that was never commissioned, and reads the others', async () => {
      const { driver, points } = await open()
      const [a, b] = points
      const readings = await driver.read([a, 'stranger', b])
      expect(readings).toEqual([{ raw: 11 }, { error: expect.stringContaining('stranger') }, { raw: 22 }])
    })
  })
}

function describeWrites(open: () => Promise<DriverRig>): void {
  /** Waits for a later write: an earlier one would have arrived before it. */
  async function expectNothingElseWritten({ driver, points, at }: DriverRig): Promise<void> {
    const [a, b] = points
    await driver.write(b, driver.nearest(b, 8))
    await eventually(async () => expect(await at(b)).toBe(driver.nearest(b, 8)))
    expect(await at(a)).toBe(11)
  }

  describe('a write', () => {
    test('reaches the equipment, and the nearest value reads back', async () => {
      const rig = await open()
      const { driver, at } = rig
      const [a, b] = rig.points
      const nearest = driver.nearest(a, 7.4)
      await driver.write(a, nearest)
      await eventually(async () => expect(await at(a)).toBe(nearest))
      expect(await driver.read([a], { urgent: true })).toEqual([{ raw: nearest }])
      expect(await at(b)).toBe(22)
      await expectReadings(rig, { raw: nearest }, { raw: 22 })
    })

    test('replaces the one before, even after a repeated value', async () => {
      const rig = await open()
      const [a] = rig.points
      for (const raw of [7, 7, 8]) await rig.driver.write(a, rig.driver.nearest(a, raw))
      await eventually(async () => expect(await rig.at(a)).toBe(rig.driver.nearest(a, 8)))
      expect(await rig.driver.read([a], { urgent: true })).toEqual([{ raw: rig.driver.nearest(a, 8) }])
    })

    test.each([false, true])('is followed by no reading of an older state, urgent or not: %s', async (urgent) => {
      const { driver, points, mute } = await open()
      const [a, b] = points
      const endWait = await mute?.()
      for (const raw of [7, 8]) {
        const written = driver.nearest(a, raw)
        await driver.write(a, written)
        const waiting = driver.read([a, b], { urgent })
        endWait?.()
        const [reading, other] = await waiting
        // Equipment that announces its state has not done so: then the state is unknown.
        expect(reading).toEqual(mute && 'error' in (reading ?? {}) ? { error: expect.anything() } : { raw: written })
        expect(other).toEqual({ raw: 22 })
      }
    })

    test.each([false, true])(
      'of the value that is already there keeps it readable, urgent or not: %s',
      async (urgent) => {
        const { driver, points, mute } = await open()
        const [a] = points
        const endWait = await mute?.()
        for (let turn = 0; turn < 2; turn += 1) {
          await driver.write(a, driver.nearest(a, 11))
          const waiting = driver.read([a], { urgent })
          endWait?.()
          expect(await waiting).toEqual([{ raw: 11 }])
        }
      },
    )

    test('keeps its place when many are issued at once', async () => {
      const { driver, points, at } = await open()
      const values = [7, 8, 11, 22, 8, 7]
      await Promise.all(values.flatMap((raw) => points.map((id) => driver.write(id, driver.nearest(id, raw)))))
      for (const id of points) await eventually(async () => expect(await at(id)).toBe(driver.nearest(id, 7)))
    })

    test('to a read-only point is rejected', async () => {
      const rig = await open()
      const before = await rig.at(rig.readOnly)
      expect(() => rig.driver.nearest(rig.readOnly, 7)).toThrow(REJECTED)
      await expect(rig.driver.write(rig.readOnly, 7)).rejects.toThrow(REJECTED)
      await expectNothingElseWritten(rig)
      expect(await rig.at(rig.readOnly)).toBe(before)
    })

    test('to a point that was never commissioned is rejected', async () => {
      const rig = await open()
      expect(() => rig.driver.nearest('stranger', 7)).toThrow(REJECTED)
      await expect(rig.driver.write('stranger', 7)).rejects.toThrow(REJECTED)
      await expectNothingElseWritten(rig)
    })

    test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
      'of %d is rejected with that value in the message, and sends nothing',
      async (raw) => {
        const rig = await open()
        const [a] = rig.points
        expect(() => rig.driver.nearest(a, raw)).toThrow(String(raw))
        expect(() => rig.driver.nearest(a, raw)).toThrow(REJECTED)
        await expect(rig.driver.write(a, raw)).rejects.toThrow(REJECTED)
        await expectNothingElseWritten(rig)
        expect(await rig.driver.read([a])).toEqual([{ raw: 11 }])
      },
    )
  })
}
