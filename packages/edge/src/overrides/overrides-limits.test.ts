import { formatTimestamp } from '@plantroom/contract/timestamp'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { aCaller } from '../testing/caller.ts'
import { aControlRig } from '../testing/control-rig.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'
import { DEFAULT_QUOTAS } from './check-window.ts'

const { inAll: MAX_OVERRIDES, perCaller } = DEFAULT_QUOTAS

describe('the limit of 10,000 overrides', () => {
  test('rejects the next one, even after a restart, until one has ended', async () => {
    const device = await aPowerController()
    const start = device.clock.now()
    const at = (seconds: number) => formatTimestamp(start + seconds * 1000)
    let placed = 0
    // Each caller places as many as it may.
    const place = (value: number, to: number) => {
      const keyId = `key_${Math.floor(placed++ / perCaller)}`
      return device.call(
        'demandResponseOverride',
        { datapointId: 'power', value, from: at(3600), to: at(to) },
        { keyId },
      )
    }

    const first = (await place(0, 3700)) as { id: string }
    const others = Array.from({ length: MAX_OVERRIDES - 1 }, (_, index) => place(index % 7, 3700 + (index % 50)))
    await Promise.all(others)
    await expect(place(1, 4000)).rejects.toThrow('the device already has 10000 overrides')
    await device.restart()
    await expect(place(1, 4000)).rejects.toThrow('the device already has 10000 overrides')
    await device.cancel(first.id)
    await place(1, 4000)
    await expect(place(1, 4000)).rejects.toThrow('the device already has 10000 overrides')
    await device.restart(3700)
    await expect(place(2, 5000)).resolves.toHaveProperty('id')
    expect(device.equipment.points.get('power')).toBe(2)
    await device.restart(1300)
    expect(device.equipment.points.get('power')).toBe(10)
    // Each has its closing entry, although only two were ever active.
    expect(auditLines(device).filter((line) => line.startsWith('released'))).toHaveLength(MAX_OVERRIDES + 2)
    expect(auditLines(device).filter((line) => line.startsWith('applied'))).toHaveLength(2)
  })
})

describe('a disk that cannot be written', () => {
  async function onBrokenDisk() {
    const rig = await aControlRig([aDatapoint({ id: 'power', accessType: 'READ_WRITE' })], { power: 10 })
    const window = (value: number) => ({
      datapointId: 'power',
      value,
      from: rig.clock.now(),
      to: rig.clock.now() + 60_000,
    })
    const { id } = JSON.parse(await rig.overrides.place(window(20), aCaller())) as { id: string }
    await rig.settle()
    rig.journal.exec('PRAGMA query_only = ON')
    return { rig, window, id, repair: () => rig.journal.exec('PRAGMA query_only = OFF') }
  }

  test('rejects a new override, which leaves nothing behind', async () => {
    const { rig, window } = await onBrokenDisk()
    await expect(rig.overrides.place(window(30), aCaller())).rejects.toThrow('cannot keep the command on its disk')
    await rig.settle()
    expect(rig.equipment.points.get('power')).toBe(20)
    expect(rig.equipment.writes).toHaveLength(1)
  })

  test('still lets an override be cancelled', async () => {
    const { rig, id } = await onBrokenDisk()
    await expect(rig.overrides.cancel(id, aCaller(), '')).resolves.toBe('{"success":true}')
    await rig.settle()
    expect(rig.equipment.points.get('power')).toBe(10)
  })

  test('still lets an override end, which is saved once the disk can be written', async () => {
    const { rig, repair } = await onBrokenDisk()
    await rig.clock.advance(60_000)
    await rig.settle()
    expect(rig.equipment.points.get('power')).toBe(10)
    repair()
    await rig.clock.advance(5_000)
    await rig.settle()
    expect(rig.entries().map(({ phase }) => phase)).toEqual(['applied', 'released'])
    expect(rig.journal.prepare('SELECT COUNT(*) AS held FROM override_window').get()).toEqual({ held: 0 })
  })

  test('recovers from a cancel that was sent twice with the same reqId', async () => {
    const { rig, id, window, repair } = await onBrokenDisk()
    const caller = aCaller()
    await rig.overrides.cancel(id, caller, '')
    await rig.overrides.cancel(id, caller, '')
    repair()
    await rig.clock.advance(5_000)
    await rig.settle()
    await expect(rig.overrides.place(window(40), aCaller())).resolves.toContain('ovr_')
  })
})
