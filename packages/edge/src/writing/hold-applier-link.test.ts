import { Failure } from '@plantroom/contract/failure'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const APPLIED = 'applied (window) 10 > 20, reads 20'
const ENDED = 'released (ended) 10 > 10, reads 10'

/** The values written to one point of the equipment, in order. */
const written = (device: { equipment: { writes: readonly { id: string; raw: unknown }[] } }, id = 'power') =>
  device.equipment.writes.filter((write) => write.id === id).map(({ raw }) => raw)

describe('a link that is down', () => {
  test('rejects an override that starts now: nobody knows what it would replace', async () => {
    const device = await aPowerController()
    device.equipment.cut = 'cable pulled'
    await device.pass(5)
    await expect(device.override('power', 20, 0, 600)).rejects.toThrow(
      /power on conn cannot be read \(cable pulled\).*nothing was done/,
    )
    device.equipment.cut = undefined
    await device.pass(10)
    expect(device.equipment.writes).toEqual([])
    expect(device.reports).toEqual([])
  })

  test('when a queued override starts delays the write until the link is back', async () => {
    const device = await aPowerController()
    device.equipment.cut = 'cable pulled'
    await device.pass(5)
    await device.override('power', 20, 1, 600)
    await device.pass(1)
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

  test('throughout an override leaves the equipment untouched', async () => {
    const device = await aPowerController()
    device.equipment.cut = 'cable pulled'
    await device.pass(5)
    await device.override('power', 20, 1, 60)
    await device.pass(120)
    device.equipment.cut = undefined
    await device.pass(60)
    expect(device.equipment.writes).toEqual([])
    expect(auditLines(device).at(-1)).toBe('released (ended) 10 > null, reads null')
  })

  test.each(['', ', across a restart', ', across a power cut'])(
    'at the release delays it, however long that takes%s',
    async (how) => {
      const device = await aPowerController()
      await device.override('power', 20, 0, 60)
      device.equipment.cut = 'cable pulled'
      await device.pass(900)
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
        'write-failed (ended) 10 > 10, reads null',
        'released (ended) 10 > 10, reads 10',
      ])
    },
  )

  test('for one register does not keep another from being released', async () => {
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

  test('that loses the answer to a write leads to a read, because the value may be there', async () => {
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

  test('repeatedly is reported once per holder', async () => {
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

  test('only because it is still being opened is not a failure', async () => {
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

  test('and comes back during a write leads to another write', async () => {
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

describe('equipment that loses its setpoint', () => {
  test('gets it again when its link comes back', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    device.equipment.cut = 'restarts'
    await device.pass(2)
    device.equipment.forget()
    device.equipment.cut = undefined
    await device.pass(6)
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('and cannot be read gets it again when its link comes back', async () => {
    const device = await aPowerController({ power: { accessType: 'WRITE' } })
    await device.override('power', 20, 0, 600)
    device.equipment.cut = 'restarts'
    await device.pass(2)
    device.equipment.forget()
    device.equipment.cut = undefined
    await device.pass(6)
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('without losing its link gets it again when a poll shows the loss', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    await device.pass(10)
    device.equipment.forget()
    await device.pass(2)
    expect(device.equipment.points.get('power')).toBe(20)
    expect(auditLines(device)).toEqual([APPLIED])
  })

  test('repeatedly is written at most every 5 s', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    for (let second = 0; second < 60; second += 1) {
      device.equipment.forget()
      await device.pass(1)
    }
    expect(written(device).length).toBeLessThanOrEqual(14)
  })
})
