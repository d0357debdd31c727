import { describe, expect, test } from 'vitest'
import { CONFLICT, type DriverRig, OFFLINE, REJECTED } from './driver-rig.ts'

type Make = () => Promise<DriverRig>

/** The tests for drivers that can withdraw a value; skipped for the others. */
export function describeRelinquish(start: Make, open: Make): void {
  describe('relinquishing', () => {
    test('withdraws our value, so that the point falls back, and can be repeated', async ({ skip }) => {
      const { driver, points, at, fallback } = await open()
      if (!driver.relinquish) return skip()
      const [a, b] = points
      await driver.write(a, driver.nearest(a, 7))
      for (let turn = 0; turn < 2; turn += 1) {
        expect(await driver.relinquish(a)).toBe(true)
        expect([await at(a), await at(b)]).toEqual([fallback, 22])
      }
      expect(await driver.read([a], { urgent: true })).toEqual([{ raw: fallback }])
    })

    test('sends nothing once it is no longer wanted', async ({ skip }) => {
      const { driver, points, at } = await open()
      if (!driver.relinquish) return skip()
      const [a] = points
      await driver.write(a, driver.nearest(a, 7))
      await expect(driver.relinquish(a, { stillWanted: () => false })).rejects.toThrow(CONFLICT)
      expect(await at(a)).toBe(driver.nearest(a, 7))
    })

    test('rejects a point that is read-only or was never commissioned', async ({ skip }) => {
      const { driver, readOnly } = await open()
      if (!driver.relinquish) return skip()
      await expect(driver.relinquish(readOnly)).rejects.toThrow(REJECTED)
      await expect(driver.relinquish('stranger')).rejects.toThrow(REJECTED)
    })

    test('rejects as offline before the link is open and after it is lost', async ({ skip }) => {
      const closed = await start()
      if (!closed.driver.relinquish) return skip()
      await expect(closed.driver.relinquish(closed.points[0])).rejects.toThrow(OFFLINE)
      const lost = await open()
      await lost.drop()
      await expect(lost.driver.relinquish?.(lost.points[0])).rejects.toThrow(OFFLINE)
    })

    test('overtakes setpoints, and is not undone by one that it overtook', async ({ skip }) => {
      const { driver, points, stall, at, fallback } = await open()
      if (!driver.relinquish || !stall) return skip()
      const [a, b] = points
      const { resume } = await stall()
      const first = driver.read([a], { urgent: true })
      const writes = [driver.write(b, driver.nearest(b, 7)), driver.write(a, driver.nearest(a, 7))]
      const released = driver.relinquish(a)
      // The reading may take several requests, and end after the writes.
      const settled = Promise.allSettled(writes)
      resume()
      await first
      expect(await released).toBe(true)
      await settled
      expect(await at(a)).toBe(fallback)
    })
  })
}
