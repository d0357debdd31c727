import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import type { Controller } from '../testing/controller.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const register = (device: Controller) => device.equipment.points.get('power')
const written = (device: Controller) => device.equipment.writes.map(({ raw }) => raw)

describe('a release that a restart of the controller interrupts', () => {
  test.each<[string, (device: Controller) => void, (device: Controller) => void]>([
    [
      'acknowledged, and not read since',
      ({ equipment }) => equipment.unreadable.set('power', 'exception 4'),
      ({ equipment }) => equipment.unreadable.clear(),
    ],
    [
      'acknowledged and ignored',
      ({ equipment }) => equipment.ignores.add('power'),
      ({ equipment }) => equipment.ignores.clear(),
    ],
    [
      'carried out without an answer',
      ({ equipment }) => {
        equipment.afterWrite = () => {
          equipment.cut = 'no answer in time'
          throw new Failure('offline', 'no answer in time')
        }
      },
      ({ equipment }) => {
        equipment.afterWrite = undefined
        equipment.cut = undefined
      },
    ],
    ['refused', ({ equipment }) => equipment.refuse.add('power'), ({ equipment }) => equipment.refuse.clear()],
  ])('is not sent again over what a person sets meanwhile: %s', async (_, begin, end) => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    begin(device)
    await device.pass(61)
    const before = written(device).length
    end(device)
    device.equipment.points.set('power', 44)
    await device.crash(30)
    await device.pass(10)
    expect(register(device)).toBe(44)
    expect(auditLines(device).at(-1)).toBe('released (differs) 10 > 10, reads 44')
    expect(written(device).slice(before)).toEqual([])
  })

  test('is not sent again while the equipment that acknowledged it cannot be read', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    device.equipment.unreadable.set('power', 'exception 4')
    await device.pass(61)
    await device.crash(30)
    await device.pass(60)
    expect(written(device)).toEqual([20, 10])
    device.equipment.unreadable.clear()
    await device.pass(2)
    expect(auditLines(device).at(-1)).toBe('released (ended) 10 > 10, reads 10')
  })

  test('restores a value that the equipment lost with its power before anything was sent', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    device.equipment.cut = 'power cut'
    await device.pass(61)
    await device.crash(30)
    device.equipment.points.set('power', 0)
    device.equipment.cut = undefined
    await device.pass(10)
    expect(register(device)).toBe(10)
    expect(auditLines(device).at(-1)).toBe('released (ended) 10 > 10, reads 10')
  })
})
