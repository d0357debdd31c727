import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const HOUR_MS = 3_600_000
const APPLIED = 'applied (window) 10 > 20, reads 20'

describe('a clock that is set while the device runs', () => {
  test('back does not lengthen a hold', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    device.clock.step(-HOUR_MS)
    await device.pass(599)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(1)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('back does not restart an ended override', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    device.clock.step(-HOUR_MS)
    await device.pass(120)
    await device.restart()
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toHaveLength(2)
  })

  test('back does not lengthen a hold across restarts', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 3600)
    await device.pass(60)
    device.clock.step(-HOUR_MS)
    for (let round = 0; round < 5; round += 1) {
      await device.pass(600)
      await device.restart()
    }
    // By now 3060 s of the 3600 have passed. Each restart may have lost up to 30 s that were not recorded.
    await device.pass(540 + 5 * 30)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('back and confirmed by the cloud keeps later overrides across a restart', async () => {
    const device = await aPowerController()
    await device.pass(60)
    device.clock.step(-HOUR_MS)
    await device.reconnect()
    await device.override('power', 20, 0, 600)
    await device.pass(31)
    await device.restart()
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('forward past the end is noticed within 30 s', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 3600)
    device.clock.step(HOUR_MS)
    await device.pass(30)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('forward to the start of a queued override is noticed within 30 s', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 3600, 7200)
    device.clock.step(HOUR_MS)
    await device.pass(30)
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('back delays a queued override', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 60, 120)
    device.clock.step(-60_000)
    await device.pass(119)
    expect(device.equipment.points.get('power')).toBe(10)
    await device.pass(1)
    expect(device.equipment.points.get('power')).toBe(20)
  })
})

describe('a start with a clock behind the latest recorded time', () => {
  async function suspect() {
    const device = await aPowerController({ clock: createManualClock(Date.UTC(2030, 5, 1)) })
    await device.override('power', 20, 0, 600)
    await device.pass(60)
    device.clock.step(-10 * 24 * HOUR_MS)
    await device.restart()
    return device
  }

  test('rejects new overrides with the reason, and accepts cancels', async () => {
    const device = await suspect()
    await expect(device.override('power', 30, 0, 60)).rejects.toThrow("the controller's clock is wrong")
    await device.cancel(device.reports[0]?.overrideId ?? '')
    await device.pass(3)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toEqual([APPLIED, 'released (cancelled) 10 > 10, reads 10'])
  })

  test('rejects new overrides even if nothing happened for minutes before the stop', async () => {
    const device = await aPowerController()
    await device.pass(300)
    device.clock.step(-90_000)
    await device.restart()
    await expect(device.override('power', 30, 0, 60)).rejects.toThrow("the controller's clock is wrong")
  })

  test('gives the cloud a moment to send the time before anything is written', async () => {
    const device = await suspect()
    await device.pass(2)
    await device.reconnect(device.clock.now() + 10 * 24 * HOUR_MS)
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(20)
    expect(device.equipment.writes.map(({ raw }) => raw)).toEqual([20, 20])
  })

  test('restores the equipment when the time stays unknown', async () => {
    const device = await suspect()
    await device.pass(3)
    expect(device.equipment.points.get('power')).toBe(10)
    expect((await device.values()).power).not.toHaveProperty('locked')
    expect(auditLines(device)).toEqual([APPLIED])
    await device.pass(3600)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('resumes an override that has not ended when the cloud sends the time, and closes it once', async () => {
    const device = await suspect()
    await device.pass(100)
    expect(device.equipment.points.get('power')).toBe(10)
    await device.reconnect(device.clock.now() + 10 * 24 * HOUR_MS)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(600 - 60 - 100)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toEqual([APPLIED, 'released (ended) 10 > 10, reads 10'])
  })

  test('never resumes an override that has ended, whatever its clock says', async () => {
    const device = await aPowerController({ clock: createManualClock(Date.UTC(2030, 5, 1)) })
    await device.override('power', 20, 0, 1800)
    await device.pass(600)
    await device.stop()
    device.clock.step(-HOUR_MS)
    await device.restart(1800)
    const before = device.equipment.writes.length
    await device.pass(5)
    expect(device.equipment.points.get('power')).toBe(10)
    await device.reconnect(device.clock.now() + HOUR_MS)
    await device.pass(3600)
    expect(device.equipment.writes.slice(before).map(({ raw }) => raw)).toEqual([10])
    expect(auditLines(device)).toEqual([APPLIED, 'released (restart) 10 > null, reads null'])
  })

  test('resumes when its clock is corrected without the cloud', async () => {
    const device = await suspect()
    await device.pass(100)
    device.clock.step(10 * 24 * HOUR_MS)
    await device.pass(1)
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('does not lengthen a hold at the next start', async () => {
    const device = await suspect()
    await device.pass(300)
    await device.restart()
    await device.pass(540 - 300 + 60)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('trusts the clock again when it is corrected', async () => {
    const device = await suspect()
    device.clock.step(10 * 24 * HOUR_MS)
    await device.pass(1)
    await expect(device.override('power', 30, 0, 60)).resolves.toBeDefined()
  })

  test('trusts the clock again only when the cloud agrees with it', async () => {
    const device = await suspect()
    await device.reconnect(device.clock.now() + HOUR_MS)
    await expect(device.override('power', 30, 0, 60)).rejects.toThrow('clock')
    await device.reconnect(device.clock.now() + 1000)
    await expect(device.override('power', 30, 0, 60)).resolves.toBeDefined()
    expect(device.equipment.points.get('power')).toBe(30)
  })
})

describe('the time of acceptance', () => {
  test('is saved with the override, so that a clock behind it is not trusted after a crash', async () => {
    const device = await aPowerController()
    await device.pass(20)
    await device.override('power', 20, 0, 600)
    device.clock.step(-15_000)
    await device.crash()
    await expect(device.override('power', 30, 0, 60)).rejects.toThrow("the controller's clock is wrong")
  })
})

describe('a clock that the cloud disagrees with while the device runs', () => {
  test.each([
    ['behind', -HOUR_MS],
    ['ahead', HOUR_MS],
  ])('rejects overrides while it is %s, and accepts them once it is right', async (_, off) => {
    const device = await aPowerController({})
    await device.reconnect(device.clock.now())
    device.clock.step(off)
    // Sent by a partner with the right time.
    await expect(device.override('power', 30, -off / 1000, 60 - off / 1000)).rejects.toThrow('clock is wrong')
    expect(device.equipment.points.get('power')).toBe(10)
    device.clock.step(-off)
    await expect(device.override('power', 30, 0, 60)).resolves.toBeDefined()
  })

  test('starts a queued override on time although it was set back', async () => {
    const device = await aPowerController({})
    await device.reconnect(device.clock.now())
    await device.override('power', 30, 120, 180)
    device.clock.step(-HOUR_MS)
    await device.pass(121)
    expect(device.equipment.points.get('power')).toBe(30)
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(10)
  })
})
