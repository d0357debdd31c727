import type { Datapoint, Failsafe } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import type { Point } from '../device-parts.ts'
import type { Controller } from '../testing/controller.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const guarded = (
  kind: Failsafe['kind'],
  seconds: number,
  { reached, guard }: { reached?: (point: Point) => void; guard?: Partial<Datapoint> } = {},
) =>
  aPowerController({
    ...(reached && { reached }),
    more: [aDatapoint({ accessType: 'READ_WRITE', ...guard, id: 'guard' })],
    points: { guard: 0 },
    system: { failsafes: [{ datapointId: 'power', kind, registerId: 'guard', seconds }] },
  })

const signals = ({ equipment }: Controller) => equipment.writes.filter(({ id }) => id === 'guard').map(({ raw }) => raw)
const order = ({ equipment }: Controller) => equipment.writes.map(({ id }) => id)

describe('a reversion timer', () => {
  test('is armed before the setpoint is written, re-armed during the hold, and disarmed after the release', async () => {
    const device = await guarded('reversion', 90)
    await device.override('power', 20, 0, 100)
    expect(order(device)).toEqual(['guard', 'power'])
    await device.pass(99)
    expect(signals(device)).toEqual([90, 90, 90, 90])
    await device.pass(1)
    expect(order(device).slice(-2)).toEqual(['power', 'guard'])
    expect(device.equipment.points.get('guard')).toBe(0)
    const before = signals(device).length
    await device.pass(600)
    expect(signals(device)).toHaveLength(before)
  })

  test('that cannot be armed prevents the hold', async () => {
    const device = await guarded('reversion', 90)
    device.equipment.refuse.add('guard')
    await device.override('power', 20, 0, 100)
    await device.pass(10)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device).map((line) => line.split(' ')[0])).toEqual(['applied', 'write-failed'])
    device.equipment.refuse.clear()
    await device.pass(30)
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test.each(['busy', 'shows the old value'])(
    'that is %s when it is disarmed is disarmed later, and only then is the release over',
    async (how) => {
      const device = await guarded('reversion', 90)
      await device.override('power', 20, 0, 60)
      if (how === 'busy') device.equipment.refuse.add('guard')
      else device.equipment.ignores.add('guard')
      await device.pass(70)
      expect(device.equipment.points.get('power')).toBe(10)
      expect(auditLines(device).at(-1)).toBe('write-failed (ended) 10 > 10, reads null')
      device.equipment.refuse.clear()
      device.equipment.ignores.clear()
      await device.pass(10)
      expect(device.equipment.points.get('guard')).toBe(0)
      expect(auditLines(device).at(-1)).toBe('released (ended) 10 > 10, reads 10')
    },
  )

  test.each(['write:before', 'write:after', 'flush:before', 'flush:after'] as const)(
    'is disarmed after a kill at any %s of a release',
    async (point) => {
      for (let skip = 0; skip < 4; skip += 1) {
        let left = Number.POSITIVE_INFINITY
        const device: Controller = await guarded('reversion', 90, {
          reached: (at) => {
            if (at === point && left-- === 0) device.dieAt(point)
          },
        })
        await device.override('power', 20, 0, 60)
        await device.pass(55)
        left = skip
        await device.pass(10)
        if (device.dead) await device.crash()
        await device.pass(10)
        expect(device.equipment.points.get('power'), `killed after ${skip}`).toBe(10)
        expect(device.equipment.points.get('guard'), `killed after ${skip}`).toBe(0)
        const released = auditLines(device).filter((line) => line.startsWith('released'))
        expect(released, `killed after ${skip}`).toHaveLength(1)
      }
    },
  )

  test('is left to expire when the equipment refuses its release, and when a person closes the hold', async () => {
    const device = await guarded('reversion', 90)
    const id = await device.override('power', 20, 0, 3600)
    device.equipment.refuse.add('power')
    await device.cancel(id)
    await device.pass(1)
    const before = signals(device).length
    await device.pass(300)
    expect(signals(device)).toHaveLength(before)
    await device.call('closeHold', { datapointId: 'power', outcome: 'abandoned', reason: 'gone' })
    await device.pass(300)
    expect(signals(device)).toHaveLength(before)
  })

  test('that is slow to arm does not let a cancelled override be written', async () => {
    const device = await guarded('reversion', 90)
    const slow = Promise.withResolvers<void>()
    device.equipment.beforeWrite = (id) => (id === 'guard' ? slow.promise : undefined)
    const id = await device.override('power', 20, 0, 100)
    await device.cancel(id)
    device.equipment.beforeWrite = undefined
    slow.resolve()
    await device.pass(10)
    expect(device.equipment.writes.filter((write) => write.id === 'power' && write.raw === 20)).toEqual([])
    expect(device.equipment.points.get('power')).toBe(10)
    expect(device.equipment.points.get('guard')).toBe(0)
  })

  test('is armed again after a power cut, and disarmed if the override has ended by then', async () => {
    const device = await guarded('reversion', 90)
    await device.override('power', 20, 0, 100)
    await device.crash()
    expect(signals(device)).toEqual([90, 90])
    await device.crash(200)
    expect(device.equipment.points.get('guard')).toBe(0)
  })

  test('is re-armed again after a failed attempt', async () => {
    const device = await guarded('reversion', 90)
    await device.override('power', 20, 0, 1000)
    device.equipment.refuse.add('guard')
    await device.pass(31)
    device.equipment.refuse.clear()
    await device.pass(120)
    expect(signals(device).length).toBeGreaterThanOrEqual(5)
  })

  test('is not re-armed by a signal in flight during the release', async () => {
    const device = await guarded('reversion', 90)
    await device.override('power', 20, 0, 40)
    const slow = Promise.withResolvers<void>()
    device.equipment.beforeWrite = (id, raw) => (id === 'guard' && raw === 90 ? slow.promise : undefined)
    await device.pass(45)
    expect(device.equipment.points.get('power')).toBe(10)
    slow.resolve()
    await device.pass(300)
    expect(signals(device).filter((raw) => raw === 90)).toHaveLength(2)
  })
})

