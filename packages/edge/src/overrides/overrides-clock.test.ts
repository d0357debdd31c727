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

  test('accepts overrides when the cloud has sent the time, by that time', async () => {
    const device = await suspect()
    await device.reconnect(device.clock.now() + 10 * 24 * HOUR_MS)
    const ahead = 10 * 24 * 3600
    await device.override('power', 30, ahead, ahead + 60)
    expect(device.equipment.points.get('power')).toBe(30)
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(20)
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

describe('a clock that is wrong while the cloud sends its time', () => {
  /** A controller whose clock is off by `offMs`, and an override by the right time. */
  async function linked(offMs: number) {
    const device = await aPowerController()
    const off = offMs / 1000
    device.clock.step(offMs)
    await device.reconnect(device.clock.now() - offMs)
    const override = (value: number, fromS: number, toS: number) =>
      device.override('power', value, fromS - off, toS - off)
    const power = () => device.equipment.points.get('power')
    return { device, override, power }
  }

  test.each([
    ['50 s behind', -50_000],
    ['50 s ahead', 50_000],
    ['an hour behind', -HOUR_MS],
    ['two hours ahead', 2 * HOUR_MS],
  ])('%s: a window starts and ends by the right time', async (_, offMs) => {
    const { device, override, power } = await linked(offMs)
    await override(20, 10, 25)
    await device.pass(9)
    expect(power()).toBe(10)
    await device.pass(1)
    expect(power()).toBe(20)
    await device.pass(14)
    expect(power()).toBe(20)
    await device.pass(1)
    expect(power()).toBe(10)
  })

  test('a window that has ended is rejected', async () => {
    const { override, power } = await linked(-50_000)
    await expect(override(20, -20, -5)).rejects.toThrow('is in the past')
    expect(power()).toBe(10)
  })

  test.each([-50_000, -2 * HOUR_MS, 50_000, 2 * HOUR_MS])(
    'set by %i ms: neither the running window nor the queued one changes, nor a restart anything',
    async (offMs) => {
      const device = await aPowerController()
      const power = () => device.equipment.points.get('power')
      await device.reconnect(device.clock.now())
      const cloudTime = device.clock.now() - device.clock.monotonic()
      await device.override('power', 20, 0, 600)
      await device.override('power', 30, 660, 720)
      device.clock.step(offMs)
      await device.pass(300)
      expect(power()).toBe(20)
      await device.stop()
      await device.restart()
      await device.reconnect(cloudTime + device.clock.monotonic())
      expect(power()).toBe(20)
      await device.pass(299)
      expect(power()).toBe(20)
      await device.pass(1)
      expect(power()).toBe(10)
      await device.pass(60)
      expect(power()).toBe(30)
      await device.pass(60)
      expect(power()).toBe(10)
      expect(auditLines(device)).toHaveLength(4)
    },
  )

  test('goes on by the time of the cloud when the link is lost, whatever its clock does', async () => {
    const { device, override, power } = await linked(2 * HOUR_MS)
    device.uplink = false
    await override(20, 0, 600)
    device.clock.step(-3 * HOUR_MS)
    await device.pass(599)
    expect(power()).toBe(20)
    await device.pass(1)
    expect(power()).toBe(10)
  })

  test('dates everything by the time of the cloud', async () => {
    const device = await aPowerController()
    await device.reconnect(device.clock.now())
    const start = device.clock.now()
    await device.override('power', 20, 0, 60)
    device.clock.step(-HOUR_MS)
    await device.pass(60)
    const elapsed = Date.parse('2030-01-01T00:01:00Z') - Date.UTC(2030, 0, 1)
    expect(device.reports.map(({ at }) => Date.parse(at) - start)).toEqual([0, elapsed])
    const { at } = (await device.call('getControlState', {})) as { at: string }
    const { timestamp = '' } = (await device.values()).power ?? {}
    expect(Date.parse(at) - start).toBe(elapsed)
    expect(Math.abs(Date.parse(timestamp) - start - elapsed)).toBeLessThan(10_000)
  })
})

describe('a controller that starts offline with a clock that was off', () => {
  /** Linked with a clock that is off, then started again without the cloud. */
  async function startedOffline(offMs: number, { secondsOff = 0, setByMs = 0 } = {}) {
    const device = await aPowerController()
    device.clock.step(offMs)
    await device.reconnect(device.clock.now() - offMs)
    const off = offMs / 1000
    await device.override('power', 20, -off, 600 - off)
    await device.pass(60)
    await device.stop()
    device.clock.step(setByMs)
    await device.restart(secondsOff)
    await device.pass(3)
    return device
  }

  test.each([-50_000, 50_000])('by %i ms resumes, and never holds longer than to', async (offMs) => {
    const device = await startedOffline(offMs)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(600 - 60 - 3)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('by 50 s and corrected while it was off never holds longer than to', async () => {
    const device = await startedOffline(50_000, { secondsOff: 120, setByMs: -50_000 })
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(600 - 60 - 120 - 3)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test.each([
    ['ahead', 2 * HOUR_MS],
    ['behind', -2 * HOUR_MS],
  ])('by two hours %s restores the equipment, and resumes when the cloud sends the time', async (_, offMs) => {
    const device = await startedOffline(offMs)
    expect(device.equipment.points.get('power')).toBe(10)
    await device.reconnect(device.clock.now() - offMs)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(600 - 60 - 3)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toHaveLength(2)
  })
})

describe('answers of the cloud that differ', () => {
  test('by seconds never take the time back', async () => {
    const device = await aPowerController()
    const start = device.clock.now()
    await device.override('power', 20, 0, 10)
    await device.override('power', 30, 10, 20)
    const seen: unknown[] = []
    for (let second = 0; second < 20; second += 1) {
      await device.reconnect(device.clock.now() + (second % 2 === 0 ? 2_000 : -2_000))
      const { at } = (await device.call('getControlState', {})) as { at: string }
      seen.push(Date.parse(at) - start)
      await device.pass(1)
    }
    expect(seen).toEqual([...seen].sort((a, b) => Number(a) - Number(b)))
    expect(device.equipment.writes.map(({ raw }) => raw)).toEqual([20, 30, 10])
    const times = device.reports.map(({ at }) => at)
    expect(times).toEqual([...times].sort())
  })
})
