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

/** The values written to one point of the equipment, in order. */
const written = (device: { equipment: { writes: readonly { id: string; raw: unknown }[] } }, id = 'power') =>
  device.equipment.writes.filter((write) => write.id === id).map(({ raw }) => raw)

describe('equipment that acknowledges a value and does not keep it', () => {
  test('gets it again, and is reported once and shown with the hold until it keeps the value', async () => {
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

  test('is shown with who has it instead, where the equipment says that', async () => {
    const device = await aPowerController()
    device.equipment.ignores.add('power')
    const operator = { name: 'priority 8 (the operator)', priority: 8, ours: 10, outranks: true }
    device.equipment.inCharge = async () => ({ ...operator, reading: { raw: 10 } })
    await device.override('power', 20, 0, 600)
    await device.pass(1)
    const [, reason] = await troubleOf(device)
    expect(reason).toBe(
      'the equipment acknowledged 20 but holds 10: priority 8 (the operator) holds 10 and outranks ours, which is 10',
    )
    expect(device.reports.map(({ phase, inCharge }) => [phase, inCharge])).toEqual([
      ['applied', undefined],
      ['not-taken', { priority: 8, value: 10, outranks: true }],
    ])
    device.equipment.inCharge = () => Promise.reject(new Failure('offline', 'no answer'))
    await device.pass(60)
    expect(await troubleOf(device)).toEqual(['not-taken', 'the equipment acknowledged 20 but holds 10'])
  })

  test('gets the plain value at the release until it keeps it', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    device.equipment.ignores.add('power')
    await device.pass(3600)
    expect(auditLines(device)).toEqual([APPLIED, 'not-taken (ended) 10 > 10, reads 20'])
    device.equipment.ignores.clear()
    await device.pass(30)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toEqual([APPLIED, 'not-taken (ended) 10 > 10, reads 20', ENDED])
  })

  test('is not reported for being slow', async () => {
    const device = await aPowerController()
    device.equipment.ignores.add('power')
    await device.override('power', 20, 0, 600)
    device.equipment.ignores.clear()
    await device.pass(1)
    expect(auditLines(device)).toEqual([APPLIED])
  })

  test('is reported separately from equipment that could not be reached', async () => {
    const device = await aPowerController()
    device.equipment.cut = 'cable pulled'
    await device.pass(5)
    await device.override('power', 20, 1, 3600)
    await device.pass(1)
    device.equipment.cut = undefined
    device.equipment.ignores.add('power')
    await device.pass(60)
    expect(await troubleOf(device)).toEqual(['not-taken', 'the equipment acknowledged 20 but holds 10'])
    expect(auditLines(device).map((line) => line.split(' ')[0])).toEqual(['applied', 'write-failed', 'not-taken'])
  })

  test('has no trouble with an override that asks for its current value', async () => {
    const device = await aPowerController()
    device.equipment.ignores.add('power')
    await device.override('power', 20, 0, 600)
    await device.pass(60)
    await device.override('power', 10, 0, 600)
    expect((await device.values()).power).toMatchObject({ value: 10, lockedBy: 'demand-response' })
    expect(await troubleOf(device)).toEqual([null, null])
  })

  test('does not show a read error', async () => {
    const device = await aPowerController()
    device.equipment.ignores.add('power')
    await device.override('power', 20, 0, 600)
    await device.pass(60)
    expect((await device.values()).power).not.toHaveProperty('error')
  })
})

describe('equipment that rejects a value', () => {
  test('gets it again with growing delays for as long as the override is active', async () => {
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

  test('from the next writer is restored to its plain value, not left at the previous setpoint', async () => {
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

describe('writeInterval', () => {
  test('sets how often the setpoint is written again; 0 means only on change', async () => {
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

  test('continues when the same setpoint is dispatched again', async () => {
    const device = await aPowerController({ power: { writeInterval: 10 } })
    await device.override('power', 20, 0, 600)
    await device.pass(1)
    await device.override('power', 20, 0, 600)
    await device.pass(30)
    expect(written(device)).toEqual([20, 20, 20, 20])
  })
})

test('a slow datapoint does not delay another', async () => {
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

test('never writes an override that ends while its value waits to be written', async () => {
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

test('does not write again for another override with the value that is already there', async () => {
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

test.each<[string, Failure]>([
  ['refuses', new Failure('rejected', 'exception 3')],
  ['is too busy for', new Failure('offline', 'exception 6')],
])('equipment that %s a release is not asked again by every poll', async (_, failure) => {
  const device = await aPowerController()
  await device.override('power', 20, 0, 60)
  let attempts = 0
  device.equipment.afterWrite = () => {
    attempts += 1
    throw failure
  }
  device.equipment.ignores.add('power')
  await device.pass(120)
  expect(attempts).toBeGreaterThan(2)
  expect(attempts).toBeLessThan(20)
})
