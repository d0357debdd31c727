import type { ControlState } from '@plantroom/contract/control-state'
import { WEEKDAYS } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import type { Controller } from '../testing/controller.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'
import { retryDelay } from './hold-applier.ts'

const APPLIED = 'applied (window) 10 > 20, reads 20'
const ENDED = 'released (ended) 10 > 10, reads 10'

const troubleOf = async (device: Controller) => {
  const { holds } = (await device.call('getControlState', {})) as Pick<ControlState, 'holds'>
  return [holds[0]?.trouble, holds[0]?.troubleReason]
}

/** A clean register of the equipment's writes, in order. */
const written = (device: { equipment: { writes: readonly { id: string; raw: unknown }[] } }, id = 'power') =>
  device.equipment.writes.filter((write) => write.id === id).map(({ raw }) => raw)

describe('equipment that acknowledges a value and does not keep it', () => {
  test('is given it again, then reported once and shown with the hold until it takes the value', async () => {
    const device = await aPowerController()
    device.equipment.ignores.add('power')
    await device.override('power', 20, 0, 600)
    expect(await troubleOf(device)).toEqual([null, null])
    await device.pass(1)
    expect(written(device)).toEqual([20, 20, 20])
    expect((await device.values()).power).toMatchObject({ value: 10, lockedBy: 'demand-response' })
    expect(await troubleOf(device)).toEqual(['not-taken', 'the equipment acknowledged 20 but holds 10'])
    await device.pass(120)
    device.equipment.ignores.clear()
    await device.pass(30)
    expect((await device.values()).power).toMatchObject({ value: 20, lockedBy: 'demand-response' })
    expect(await troubleOf(device)).toEqual([null, null])
    expect(auditLines(device)).toEqual(['applied (window) 10 > 20, reads 10', 'not-taken (window) 10 > 20, reads 10'])
  })

  test('at the release is given the plain value until it takes it', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    device.equipment.ignores.add('power')
    await device.pass(3600)
    expect(auditLines(device)).toEqual([
      APPLIED,
      'released (ended) 10 > 10, reads 20',
      'not-taken (ended) 10 > 10, reads 20',
    ])
    device.equipment.ignores.clear()
    await device.pass(30)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toHaveLength(3)
  })

  test('is not called ignorant for being slow', async () => {
    const device = await aPowerController()
    device.equipment.ignores.add('power')
    await device.override('power', 20, 0, 600)
    device.equipment.ignores.clear()
    await device.pass(1)
    expect(auditLines(device)).toEqual([APPLIED])
  })

  test('is told apart from equipment that could not be reached before', async () => {
    const device = await aPowerController()
    device.equipment.cut = 'cable pulled'
    await device.pass(5)
    await device.override('power', 20, 0, 3600)
    device.equipment.cut = undefined
    device.equipment.ignores.add('power')
    await device.pass(60)
    expect(await troubleOf(device)).toEqual(['not-taken', 'the equipment acknowledged 20 but holds 10'])
    expect(auditLines(device).map((line) => line.split(' ')[0])).toEqual(['applied', 'write-failed', 'not-taken'])
  })

  test('has no trouble with the next override when that asks for what it holds', async () => {
    const device = await aPowerController()
    device.equipment.ignores.add('power')
    await device.override('power', 20, 0, 600)
    await device.pass(60)
    await device.override('power', 10, 0, 600)
    expect((await device.values()).power).toMatchObject({ value: 10, lockedBy: 'demand-response' })
    expect(await troubleOf(device)).toEqual([null, null])
  })

  test('is no error of reading: the value was read', async () => {
    const device = await aPowerController()
    device.equipment.ignores.add('power')
    await device.override('power', 20, 0, 600)
    await device.pass(60)
    expect((await device.values()).power).not.toHaveProperty('error')
  })
})

