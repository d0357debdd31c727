import type { ControlState } from '@plantroom/contract/control-state'
import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import type { Controller } from '../testing/controller.ts'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const APPLIED = 'applied (window) 10 > 20, reads 20'
const ENDED = 'released (ended) 10 > 10, reads 10'

const register = (device: Controller) => device.equipment.points.get('power')
const written = (device: Controller) => device.equipment.writes.map(({ raw }) => raw)
const holdsOf = async (device: Controller) =>
  ((await device.call('getControlState', {})) as Pick<ControlState, 'holds'>).holds

/** Lets the equipment carry out a write later than it was sent, or not at all. */
function onWrite(device: Controller, take: (raw: number) => number | undefined): void {
  device.equipment.keeps = (_id, raw) => (typeof raw === 'number' ? take(raw) : raw)
}

describe('a release', () => {
  test.each(['', ', across a power cut'])('that reaches nobody is not over until a reading shows it%s', async (how) => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    device.equipment.unreadable.set('power', 'no state has arrived yet')
    device.equipment.ignores.add('power')
    await device.pass(90)
    expect(await holdsOf(device)).toMatchObject([{ state: 'releasing', trouble: 'not-taken' }])
    expect(auditLines(device).filter((line) => line.startsWith('released'))).toEqual([])
    if (how !== '') await device.crash(30)
    device.equipment.ignores.clear()
    device.equipment.unreadable.clear()
    await device.pass(2)
    expect(register(device)).toBe(10)
    expect(auditLines(device).at(-1)).toBe(ENDED)
    expect(await holdsOf(device)).toEqual([])
  })

  test('that was acknowledged is not repeated while nothing can be read, over what a person sets', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    device.equipment.unreadable.set('power', 'exception 4')
    await device.pass(61)
    expect(register(device)).toBe(10)
    device.equipment.points.set('power', 44)
    await device.pass(600)
    expect(register(device)).toBe(44)
    device.equipment.unreadable.clear()
    await device.pass(2)
    expect(auditLines(device).at(-1)).toBe('released (differs) 10 > 10, reads 44')
    expect(written(device)).toEqual([20, 10])
  })

  test('whose answers always come too late is not repeated over what a person sets', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    device.equipment.afterWrite = () => {
      // The equipment takes the value, and neither this answer nor any later one arrives in time.
      device.equipment.cut = 'no answer in time'
      throw new Failure('offline', 'no answer in time')
    }
    await device.pass(61)
    expect(register(device)).toBe(10)
    device.equipment.points.set('power', 44)
    await device.pass(600)
    expect(register(device)).toBe(44)
    device.equipment.cut = undefined
    await device.pass(10)
    expect(register(device)).toBe(44)
    expect(await holdsOf(device)).toEqual([])
  })

  test('to a value that the equipment rounds is over, and never written again', async () => {
    const device = await aPowerController({ points: { power: 102 } })
    onWrite(device, (raw) => Math.round(raw / 100) * 100)
    await device.override('power', 2000, 0, 60)
    await device.pass(60)
    expect(auditLines(device).at(-1)).toBe('released (differs) 102 > 102, reads 100')
    expect(await holdsOf(device)).toEqual([])
    device.equipment.points.set('power', 300)
    await device.pass(600)
    expect(written(device)).toEqual([2000, 102])
  })

  test('to a value that the equipment rounds to what it showed instead of an ignored setpoint is over, too', async () => {
    const device = await aPowerController({ points: { power: 102 } })
    onWrite(device, (raw) => Math.round(raw / 100) * 100)
    await device.override('power', 2000, 0, 60)
    device.equipment.unreadable.set('power', 'exception 6')
    await device.pass(61)
    // It is at 100 now, which nobody has read, and keeps that during the next override.
    device.equipment.ignores.add('power')
    device.equipment.unreadable.clear()
    await device.override('power', 3000, 0, 60)
    await device.pass(30)
    device.equipment.ignores.clear()
    device.equipment.keeps = (_id, raw) => (raw === 3000 ? undefined : 100)
    await device.pass(30)
    expect(auditLines(device).at(-1)).toBe('released (differs) 102 > 102, reads 100')
    expect(await holdsOf(device)).toEqual([])
  })

  test('of equipment that ignored the setpoint is over, and stays over, however noisy its own value is', async () => {
    const device = await aPowerController({ points: { power: 20 } })
    let reads = 0
    // The value before is read as 19.6; from then on 20 and 20.4 alternate.
    device.equipment.showing = (_id, raw) => {
      reads += 1
      return Number(raw) + (reads < 3 ? -0.4 : 0.4 * (reads % 2))
    }
    device.equipment.ignores.add('power')
    await device.override('power', 2000, 0, 60)
    await device.pass(61)
    device.equipment.ignores.clear()
    await device.pass(30)
    expect(await holdsOf(device)).toEqual([])
    const sent = written(device).length
    await device.pass(300)
    expect(written(device)).toHaveLength(sent)
  })

  test('that is ignored is repeated for equipment that rounds its setpoint', async () => {
    const device = await aPowerController()
    onWrite(device, (raw) => Math.round(raw / 100) * 100)
    await device.override('power', 2030, 0, 60)
    await device.pass(30)
    device.equipment.ignores.add('power')
    await device.pass(60)
    expect(register(device)).toBe(2000)
    expect(await holdsOf(device)).toMatchObject([{ state: 'releasing', trouble: 'not-taken' }])
    device.equipment.ignores.clear()
    await device.pass(30)
    expect(register(device)).toBe(0)
  })

  test('does not block commissioning while it is being watched', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device.pass(61)
    const [connection] = device.system.connections
    if (!connection) throw new Error('no connection')
    await device.commission({ ...device.system, connections: [{ ...connection, settings: { host: 'two' } }] })
    // What now answers there is other equipment.
    device.equipment.points.set('power', 20)
    await device.pass(120)
    expect(register(device)).toBe(20)
  })

  test.each([7, 40])('is repeated when a gateway carries out a write that timed out %d s later', async (seconds) => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    expect(auditLines(device)).toEqual([APPLIED, ENDED])
    device.clock.after(seconds * 1000, () => device.equipment.points.set('power', 20))
    await device.pass(seconds + 2)
    expect(register(device)).toBe(10)
    expect(auditLines(device)).toEqual([APPLIED, ENDED, 'not-taken (ended) 10 > 10, reads 20'])
  })

  test('is repeated when the equipment falls back, also after a restart of the controller', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    await device.crash()
    device.equipment.points.set('power', 20)
    await device.pass(3)
    expect(register(device)).toBe(10)
  })

  test('that is repeated restores what a person set since', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device.pass(65)
    device.equipment.points.set('power', 33)
    await device.pass(5)
    device.equipment.points.set('power', 20)
    await device.pass(5)
    expect(register(device)).toBe(33)
  })

  test('is watched for a minute and three polls, and then left alone', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device.pass(60 + 62)
    device.equipment.points.set('power', 20)
    await device.pass(120)
    expect(register(device)).toBe(20)
    expect(written(device)).toEqual([20, 10])
  })

  test('is watched on when the next override comes to nothing, and anew after one that was written', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    device.equipment.unreadable.set('power', 'exception 6')
    await device.pass(2)
    await device.override('power', 30, 1, 10)
    await device.pass(15)
    device.equipment.unreadable.clear()
    device.equipment.points.set('power', 20)
    await device.pass(3)
    expect(register(device)).toBe(10)

    await device.pass(40)
    await device.override('power', 30, 0, 50)
    await device.pass(60)
    expect(register(device)).toBe(10)
    device.equipment.points.set('power', 30)
    await device.pass(10)
    expect(register(device)).toBe(10)
  })

  test('does not leave the setpoint to the next override as the value to restore', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    device.equipment.points.set('power', 20)
    await device.override('power', 30, 0, 60)
    await device.pass(60)
    expect(register(device)).toBe(10)
  })
})

