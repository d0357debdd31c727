import type { Limits, Schedule } from '@plantroom/contract/datapoint'
import { WEEKDAYS } from '@plantroom/contract/datapoint'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import type { Controller } from '../testing/controller.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const NOON = Date.UTC(2030, 0, 1, 12)

/** A schedule from 12:01 to 12:11. */
function slot(value: number, mode: 'absolute' | 'offset' = 'absolute'): Schedule {
  const slots = [{ days: [...WEEKDAYS], from: '12:01', to: '12:11', mode, value }]
  return { id: 'sch', name: 'Slot', datapointId: 'power', slots }
}

interface About {
  at?: number
  now?: number
  schedule?: Schedule
  writeOnly?: boolean
}

async function start(limits: Limits, { at = 10, now = NOON, schedule, writeOnly }: About = {}) {
  const device = await aPowerController({
    power: { limits, ...(writeOnly && { accessType: 'WRITE', releaseValue: at }) },
    points: { power: at },
    clock: createManualClock(now),
    ...(schedule && { system: { schedules: [schedule] } }),
  })
  await device.pass(1)
  return device
}

const register = (device: Controller) => device.equipment.points.get('power')
const written = (device: Controller) => device.equipment.writes.map(({ raw }) => raw)

describe('limits.min and limits.max', () => {
  test('refuse a dispatch outside them, and name the limit', async () => {
    const device = await start({ min: 0, max: 20 })
    await expect(device.override('power', 20.5, 0, 60)).rejects.toMatchObject({
      kind: 'rejected',
      message: 'value 20.5 is above limits.max 20 of datapoint power; send a value within its limits',
    })
    await expect(device.override('power', -1, 600, 660)).rejects.toThrow('value -1 is below limits.min 0')
    await device.pass(700)
    expect(device.equipment.writes).toEqual([])
    await device.override('power', 20, 0, 60)
    expect(register(device)).toBe(20)
  })

  test.each([
    [slot(50), 20],
    [slot(-5), 0],
    [slot(15, 'offset'), 20],
  ])('clamp what a schedule wants: %j', async (schedule, expected) => {
    const device = await start({ min: 0, max: 20 }, { schedule })
    await device.pass(60)
    expect(register(device)).toBe(expected)
    expect(auditLines(device)).toEqual([`applied (window) 10 > ${expected}, reads ${expected}`])
    await device.pass(600)
    expect(register(device)).toBe(10)
  })

  test('clamp what peak shaving wants', async () => {
    const load = { datapointId: 'power', priority: 1, shedValue: -50, minOnSeconds: 0, minOffSeconds: 0 }
    const peakShaving = { meterId: 'meter', limitKw: 1, hysteresisKw: 0, cycleSeconds: 10, loads: [load] }
    const device = await aPowerController({ power: { limits: { min: 2 } }, system: { peakShaving } })
    await device.pass(15)
    expect(register(device)).toBe(2)
    expect(await device.call('getControlState', {})).toMatchObject({ holds: [{ by: 'peak-shaving', value: 2 }] })
  })

  test('clamp an override that was accepted before the limits were commissioned', async () => {
    const device = await start({})
    await device.override('power', 50, 0, 600)
    expect(register(device)).toBe(50)
    const [connection] = device.system.connections
    const datapoints = connection?.datapoints.map((one) => (one.id === 'power' ? { ...one, limits: { max: 20 } } : one))
    await device.commission({ ...device.system, connections: [{ ...connection, datapoints } as never] })
    await device.pass(5)
    expect(register(device)).toBe(20)
  })

  test('do not keep the value from before an override from being restored', async () => {
    const device = await start({ min: 15, max: 20 })
    await device.override('power', 18, 0, 60)
    await device.pass(60)
    expect(register(device)).toBe(10)
  })
})

