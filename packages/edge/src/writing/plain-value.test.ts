import type { ControlState } from '@plantroom/contract/control-state'
import { describe, expect, test } from 'vitest'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const schedules = (mode: 'absolute' | 'offset', value: number) => ({
  schedules: [
    {
      id: 'sch',
      name: 'night',
      datapointId: 'power',
      slots: [{ days: ['tue' as const], from: '00:00', to: '01:00', mode, value }],
    },
  ],
})

const written = ({ equipment }: Awaited<ReturnType<typeof aPowerController>>) => equipment.writes.map(({ raw }) => raw)

describe('a datapoint that can only be written', () => {
  test('is restored to its release value', async () => {
    const device = await aPowerController({ power: { accessType: 'WRITE', releaseValue: 3 } })
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    expect(written(device)).toEqual([20, 3])
    expect(auditLines(device)).toEqual(['applied (window) 10 > 20, reads null', 'released (ended) 10 > 3, reads null'])
  })

  test('is restored to what its address reads when it has no release value', async () => {
    const device = await aPowerController({ power: { accessType: 'WRITE' } })
    await device.override('power', 20, 0, 60)
    await device.override('power', 30, 0, 60)
    await device.pass(60)
    expect(written(device)).toEqual([20, 30, 10])
  })

  test('shows the last value written, and its release reports that nothing could be restored', async () => {
    const device = await aPowerController({ power: { accessType: 'WRITE' } })
    device.equipment.unreadable.set('power', 'exception 1')
    await device.override('power', 20, 0, 60)
    expect((await device.values()).power).toMatchObject({ value: 20, lockedBy: 'demand-response' })
    await device.pass(60)
    expect((await device.values()).power).toMatchObject({ value: 20 })
    expect((await device.values()).power).not.toHaveProperty('locked')
    expect(written(device)).toEqual([20])
    expect(auditLines(device)).toEqual([
      'applied (window) null > 20, reads null',
      'released (ended) null > null, reads null',
    ])
  })
})

describe('a datapoint that cannot be read', () => {
  test('since after the override was accepted is not written', async () => {
    const device = await aPowerController()
    await device.pass(2)
    device.equipment.points.set('power', 'sensor broken')
    await device.override('power', 20, 0, 60)
    const { holds } = (await device.call('getControlState', {})) as Pick<ControlState, 'holds'>
    expect(holds).toMatchObject([{ state: 'reading', trouble: 'write-failed' }])
    await device.pass(60)
    expect(written(device)).toEqual([])
    expect(auditLines(device)).toEqual([
      'applied (window) 10 > 20, reads null',
      'write-failed (window) 10 > 20, reads null',
      'released (ended) 10 > null, reads null',
    ])
  })

  test('for a while is written and restored once it can be', async () => {
    const device = await aPowerController()
    device.equipment.unreadable.set('power', 'exception 6')
    await device.override('power', 20, 1, 60)
    await device.pass(30)
    // A person has set it since it was read last.
    device.equipment.points.set('power', 12)
    device.equipment.unreadable.clear()
    await device.pass(1)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(60)
    expect(written(device)).toEqual([20, 12])
  })

  test('since before its release is restored to the released value, not to the setpoint read last', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device.pass(2)
    device.equipment.unreadable.set('power', 'exception 4')
    await device.pass(60)
    await device.override('power', 30, 0, 60)
    await device.pass(60)
    expect(written(device)).toEqual([20, 10, 30, 10])
  })

  test('and never was rejects an override that starts now, and does not write a queued one', async () => {
    const device = await aPowerController({ points: { power: 'sensor broken' } })
    await expect(device.override('power', 20, 0, 60)).rejects.toThrow('cannot be read (power: sensor broken)')
    await device.override('power', 20, 1, 60)
    await device.pass(2)
    expect((await device.values()).power).toMatchObject({ value: null, error: 'sensor broken', locked: true })
    await device.pass(60)
    expect(written(device)).toEqual([])
    expect(auditLines(device)).toEqual([
      'applied (window) null > 20, reads null',
      'write-failed (window) null > 20, reads null',
      'released (ended) null > null, reads null',
    ])
  })

  test('and never was is restored to its release value if it has one', async () => {
    const device = await aPowerController({ power: { releaseValue: 3 }, points: { power: 'sensor broken' } })
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    expect(written(device)).toEqual([20, 3])
  })
})