describe("the equipment's own timer", () => {
  /** Equipment with a timer of two minutes for `power`, and what became of it beside the setpoints. */
  async function timed() {
    const device = await aPowerController()
    const { equipment } = device
    const timer = { seconds: 0, refused: undefined as string | undefined, events: [] as (string | number)[] }
    equipment.armReversion = async (id) => {
      if (timer.refused !== undefined) throw new Failure('rejected', timer.refused)
      if (id !== 'power') return undefined
      timer.events.push('arm')
      timer.seconds = 120
      return timer.seconds
    }
    equipment.disarmReversion = async () => {
      timer.events.push('disarm')
      timer.seconds = 0
    }
    equipment.beforeWrite = (id, raw) => {
      timer.events.push(`${id} ${raw}`)
    }
    return { device, timer }
  }

  test('is armed before each setpoint, which is written again in time, and disarmed after the release', async () => {
    const { device, timer } = await timed()
    await device.override('power', 20, 0, 100)
    expect(timer.events).toEqual(['arm', 'power 20'])
    await device.pass(99)
    expect(timer.events).toEqual(['arm', 'power 20', 'arm', 'power 20', 'arm', 'power 20'])
    await device.pass(1)
    expect(timer.events.slice(-2)).toEqual(['power 10', 'disarm'])
    const before = timer.events.length
    await device.pass(600)
    expect(timer.events).toHaveLength(before)
    expect(auditLines(device)).toEqual(['applied (window) 10 > 20, reads 20', 'released (ended) 10 > 10, reads 10'])
  })

  test('that cannot be armed prevents the hold', async () => {
    const { device, timer } = await timed()
    timer.refused = 'the reversion timer cannot be set'
    await device.override('power', 20, 0, 100)
    await device.pass(10)
    expect(device.equipment.points.get('power')).toBe(10)
    timer.refused = undefined
    await device.pass(30)
    expect(device.equipment.points.get('power')).toBe(20)
  })

  test('is armed again after a power cut, and disarmed if the override has ended by then', async () => {
    const { device, timer } = await timed()
    await device.override('power', 20, 0, 100)
    timer.events.length = 0
    await device.crash()
    expect(timer.events).toEqual(['arm', 'power 20'])
    await device.crash(200)
    expect(timer).toMatchObject({ seconds: 0 })
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('is left alone where the file names a failsafe', async () => {
    const device = await guarded('reversion', 90)
    const armed: string[] = []
    device.equipment.armReversion = async (id) => {
      armed.push(id)
      return 120
    }
    await device.override('power', 20, 0, 100)
    await device.pass(200)
    expect(armed).toEqual([])
  })
})

describe('a heartbeat', () => {
  test('changes three times per period during the hold, and stops with it', async () => {
    const device = await guarded('heartbeat', 5)
    await device.override('power', 20, 0, 60)
    await device.pass(59)
    const beats = signals(device)
    expect(beats).toHaveLength(36)
    expect(new Set(beats).size).toBe(36)
    await device.pass(2)
    const atTheEnd = signals(device).length
    await device.pass(60)
    expect(signals(device)).toHaveLength(atTheEnd)
  })

  test('starts again before it is larger than its register', async () => {
    // 90 is the largest number that it can hold.
    const scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 1e14 }
    const device = await guarded('heartbeat', 3, { guard: { scaler } })
    await device.override('power', 20, 0, 300)
    await device.pass(200)
    const beats = signals(device)
    expect(beats).toHaveLength(201)
    expect(beats.filter((beat, at) => beat === beats[at + 1])).toEqual([])
  })

  test('stops with the controller', async () => {
    const device = await guarded('heartbeat', 5)
    await device.override('power', 20, 0, 60)
    const before = signals(device).length
    await device.stop()
    await device.pass(60)
    expect(signals(device)).toHaveLength(before)
  })

  test('stops when it is no longer commissioned', async () => {
    const device = await guarded('heartbeat', 5)
    await device.override('power', 20, 0, 600)
    const { connections } = device.system
    await device.commission({ ...device.system, connections, failsafes: [] })
    await device.pass(5)
    const before = signals(device).length
    await device.pass(60)
    expect(signals(device)).toHaveLength(before)
  })
})

describe('the register of a failsafe', () => {
  test('cannot be overridden', async () => {
    const device = await guarded('reversion', 90)
    await expect(device.override('guard', 1, 0, 60)).rejects.toThrow('is the failsafe register of another datapoint')
  })
})