describe('limits.minOnSeconds and limits.minOffSeconds', () => {
  test('refuse a dispatch that would switch too early, and say when it may', async () => {
    const device = await start({ minOnSeconds: 300, minOffSeconds: 120 }, { at: 0 })
    await device.override('power', 5, 0, 3600)
    await device.pass(10)
    await expect(device.override('power', 0, 0, 60)).rejects.toThrow(
      'datapoint power must not be switched off yet: limits.minOnSeconds is 300, and it has been on since 2030-01-01T12:00:01.000Z; let the override start at 2030-01-01T12:05:01.000Z or later',
    )
    await expect(device.override('power', 0, 100, 160)).rejects.toThrow('must not be switched off yet')
    await device.override('power', 8, 0, 10)
    await device.override('power', 0, 290, 400)
    await device.pass(290)
    expect(register(device)).toBe(0)
  })

  test('never delay a release, which may then keep the next override waiting', async () => {
    const device = await start({ minOnSeconds: 300, minOffSeconds: 120 }, { at: 0 })
    await device.override('power', 5, 0, 20)
    await device.override('power', 6, 40, 400)
    expect(register(device)).toBe(5)
    await device.pass(20)
    expect(register(device)).toBe(0)
    await device.pass(20)
    expect(register(device)).toBe(0)
    expect(await device.call('getControlState', {})).toMatchObject({
      holds: [{ trouble: 'write-failed', troubleReason: expect.stringContaining('limits.minOffSeconds is 120') }],
      limits: { power: { minOnSeconds: 300, minOffSeconds: 120, mayStartAt: '2030-01-01T12:02:21.000Z' } },
    })
    await device.pass(99)
    expect(register(device)).toBe(0)
    await device.pass(2)
    expect(register(device)).toBe(6)
    await device.pass(300)
    expect(register(device)).toBe(0)
    expect(written(device)).toEqual([5, 0, 6, 0])
  })

  test('do not let a chain of short overrides switch the equipment back and forth', async () => {
    const device = await start({ minOnSeconds: 600, minOffSeconds: 600 }, { at: 0 })
    for (let index = 0; index < 20; index += 1) {
      await device.override('power', index % 2 === 0 ? 5 : 0, 10 + index * 5, 15 + index * 5)
    }
    await device.pass(200)
    expect(written(device)[0]).toBe(5)
    expect(new Set(written(device).slice(1))).toEqual(new Set([0]))
  })

  test('do not leave the value of an ended override there while the next one waits', async () => {
    const device = await start({ minOnSeconds: 600 }, { at: 7 })
    await device.override('power', 0, 0, 10)
    await device.pass(10)
    expect(register(device)).toBe(7)
    await device.override('power', 9, 0, 10)
    // Starts while the one before still runs, and would switch off too early.
    await device.override('power', 0, 5, 700).catch(() => {})
    await device.pass(10)
    expect(register(device)).toBe(7)
  })

  const ON_S = 600
  /** Two overrides, placed ahead: one switches the equipment on, and one would switch it off 5 s later. */
  async function placeBoth(device: Controller, firstEnd = 700) {
    const first = await device.override('power', 5, 10, firstEnd)
    const second = await device.override('power', 0, 15, 2000)
    await device.pass(20)
    return { first, second }
  }

  test('keep an override that has to wait from switching off what an earlier one switched on', async () => {
    const device = await start({ minOnSeconds: ON_S }, { at: 0 })
    await placeBoth(device)
    expect(register(device)).toBe(5)
    await device.pass(ON_S - 11)
    expect(written(device)).toEqual([5])
    await device.pass(2)
    expect(written(device)).toEqual([5, 0])
    await device.pass(1500)
    expect(written(device)).toEqual([5, 0, 0])
  })

  test('keep it from switching on what an earlier one switched off', async () => {
    const device = await start({ minOffSeconds: ON_S }, { at: 7 })
    await device.override('power', 0, 10, 700)
    await device.override('power', 9, 15, 2000)
    await device.pass(ON_S)
    expect(written(device)).toEqual([0])
    await device.pass(11)
    expect(written(device)).toEqual([0, 9])
  })

  test.each([
    ['ends', async (device: Controller) => device.pass(280)],
    ['is cancelled', async (device: Controller, id: string) => device.cancel(id)],
    ['ends during a power cut', async (device: Controller) => device.crash(300)],
  ])('do not keep the value of the earlier override there when it %s', async (_how, end) => {
    const device = await start({ minOnSeconds: ON_S }, { at: 0 })
    const { first } = await placeBoth(device, 300)
    expect(register(device)).toBe(5)
    await end(device, first)
    await device.pass(1)
    expect(register(device)).toBe(0)
    expect(written(device)).toEqual([5, 0])
  })

  test('keep the value of the earlier override there through a power cut', async () => {
    const device = await start({ minOnSeconds: ON_S }, { at: 0 })
    await placeBoth(device)
    await device.crash(10)
    await device.pass(60)
    expect(written(device)).toEqual([5])
    await device.pass(ON_S)
    expect(register(device)).toBe(0)
  })

  test('hold for an override that is accepted before the switch is recorded', async () => {
    const device = await start({ minOnSeconds: ON_S }, { at: 0 })
    let placing: Promise<string> | undefined
    device.equipment.afterWrite = () => {
      placing ??= device.override('power', 0, 0, 2000)
    }
    await device.override('power', 5, 0, 700)
    expect(await placing).toMatch(/^ovr_/)
    await device.pass(ON_S - 5)
    expect(written(device)).toEqual([5])
    await device.pass(10)
    expect(register(device)).toBe(0)
  })

  test('do not keep the value of an override that is over behind one that never reached the equipment', async () => {
    const device = await start({ minOnSeconds: ON_S }, { at: 0 })
    await device.override('power', 5, 10, 30)
    await device.override('power', 6, 25, 700)
    await device.override('power', 0, 40, 2000)
    await device.pass(20)
    expect(register(device)).toBe(5)
    device.equipment.cut = 'no route'
    // The first one ends and the third one begins before the second one reaches the equipment.
    await device.pass(25)
    device.equipment.cut = undefined
    await device.pass(20)
    expect(register(device)).toBe(0)
  })

  test('delay a schedule, not its release', async () => {
    const device = await start({ minOffSeconds: 300 }, { at: 10, schedule: slot(5) })
    device.equipment.points.set('power', 0)
    await device.pass(70)
    expect(register(device)).toBe(0)
    await device.pass(260)
    expect(register(device)).toBe(5)
    await device.pass(400)
    expect(register(device)).toBe(0)
  })

  test.each([false, true])('hold through a power cut (write-only: %j)', async (writeOnly) => {
    const device = await start({ minOnSeconds: 300 }, { at: 0, writeOnly })
    await device.override('power', 5, 0, 3600)
    await device.pass(10)
    await device.crash(10)
    await expect(device.override('power', 0, 0, 60)).rejects.toThrow('it has been on since 2030-01-01T12:00:01.000Z')
    await device.pass(285)
    await device.override('power', 0, 0, 60)
    expect(register(device)).toBe(0)
  })
})

