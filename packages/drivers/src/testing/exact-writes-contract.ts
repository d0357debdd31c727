import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, test } from 'vitest'
import { CONFLICT, type DriverRig, REJECTED } from './driver-rig.ts'

type Make = () => Promise<DriverRig>

/** The tests about writing exactly the intended value, and only while it is wanted. */
export function describeExactWrites(open: Make): void {
  describe('restoring', () => describeRestoring(open))
  describe('a value that is no longer wanted', () => describeStaleWrites(open))
  describe('a release', () => describeReleases(open))

  describe('a WRITE point', () => {
    test('is read where its address is readable', async ({ skip }) => {
      const { driver, points, writeOnly, set } = await open()
      if (writeOnly === undefined) return skip()
      await set(writeOnly, 7)
      await eventually(async () => expect(await driver.read([writeOnly], { urgent: true })).toEqual([{ raw: 7 }]))
      expect(await driver.read([points[0], writeOnly])).toEqual([{ raw: 11 }, { raw: 7 }])
    })
  })

  describe('a number beyond 2^53', () => {
    test('is rejected when its digits are unknown, and written when they are known', async ({ skip }) => {
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
}

function describeRestoring(open: Make): void {
  test('writes back exactly what was read, even if no raw value can express it', async ({ skip }) => {
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
    const readings = await driver.read(points, { urgent: true })
    expect(readings).toHaveLength(2)
    for (const reading of readings) expect(reading).not.toHaveProperty('image')
  })

  test.each(['', 'nonsense', '{}', '[]', 'null', '\u0000'.repeat(100_000)])(
    'rejects an image that no reading contained, and writes nothing: %#',
    async (image) => {
      const { driver, points, at } = await open()
      const [a, b] = points
      await expect(driver.write(a, { image })).rejects.toThrow(REJECTED)
      await driver.write(b, driver.nearest(b, 8))
      await eventually(async () => expect(await at(b)).toBe(driver.nearest(b, 8)))
      expect(await at(a)).toBe(11)
    },
  )
}

function describeStaleWrites(open: Make): void {
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

  test('costs neither the next write nor the link', async () => {
    const { driver, points, at, events } = await open()
    const [a] = points
    await expect(driver.write(a, driver.nearest(a, 7), { stillWanted: () => false })).rejects.toThrow(CONFLICT)
    await driver.write(a, driver.nearest(a, 8))
    await eventually(async () => expect(await at(a)).toBe(driver.nearest(a, 8)))
    expect(events).toMatchObject({ timeouts: 0, exceptions: 0, losses: [] })
  })

  test('is checked when its turn comes, not earlier', async ({ skip }) => {
    const { driver, points, stall, at } = await open()
    if (!stall) return skip()
    const [a, b] = points
    const { resume } = await stall()
    let wanted = true
    const first = driver.read([a], { urgent: true })
    const writing = expect(driver.write(b, driver.nearest(b, 8), { stillWanted: () => wanted })).rejects.toThrow(
      CONFLICT,
    )
    wanted = false
    resume()
    await first
    await writing
    expect(await at(b)).toBe(22)
  })
}

function describeReleases(open: Make): void {
  test('overtakes queued setpoints', async ({ skip }) => {
    const { driver, points, stall } = await open()
    if (!stall) return skip()
    const [a, b] = points
    const { resume, written } = await stall()
    const first = driver.read([a], { urgent: true })
    const writes = [
      driver.write(a, driver.nearest(a, 7)),
      driver.write(a, driver.nearest(a, 8)),
      driver.write(b, driver.nearest(b, 7), { release: true }),
    ]
    resume()
    await first
    await Promise.all(writes)
    expect(written()).toEqual([b, a, a])
  })

  test('is not undone by a setpoint for the same point that was queued before it', async ({ skip }) => {
    const { driver, points, stall, at } = await open()
    if (!stall) return skip()
    const [a] = points
    const { resume } = await stall()
    const first = driver.read([a], { urgent: true })
    const setpoint = driver.write(a, driver.nearest(a, 7))
    const release = driver.write(a, driver.nearest(a, 8), { release: true })
    const settled = Promise.allSettled([setpoint, release])
    resume()
    await first
    await settled
    expect(await at(a)).toBe(driver.nearest(a, 8))
  })
}
