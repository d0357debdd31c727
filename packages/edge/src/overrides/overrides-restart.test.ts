import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import type { Point } from '../device-parts.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const APPLIED = 'applied (window) 10 > 20, reads 20'

describe.each(['restart', 'crash'] as const)('a %s', (end) => {
  test('during an override resumes it, writes it again, and reports nothing new', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    device.equipment.forget()
    await device[end](60)
    expect(device.equipment.points.get('power')).toBe(20)
    expect((await device.values()).power).toMatchObject({ lockedBy: 'demand-response' })
    expect(auditLines(device)).toEqual([APPLIED])
    await device.pass(540)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toEqual([APPLIED, 'released (ended) 10 > 10, reads 10'])
  })

  test('after `to` does not resume it, but restores the equipment and reports the release', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device[end](61)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(device.equipment.writes.map(({ raw }) => raw)).toEqual([20, 10])
    expect(auditLines(device)).toEqual([APPLIED, 'released (restart) 10 > 10, reads 10'])
  })

  test('across `to` does not write the ended setpoint again, however late the link comes up', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    const opening = Promise.withResolvers<void>()
    device.equipment.opening = opening.promise
    await device[end](59.9)
    await device.pass(0.05)
    opening.resolve()
    device.equipment.beforeWrite = () => device.clock.advanceNow(60)
    await device.pass(1)
    expect(device.equipment.writes.map(({ raw }) => raw)).toEqual([20, 10])
    expect(auditLines(device).at(-1)).toBe('released (ended) 10 > 10, reads 10')
  })

  test('after the end of the active override continues with the superseded one', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    await device.override('power', 30, 0, 60)
    await device[end](61)
    expect(device.equipment.points.get('power')).toBe(20)
    expect(auditLines(device)).toEqual([
      APPLIED,
      'applied (window) 20 > 30, reads 30',
      'released (restart) 20 > 20, reads 20',
    ])
  })

  test('keeps queued overrides', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 60, 120)
    await device[end](30)
    await device.pass(30)
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('across the start of an override applies it', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 60, 120)
    await device[end](70)
    expect(device.equipment.points.get('power')).toBe(20)
    expect(auditLines(device)).toEqual([APPLIED])
  })

  test('across a whole override writes nothing, and closes it in the audit', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 60, 120)
    await device[end](130)
    expect(device.equipment.writes).toEqual([])
    expect(auditLines(device)).toEqual(['released (restart) null > null, reads null'])
  })

  test('keeps the order of acceptance', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    await device.override('power', 30, 0, 600)
    await device[end]()
    await device.override('power', 40, 0, 60)
    await device[end]()
    expect(device.equipment.points.get('power')).toBe(40)
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(30)
  })
})

describe('a power cut', () => {
  test('between saving and carrying out a cancel does not lose the cancel', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 600)
    device.dieAt('flush:after')
    await expect(device.cancel(id)).rejects.toThrow('died')
    expect(device.equipment.points.get('power')).toBe(20)
    await device.crash()
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toEqual([APPLIED, 'released (cancelled) 10 > 10, reads 10'])
  })

  test('before a command is on disk leaves nothing behind', async () => {
    const device = await aPowerController()
    device.dieAt('flush:before')
    await expect(device.override('power', 20, 0, 600)).rejects.toThrow('died')
    await device.crash()
    await device.pass(60)
    expect(device.equipment.writes).toEqual([])
    expect(auditLines(device)).toEqual([])
  })

  test.each<Point>(['flush:after', 'write:before', 'write:after', 'report:confirmed'])(
    'at %s loses neither a saved command nor the plain value',
    async (point) => {
      const device = await aPowerController()
      device.dieAt(point)
      await device.override('power', 20, 0, 600).catch(() => {})
      await device.pass(1)
      expect(device.dead).toBe(true)
      await device.crash()
      await device.pass(1)
      expect(device.equipment.points.get('power')).toBe(20)
      await device.pass(600)
      expect(device.equipment.points.get('power')).toBe(10)
      expect(auditLines(device)).toEqual([APPLIED, 'released (ended) 10 > 10, reads 10'])
    },
  )
})

describe('the cloud', () => {
  test('that is offline does not affect overrides, and gets the reports later, in order', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 60, 600)
    device.uplink = false
    await device.pass(60)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.crash(1000)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toEqual([])
    await device.reconnect()
    expect(device.reports.map(({ seq, phase, overrideId }) => [seq, phase, overrideId])).toEqual([
      [1, 'applied', id],
      [2, 'released', id],
    ])
  })
})

describe('a device that was stopped', () => {
  test('leaves no timer behind, whatever was in progress', async () => {
    const device = await aPowerController({
      power: { writeInterval: 10 },
      more: [aDatapoint({ id: 'beat', accessType: 'READ_WRITE' })],
      points: { beat: 0 },
      system: { failsafes: [{ datapointId: 'power', kind: 'heartbeat', registerId: 'beat', seconds: 5 }] },
    })
    await device.override('power', 20, 0, 600)
    const refused = expect(device.override('power', 30, 0, 600)).rejects.toThrow('is stopping, so nothing was done')
    await device.stop()
    await refused
    expect(device.clock.waiting()).toEqual([])
  })

  test('rejects a last-moment cancel that it could not carry out', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 600)
    const refused = expect(device.cancel(id)).rejects.toThrow('is stopping')
    await device.restart()
    await refused
    expect(device.equipment.points.get('power')).toBe(20)
    await device.cancel(id)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('at the end of an override releases it at the next start', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    device.clock.advanceNow(60_000)
    await device.restart()
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toHaveLength(2)
  })
})