describe('limits.maxStartsPerDay', () => {
  test('refuses the next start of the day, also after a power cut, and allows it tomorrow', async () => {
    const device = await start({ maxStartsPerDay: 2 }, { at: 0, now: Date.UTC(2030, 0, 1, 23) })
    for (const value of [5, 6]) {
      await device.override('power', value, 0, 10)
      await device.pass(10)
    }
    const refused =
      'must not be switched on yet: limits.maxStartsPerDay is 2, and it has started 2 times on 2030-01-01; let the override start at 2030-01-02T00:00:00.000Z or later'
    await expect(device.override('power', 7, 0, 10)).rejects.toThrow(refused)
    await device.crash(10)
    await expect(device.override('power', 7, 0, 10)).rejects.toThrow(refused)
    await device.override('power', 0, 0, 10)
    await device.override('power', 8, 3600, 3600 + 60)
    await device.pass(3600)
    expect(register(device)).toBe(8)
    expect(written(device).filter((raw) => raw !== 0)).toEqual([5, 6, 8])
  })

  test('skips what a schedule wants beyond it', async () => {
    const device = await start({ maxStartsPerDay: 1 }, { at: 0, schedule: slot(5) })
    await device.override('power', 3, 0, 10)
    await device.pass(10)
    expect(register(device)).toBe(0)
    await device.pass(300)
    expect(written(device)).toEqual([3, 0])
  })

  test('counts starts that the building makes itself', async () => {
    const device = await start({ maxStartsPerDay: 1 }, { at: 0 })
    device.equipment.points.set('power', 4)
    await device.pass(60)
    device.equipment.points.set('power', 0)
    await device.pass(60)
    await expect(device.override('power', 7, 0, 10)).rejects.toThrow('limits.maxStartsPerDay is 1')
  })
})

describe('limits.maxStepPerMinute', () => {
  test('moves the value in steps, on release too', async () => {
    const device = await start({ maxStepPerMinute: 10 })
    await device.override('power', 35, 0, 150)
    expect(register(device)).toBe(20)
    await device.pass(59)
    expect(register(device)).toBe(20)
    await device.pass(2)
    expect(register(device)).toBe(30)
    await device.pass(61)
    expect(register(device)).toBe(35)
    await device.pass(28)
    // Released: half a step was left of the last minute.
    expect(register(device)).toBe(30)
    await device.pass(40)
    expect(register(device)).toBe(25)
    await device.pass(180)
    expect(register(device)).toBe(10)
    expect(await device.call('getControlState', {})).toMatchObject({ holds: [] })
    expect(auditLines(device)).toEqual(['applied (window) 10 > 35, reads 35', 'released (ended) 10 > 10, reads 10'])
  })

  test('holds for many dispatches within a minute', async () => {
    const device = await start({ maxStepPerMinute: 10 })
    for (const value of [100, -100, 100, -100, 100]) {
      await device.override('power', value, 0, 600)
      await device.pass(4)
    }
    expect(written(device)).toEqual([20])
    await device.pass(60)
    expect(register(device)).toBe(30)
  })

  test('holds through a power cut', async () => {
    const device = await start({ maxStepPerMinute: 10 })
    await device.override('power', 100, 0, 600)
    for (let count = 0; count < 5; count += 1) await device.crash(2)
    expect(register(device)).toBe(20)
    await device.pass(60)
    expect(register(device)).toBe(30)
  })

  test('moves equipment that holds whole numbers only', async () => {
    const device = await start({ maxStepPerMinute: 1 }, { at: 10 })
    await device.override('power', 13, 0, 600)
    await device.pass(200)
    expect(written(device)).toEqual([11, 12, 13])
  })

  test('reaches a schedule and a value within one step at once', async () => {
    const device = await start({ maxStepPerMinute: 10 }, { schedule: slot(25) })
    await device.pass(60)
    expect(register(device)).toBe(20)
    await device.pass(61)
    expect(register(device)).toBe(25)
  })
})
