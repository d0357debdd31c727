import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import type { DriverRig } from './driver-rig.ts'
import { failureOf } from './failure-of.ts'

const REJECTED = failureOf('rejected')
const CONFLICT = failureOf('conflict')

/** What every driver promises about writing exactly what is meant, and only while it is wanted. */
export function describeExactWrites(open: () => Promise<DriverRig>): void {
  describe('restoring', () => {
    test('writes back exactly what was read, where no raw value can say it', async ({ skip }) => {
      const { driver, points, setExact, at } = await open()
      if (!setExact) return skip()
      const [a] = points
      const isHeld = await setExact(a)
      const before = await eventually(async () => {
        const [reading] = await driver.read([a], { urgent: true })
        return reading?.image === undefined ? expect.fail('no image') : { ...reading, image: reading.image }
      })
      await driver.write(a, driver.nearest(a, 8))
      await eventually(async () => expect(await at(a)).toBe(driver.nearest(a, 8)))
      expect(await isHeld()).toBe(false)
      await driver.write(a, { image: before.image }, { release: true })
      await eventually(async () => expect(await isHeld()).toBe(true))
      await eventually(async () => expect(await driver.read([a], { urgent: true })).toEqual([before]))
    })

    test('needs no image for an ordinary number', async () => {
      const { driver, points } = await open()
      for (const reading of await driver.read(points, { urgent: true })) expect(reading).not.toHaveProperty('image')
    })

    test.each(['', 'nonsense', '{}', '[]', 'null', '\u0000'.repeat(100_000)])(
      'refuses an image that no reading gave, and writes nothing: %#',
      async (image) => {
        const { driver, points, at } = await open()
        const [a, b] = points
        await expect(driver.write(a, { image })).rejects.toThrow(REJECTED)
        await driver.write(b, driver.nearest(b, 8))
        await eventually(async () => expect(await at(b)).toBe(driver.nearest(b, 8)))
        expect(await at(a)).toBe(11)
      },
    )
  })

  describe('a point that is commissioned as WRITE', () => {
    test('is read where its address can be', async ({ skip }) => {
      const { driver, points, writeOnly, set } = await open()
      if (writeOnly === undefined) return skip()
      await set(writeOnly, 7)
      await eventually(async () => expect(await driver.read([writeOnly], { urgent: true })).toEqual([{ raw: 7 }]))
      expect(await driver.read([points[0], writeOnly])).toEqual([{ raw: 11 }, { raw: 7 }])
    })
  })

  describe('a number beyond 2^53', () => {
    test('is refused where its digits are not known, and written where they are', async ({ skip }) => {
      const { driver, wholeNumbers, at } = await open()
      if (wholeNumbers === undefined) return skip()
      for (const raw of [2 ** 53, -(2 ** 53), 2 ** 60]) {
        expect(() => driver.nearest(wholeNumbers, raw)).toThrow(REJECTED)
        expect(() => driver.nearest(wholeNumbers, raw)).toThrow('2^53')
      }
      expect(driver.nearest(wholeNumbers, 2 ** 53 - 1)).toSatisfy((raw) => BigInt(raw) === 2n ** 53n - 1n)
      await driver.write(wholeNumbers, 9_007_199_254_740_993n)
      await eventually(async () => expect(await at(wholeNumbers)).toBe(9_007_199_254_740_993n))
      expect(await driver.read([wholeNumbers], { urgent: true })).toEqual([{ raw: 9_007_199_254_740_993n }])
    })
  })

  describe('a value that is no longer wanted', () => {
    test('is not sent', async () => {
      const { driver, points, at } = await open()
      const [a, b] = points
      for (const release of [false, true]) {
        const options = { release, stillWanted: () => false }
        await expect(driver.write(a, driver.nearest(a, 7), options)).rejects.toThrow(CONFLICT)
      }
      await driver.write(b, driver.nearest(b, 8), { stillWanted: () => true })
      await eventually(async () => expect(await at(b)).toBe(driver.nearest(b, 8)))
      expect(await at(a)).toBe(11)
    })

    test('costs nothing: the next one is written, and the link stands', async () => {
      const { driver, points, at, told } = await open()
      const [a] = points
      await expect(driver.write(a, driver.nearest(a, 7), { stillWanted: () => false })).rejects.toThrow(CONFLICT)
      await driver.write(a, driver.nearest(a, 8))
      await eventually(async () => expect(await at(a)).toBe(driver.nearest(a, 8)))
      expect(told).toMatchObject({ timeouts: 0, exceptions: 0, losses: [] })
    })

    test('is asked about when its turn has come, not before', async ({ skip }) => {
      const { driver, points, holdBack, at } = await open()
      if (!holdBack) return skip()
      const [a, b] = points
      const { letGo } = await holdBack()
      let wanted = true
      const first = driver.read([a], { urgent: true })
      const writing = expect(driver.write(b, driver.nearest(b, 8), { stillWanted: () => wanted })).rejects.toThrow(
        CONFLICT,
      )
      wanted = false
      letGo()
      await first
      await writing
      expect(await at(b)).toBe(22)
    })
  })

  describe('a release', () => {
    test('overtakes the setpoints that wait', async ({ skip }) => {
      const { driver, points, holdBack } = await open()
      if (!holdBack) return skip()
      const [a, b] = points
      const { letGo, written } = await holdBack()
      const first = driver.read([a], { urgent: true })
      const writes = [
        driver.write(a, driver.nearest(a, 7)),
        driver.write(a, driver.nearest(a, 8)),
        driver.write(b, driver.nearest(b, 7), { release: true }),
      ]
      letGo()
      await first
      await Promise.all(writes)
      expect(written()).toEqual([b, a, a])
    })
  })
}