describe('the plain value', () => {
  test.each(['7fc00001', '7f800000', '0102'])('that is not a number is restored bit by bit: %s', async (image) => {
    const device = await aPowerController({ points: { power: { image } } })
    await device.pass(2)
    await device.override('power', 20, 0, 60)
    await device.crash()
    await device.pass(60)
    expect(device.equipment.points.get('power')).toEqual({ image })
    expect(auditLines(device)).toEqual([
      'applied (window) null > 20, reads 20',
      'released (ended) null > null, reads null',
    ])
  })

  test('that is not a number is restored while a schedule claims an offset to it', async () => {
    const device = await aPowerController({ points: { power: { image: '7fc00001' } }, system: schedules('offset', 5) })
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    expect(device.equipment.points.get('power')).toEqual({ image: '7fc00001' })
  })

  test('is read from the equipment just before the first write, not from the last poll', async () => {
    const device = await aPowerController()
    await device.pass(0.5)
    device.equipment.points.set('power', 12)
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(12)
    expect(auditLines(device)).toEqual(['applied (window) 12 > 20, reads 20', 'released (ended) 12 > 12, reads 12'])
  })

  test('is on disk before the first write', async () => {
    const device = await aPowerController()
    device.dieAt('write:after')
    await device.override('power', 20, 0, 60).catch(() => {})
    await device.pass(0)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.crash(120)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('in the entries is the one read before the write, even across a power cut', async () => {
    const device = await aPowerController()
    await device.pass(0.5)
    device.equipment.points.set('power', 12)
    device.dieAt('write:after')
    await device.override('power', 20, 0, 60).catch(() => {})
    await device.crash()
    expect(auditLines(device)).toEqual(['applied (window) 12 > 20, reads 20'])
  })

  test('with 64 bits is restored to the last digit, even after a restart', async () => {
    const exact = 18_446_744_073_709_551_557n
    const device = await aPowerController({ points: { power: exact } })
    await device.override('power', 20, 0, 60)
    await device.crash()
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(exact)
    expect(auditLines(device)).toEqual([
      `applied (window) ${exact} > 20, reads 20`,
      `released (ended) ${exact} > ${exact}, reads ${exact}`,
    ])
    expect(device.reports[0]?.valueBefore).toBe(String(exact))
  })

  test('is reported in engineering units and written raw', async () => {
    const scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 }
    const device = await aPowerController({ power: { scaler } })
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    expect(written(device)).toEqual([200, 10])
    expect(auditLines(device)).toEqual(['applied (window) 1 > 20, reads 20', 'released (ended) 1 > 1, reads 1'])
  })
})

describe('a schedule', () => {
  test('yields to an override, is not shown as activated meanwhile, and resumes immediately', async () => {
    const device = await aPowerController({ system: schedules('offset', 5) })
    expect((await device.values()).power).toMatchObject({
      value: 15,
      lockedBy: 'deviation',
      deviationActivated: true,
      deviationCachedValue: 10,
    })
    const id = await device.override('power', 40, 0, 600)
    expect((await device.values()).power).toMatchObject({ value: 40, lockedBy: 'demand-response' })
    expect((await device.values()).power).not.toHaveProperty('deviationActivated')
    await device.cancel(id)
    expect((await device.values()).power).toMatchObject({ value: 15, lockedBy: 'deviation' })
    await device.pass(3600)
    expect((await device.values()).power).toMatchObject({ value: 10 })
    expect(device.reports.map(({ code, phase, reason }) => `${code} ${phase} ${reason}`)).toEqual([
      '4001 applied window',
      '4001 released superseded',
      '4005 applied window',
      '4005 released cancelled',
      '4001 applied window',
      '4001 released ended',
    ])
  })

  test('that ended while the device was down is reported as released', async () => {
    const device = await aPowerController({ system: schedules('absolute', 15) })
    await device.restart(3600)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device).at(-1)).toBe('released (restart) 10 > 10, reads 10')
  })

  test('and an override that both ended while the device was down leave the plain value', async () => {
    const device = await aPowerController({ system: schedules('absolute', 15) })
    await device.override('power', 40, 0, 600)
    await device.crash(3600)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(written(device)).toEqual([15, 40, 10])
  })

  test('shows a cached reading beyond 2^53 as text of its exact digits', async () => {
    const device = await aPowerController({
      system: schedules('absolute', 15),
      points: { power: 9_007_199_254_740_993n },
    })
    expect((await device.values()).power).toMatchObject({ value: 15, deviationCachedValue: '9007199254740993' })
  })

  test('with an offset to a value that was not read in time is reported without a value', async () => {
    const device = await aPowerController({})
    device.equipment.points.set('power', 12)
    device.equipment.cut = 'no route'
    await device.pass(2)
    await device.commission({ ...device.system, ...schedules('offset', 5) })
    await device.pass(5)
    device.equipment.cut = undefined
    await device.pass(10)
    expect(device.equipment.points.get('power')).toBe(17)
    expect(device.reports).toMatchObject([{ phase: 'applied', value: null }, { phase: 'write-failed' }])
  })

  test('with an offset to an unreadable value writes nothing and shows why', async () => {
    const device = await aPowerController({ points: { power: 'sensor broken' }, system: schedules('offset', 5) })
    expect(device.equipment.writes).toEqual([])
    const { holds } = (await device.call('getControlState', {})) as Pick<ControlState, 'holds'>
    expect(holds[0]?.troubleReason).toContain('the value before cannot be read')
  })
})