describe('equipment that refuses a value', () => {
  test('is asked again with longer and longer pauses for as long as the window stands', async () => {
    const device = await aPowerController()
    device.equipment.refuse.add('power')
    await device.override('power', 20, 0, 3600)
    await device.pass(3599)
    expect((await device.values()).power).toMatchObject({ value: 10, lockedBy: 'demand-response' })
    expect(await troubleOf(device)).toEqual(['write-failed', 'power: refused'])
    const asked = written(device).length
    expect(asked).toBeGreaterThan(100)
    expect(asked).toBeLessThan(150)
    await device.pass(1)
    device.equipment.refuse.clear()
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device).slice(0, 2)).toEqual([
      'applied (window) 10 > 20, reads null',
      'write-failed (window) 10 > 20, reads null',
    ])
    expect(auditLines(device).filter((line) => line.startsWith('released'))).toHaveLength(1)
  })

  test('is reported once for each override of a balancing market, which sends the same setpoint every 4 s', async () => {
    const device = await aPowerController()
    device.equipment.refuse.add('power')
    for (let round = 0; round < 10; round += 1) {
      await device.override('power', 20, 0, 300)
      await device.pass(4)
    }
    const failed = device.reports.filter(({ phase }) => phase === 'write-failed')
    expect(new Set(failed.map(({ overrideId }) => overrideId)).size).toBe(10)
    expect(failed).toHaveLength(10)
  })

  test('of the next writer is restored to its plain value: the setpoint before does not stay', async () => {
    const slots = [{ days: [...WEEKDAYS], from: '00:00', to: '24:00', mode: 'absolute' as const, value: 35 }]
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    device.equipment.beforeWrite = (_id, raw) => {
      if (raw === 35) throw new Failure('rejected', 'power: exception 3')
    }
    await device.commission({ ...device.system, schedules: [{ id: 's', name: 's', datapointId: 'power', slots }] })
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(await troubleOf(device)).toEqual(['write-failed', 'power: exception 3'])
    await device.pass(600)
    expect(written(device).filter((raw) => raw === 10)).toHaveLength(1)
  })
})

describe('a link that is down', () => {
  test('when a window is accepted: it is written when the link is back, if it still stands', async () => {
    const device = await aPowerController()
    device.equipment.cut = 'cable pulled'
    await device.pass(5)
    await device.override('power', 20, 0, 600)
    expect((await device.values()).power).toMatchObject({ lockedBy: 'demand-response' })
    await device.pass(60)
    device.equipment.cut = undefined
    await device.pass(10)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(600)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toEqual([
      'applied (window) 10 > 20, reads null',
      'write-failed (window) 10 > 20, reads null',
      ENDED,
    ])
  })

  test('all through a window: the equipment is never touched', async () => {
    const device = await aPowerController()
    device.equipment.cut = 'cable pulled'
    await device.pass(5)
    await device.override('power', 20, 0, 60)
    await device.pass(120)
    device.equipment.cut = undefined
    await device.pass(60)
    expect(device.equipment.writes).toEqual([])
    expect(auditLines(device).at(-1)).toBe('released (ended) 10 > null, reads null')
  })

  test.each(['', ', over a restart', ', over a power cut'])(
    'at the release: it is released later, however long it takes%s',
    async (how) => {
      const device = await aPowerController()
      await device.override('power', 20, 0, 60)
      device.equipment.cut = 'cable pulled'
      await device.pass(3600)
      if (how.includes('restart')) await device.restart(3600)
      if (how.includes('cut')) await device.crash(3600)
      await device.pass(600)
      expect(device.equipment.points.get('power')).toBe(20)
      expect((await device.values()).power).not.toHaveProperty('locked')
      device.equipment.cut = undefined
      await device.pass(10)
      expect(device.equipment.points.get('power')).toBe(10)
      expect(auditLines(device)).toEqual([
        APPLIED,
        'released (ended) 10 > 10, reads null',
        'write-failed (ended) 10 > 10, reads null',
      ])
    },
  )

  test('for one register alone does not keep another from being released', async () => {
    const device = await aPowerController({
      more: [aDatapoint({ id: 'heat', accessType: 'READ_WRITE' })],
      points: { heat: 5 },
    })
    await device.override('power', 20, 0, 60)
    await device.override('heat', 50, 0, 60)
    device.equipment.silent.add('heat')
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(device.equipment.points.get('heat')).toBe(50)
    device.equipment.silent.clear()
    await device.pass(6)
    expect(device.equipment.points.get('heat')).toBe(5)
  })

  test('whose answer to a write is lost is read back: the value may be there', async () => {
    const device = await aPowerController()
    device.equipment.afterWrite = () => {
      throw new Failure('offline', 'no answer')
    }
    await device.override('power', 20, 0, 60)
    expect(written(device)).toEqual([20])
    expect(auditLines(device)).toEqual([APPLIED])
    await device.pass(60)
    expect(auditLines(device)).toEqual([APPLIED, ENDED])
  })

  test('that comes and goes is told once for each holder', async () => {
    const device = await aPowerController({ power: { writeInterval: 2 } })
    await device.override('power', 20, 0, 3600)
    for (let round = 0; round < 5; round += 1) {
      device.equipment.cut = 'cable pulled'
      await device.pass(30)
      device.equipment.cut = undefined
      await device.pass(30)
    }
    expect(device.equipment.points.get('power')).toBe(20)
    expect(auditLines(device).filter((line) => line.startsWith('write-failed'))).toHaveLength(1)
  })

  test('that is only being opened at a start is no failure', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    const opening = Promise.withResolvers<void>()
    device.equipment.opening = opening.promise
    await device.restart()
    await device.pass(20)
    opening.resolve()
    await device.pass(1)
    expect(device.equipment.points.get('power')).toBe(20)
    expect(auditLines(device)).toEqual([APPLIED])
  })

  test('is found again in the moment in which a value is written: it is written once more', async () => {
    const device = await aPowerController({ power: { accessType: 'WRITE' } })
    const slow = Promise.withResolvers<void>()
    device.equipment.afterWrite = () => slow.promise
    await device.override('power', 20, 0, 600)
    device.equipment.afterWrite = undefined
    device.equipment.cut = 'cable pulled'
    await device.pass(2)
    device.equipment.cut = undefined
    await device.pass(10)
    slow.resolve()
    await device.pass(10)
    expect(written(device).length).toBeGreaterThan(1)
  })
})