describe('a value that can be read but not written', () => {
  const refuse = (device: Controller) => {
    device.equipment.beforeWrite = (_id, raw) => {
      if (raw === 65_535) throw new Failure('rejected', 'exception 3')
    }
  }

  test('is replaced by releaseValue', async () => {
    const device = await aPowerController({ power: { releaseValue: 50 }, points: { power: 65_535 } })
    refuse(device)
    await device.override('power', 20, 0, 60)
    await device.pass(60)
    expect(register(device)).toBe(50)
    expect(auditLines(device).at(-1)).toBe('released (ended) 65535 > 65535, reads 50')
  })

  test.each([false, true])(
    'returns when equipment that refused everything takes writes again (restarted: %s)',
    async (restarts) => {
      const device = await aPowerController({ power: { releaseValue: 50 } })
      await device.override('power', 20, 0, 60)
      device.equipment.refuse.add('power')
      await device.pass(70)
      expect(register(device)).toBe(20)
      if (restarts) await device.crash()
      device.equipment.refuse.clear()
      await device.pass(60)
      expect(register(device)).toBe(10)
      expect(auditLines(device).at(-1)).toBe('released (ended) 10 > 10, reads 10')
    },
  )

  test('leaves the hold stuck without one, until a person closes it', async () => {
    const device = await aPowerController({ points: { power: 65_535 } })
    refuse(device)
    const id = await device.override('power', 20, 0, 60)
    const close = { datapointId: 'power', outcome: 'restored-by-hand', reason: 'set to 40 at the panel' }
    await expect(device.call('closeHold', close)).rejects.toThrow('held by Demand response; cancel its overrides first')
    await device.pass(60)
    expect(await holdsOf(device)).toMatchObject([{ state: 'stuck', troubleReason: 'exception 3' }])
    await device.crash()
    expect(device.equipment.writes.length).toBeGreaterThan(0)
    device.equipment.cut = 'panel open'
    await device.pass(5)
    const caller = { keyId: 'user:7', name: 'Mari' }
    expect(await device.call('closeHold', close, caller)).toEqual({ readBack: 20 })
    await device.pass(1)
    expect(await holdsOf(device)).toEqual([])
    expect(device.reports.at(-1)).toMatchObject({
      ...{ overrideId: id, phase: 'released', reason: 'restored-by-hand', readBack: 20 },
      cancelledBy: { id: 'user:7', name: 'Mari', reason: 'set to 40 at the panel' },
    })
    device.equipment.cut = undefined
    device.equipment.beforeWrite = undefined
    device.equipment.points.set('power', 40)
    await device.pass(300)
    expect(register(device)).toBe(40)
    await expect(device.call('closeHold', close)).rejects.toThrow('is not held, so there is nothing to close')
  })
})

describe('a change of the limits during a hold', () => {
  test('has its own audit entry', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    const limited = (max: number) => ({
      ...device.system,
      connections: device.system.connections.map((connection) => ({
        ...connection,
        datapoints: connection.datapoints.map((datapoint) =>
          datapoint.id === 'power' ? { ...datapoint, limits: { max } } : datapoint,
        ),
      })),
    })
    await device.commission(limited(15))
    await device.pass(5)
    expect(register(device)).toBe(15)
    await device.commission(limited(30))
    await device.pass(600)
    expect(register(device)).toBe(10)
    expect(auditLines(device)).toEqual([
      APPLIED,
      'limited (window) 10 > 15, reads 15',
      'limited (window) 10 > 20, reads 20',
      ENDED,
    ])
  })
})

test('a float64 register is written wherever the value differs at all', async () => {
  const device = await aPowerController({ points: { power: 1_000_000.25 } })
  await device.override('power', 1_000_000.75, 0, 60)
  expect(register(device)).toBe(1_000_000.75)
  await device.pass(60)
  expect(register(device)).toBe(1_000_000.25)
})
