import { formatTimestamp } from '@plantroom/contract/timestamp'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../overrides/once.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const STALL_MS = 13_000
const DEADLINE_MS = 10_000

/** A controller whose disk takes 13 s for the next flush when the test says so. */
async function onStallingDisk() {
  const clock = createManualClock()
  const disk = { stalls: 0 }
  const device = await aPowerController({
    clock,
    reached(point) {
      if (point !== 'flush:before' || disk.stalls === 0) return
      disk.stalls -= 1
      clock.advanceNow(STALL_MS)
    },
  })
  /** A caller whom the cloud answers with 502 after 10 s. */
  const waiting = (about: Partial<Caller> = {}) => {
    const deadline = clock.monotonic() + DEADLINE_MS
    return { reqId: crypto.randomUUID(), inTime: () => clock.monotonic() <= deadline, ...about }
  }
  const data = (value = 20, fromS = 0) => ({
    ...{ datapointId: 'power', value },
    ...{ from: formatTimestamp(clock.now() + fromS * 1000), to: formatTimestamp(clock.now() + 3_600_000) },
  })
  const written = () => device.equipment.writes.map(({ raw }) => raw)
  return { device, disk, clock, waiting, data, written }
}

describe('an override that reaches the disk after its deadline', () => {
  test('is rejected, and never written', async () => {
    const { device, disk, waiting, data, written } = await onStallingDisk()
    disk.stalls = 1
    await expect(device.call('demandResponseOverride', data(), waiting())).rejects.toThrow('disk')
    await device.pass(60)
    expect([written(), device.equipment.points.get('power')]).toEqual([[], 10])
    expect((await device.values()).power).not.toHaveProperty('locked')
    expect(auditLines(device)).toEqual([])
  })

  test('stays undone after a power cut', async () => {
    const { device, disk, waiting, data, written } = await onStallingDisk()
    disk.stalls = 1
    await expect(device.call('demandResponseOverride', data(), waiting())).rejects.toThrow('disk')
    await device.crash()
    await device.pass(60)
    expect(written()).toEqual([])
    expect(auditLines(device)).toEqual([])
  })

  test('can be sent again with the same reqId, and is a new one', async () => {
    const { device, disk, waiting, data, written } = await onStallingDisk()
    const [request, { reqId }] = [data(), waiting()]
    disk.stalls = 1
    await expect(device.call('demandResponseOverride', request, waiting({ reqId }))).rejects.toThrow('disk')
    const { id } = (await device.call('demandResponseOverride', request, waiting({ reqId }))) as { id: string }
    await device.pass(1)
    expect(written()).toEqual([20])
    await device.cancel(id)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toHaveLength(2)
  })

  test('leaves the override that it would have superseded, and its story', async () => {
    const { device, disk, waiting, data, written } = await onStallingDisk()
    await device.override('power', 30, 0, 600)
    disk.stalls = 1
    await expect(device.call('demandResponseOverride', data(), waiting())).rejects.toThrow('disk')
    await device.pass(60)
    expect(new Set(written())).toEqual(new Set([30]))
    await device.pass(600)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device)).toEqual(['applied (window) 10 > 30, reads 30', 'released (ended) 10 > 10, reads 10'])
  })

  test('leaves no trace when it would have started later', async () => {
    const { device, disk, waiting, data, written } = await onStallingDisk()
    disk.stalls = 1
    await expect(device.call('demandResponseOverride', data(20, 60), waiting())).rejects.toThrow('disk')
    await device.pass(120)
    expect(written()).toEqual([])
    expect(auditLines(device)).toEqual([])
  })

  test('is not written while the disk stalls again with the record that undoes it', async () => {
    const { device, disk, waiting, data, written } = await onStallingDisk()
    disk.stalls = 3
    await expect(device.call('demandResponseOverride', data(), waiting())).rejects.toThrow('disk')
    await device.pass(60)
    expect(written()).toEqual([])
  })

  test('stays when a repeated request still waits for it', async () => {
    const { device, disk, waiting, data, written } = await onStallingDisk()
    const [request, { reqId }] = [data(), waiting()]
    disk.stalls = 1
    const [first, second] = await Promise.all([
      device.call('demandResponseOverride', request, waiting({ reqId })),
      device.call('demandResponseOverride', request, { reqId, inTime: () => true }),
    ])
    expect(second).toEqual(first)
    await device.pass(1)
    expect(written()).toEqual([20])
  })

  test('does not keep those in time that share its flush from being applied', async () => {
    const { device, disk, waiting, data, written } = await onStallingDisk()
    disk.stalls = 1
    const late = device.call('demandResponseOverride', data(20), waiting())
    const inTime = device.call('demandResponseOverride', data(40), { inTime: () => true })
    await expect(late).rejects.toThrow('disk')
    await inTime
    await device.pass(1)
    expect(written()).toEqual([40])
    // The second one superseded it in the same transaction, so its story had begun.
    const late20 = device.reports.filter(({ overrideId }) => overrideId === device.reports[0]?.overrideId)
    expect(late20.map(({ phase, readBack }) => [phase, readBack])).toEqual([
      ['applied', null],
      ['released', null],
    ])
  })
})

test('a cancel that reaches the disk after its deadline stays', async () => {
  const { device, disk, waiting } = await onStallingDisk()
  const id = await device.override('power', 30, 0, 600)
  disk.stalls = 1
  await device.cancel(id, waiting())
  await device.pass(1)
  expect(device.equipment.points.get('power')).toBe(10)
})