describe('equipment that forgets its setpoint', () => {
  test('is given it again when its link comes back', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    device.equipment.cut = 'restarts'
    await device.pass(2)
    device.equipment.forget()
    device.equipment.cut = undefined
    await device.pass(6)
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('and cannot be asked is given it again all the same when its link comes back', async () => {
    const device = await aPowerController({ power: { accessType: 'WRITE' } })
    await device.override('power', 20, 0, 600)
    device.equipment.cut = 'restarts'
    await device.pass(2)
    device.equipment.forget()
    device.equipment.cut = undefined
    await device.pass(6)
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('without losing its link is given it again when a poll shows it', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    await device.pass(10)
    device.equipment.forget()
    await device.pass(2)
    expect(device.equipment.points.get('power')).toBe(20)
    expect(auditLines(device)).toEqual([APPLIED])
  })

  test('again and again is not written more often than every 5 s', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    for (let second = 0; second < 60; second += 1) {
      device.equipment.forget()
      await device.pass(1)
    }
    expect(written(device).length).toBeLessThanOrEqual(14)
  })
})

describe('writeInterval', () => {
  test('is how often the held value is written again; 0 is only on change', async () => {
    const device = await aPowerController({ power: { writeInterval: 10 } })
    await device.override('power', 20, 0, 60)
    await device.pass(59)
    expect(written(device)).toEqual([20, 20, 20, 20, 20, 20])
    await device.pass(60)
    expect(written(device)).toEqual([20, 20, 20, 20, 20, 20, 10])
    const other = await aPowerController({ power: { writeInterval: 0 } })
    await other.override('power', 20, 0, 60)
    await other.pass(59)
    expect(written(other)).toEqual([20])
  })

  test('goes on when the same setpoint is dispatched again', async () => {
    const device = await aPowerController({ power: { writeInterval: 10 } })
    await device.override('power', 20, 0, 600)
    await device.pass(1)
    await device.override('power', 20, 0, 600)
    await device.pass(30)
    expect(written(device)).toEqual([20, 20, 20, 20])
  })
})

test('a slow datapoint does not hold up another', async () => {
  const device = await aPowerController({
    more: [aDatapoint({ id: 'heat', accessType: 'READ_WRITE' })],
    points: { heat: 5 },
  })
  const slow = Promise.withResolvers<void>()
  device.equipment.beforeWrite = (id) => (id === 'power' ? slow.promise : undefined)
  await device.override('power', 20, 0, 60)
  await device.override('heat', 50, 0, 60)
  expect(device.equipment.points.get('heat')).toBe(50)
  slow.resolve()
  await device.pass(0)
  expect(device.equipment.points.get('power')).toBe(20)
})

test('an override that ends while its value waits to be written is never written', async () => {
  const device = await aPowerController()
  const slow = Promise.withResolvers<void>()
  device.equipment.beforeWrite = () => slow.promise
  await device.override('power', 20, 0, 60)
  await device.pass(61)
  device.equipment.beforeWrite = undefined
  slow.resolve()
  await device.pass(1)
  expect(written(device)).toEqual([10])
  expect(auditLines(device)).toEqual(['applied (window) 10 > 20, reads null', ENDED])
})

test('another override with the value that is held already does not write it again', async () => {
  const device = await aPowerController()
  await device.override('power', 20, 0, 60)
  await device.override('power', 20, 0, 120)
  await device.pass(100)
  expect(written(device)).toEqual([20])
  device.equipment.points.set('power', 33)
  await device.override('power', 20, 0, 120)
  expect(written(device)).toEqual([20, 20])
})

const FAILURES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 1_000_000]

test('retries a rejected write with growing delays of up to 30 s, forever', () => {
  expect(FAILURES.map((failures) => retryDelay(failures))).toEqual([
    250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})

test('retries a write over a link that is down every 5 s at the latest', () => {
  expect(FAILURES.map((failures) => retryDelay(failures, true))).toEqual([
    250, 500, 1000, 2000, 4000, 5000, 5000, 5000, 5000, 5000,
  ])
})
