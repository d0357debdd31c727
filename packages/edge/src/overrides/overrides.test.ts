import { Failure } from '@plantroom/contract/failure'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { aPowerController, auditLines } from '../testing/power-controller.ts'

const LOCKED = { locked: true, lockedBy: 'demand-response' }

describe('an override that starts now', () => {
  test('is applied immediately, shown as locked, and released at its end', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 60)
    expect(device.equipment.points.get('power')).toBe(20)
    expect((await device.values()).power).toMatchObject(LOCKED)
    await device.pass(59.999)
    expect(device.equipment.points.get('power')).toBe(20)
    await device.pass(0.001)
    expect(device.equipment.points.get('power')).toBe(10)
    expect((await device.values()).power).not.toHaveProperty('locked')
    expect(device.reports).toMatchObject([
      {
        code: 4005,
        phase: 'applied',
        reason: 'window',
        overrideId: id,
        valueBefore: 10,
        value: 20,
        readBack: 20,
        seq: 1,
      },
      {
        code: 4005,
        phase: 'released',
        reason: 'ended',
        overrideId: id,
        valueBefore: 10,
        value: 10,
        readBack: 10,
        seq: 2,
      },
    ])
  })

  test('may have started in the past', async () => {
    const device = await aPowerController()
    await device.override('power', 20, -3600, 60)
    expect((await device.values()).power).toMatchObject({ value: 20, ...LOCKED })
  })

  test('is active and reported when the caller gets the answer', async () => {
    const device = await aPowerController()
    const reqId = crypto.randomUUID()
    await device.override('power', 20, 0, 60, { reqId })
    expect(device.reports).toMatchObject([
      { reqId, technicalSystemId: 'sys', connectionId: 'conn', datapointId: 'power', deviceId: 'dev_1' },
    ])
  })

  test('is not clamped to writeInputData', async () => {
    const device = await aPowerController({ power: { writeInputData: { min: -50, max: 50 } } })
    await device.override('power', 51, 0, 60)
    expect(device.equipment.points.get('power')).toBe(51)
  })
})

describe('an override in the future', () => {
  test('is queued, neither locked nor reported, and applied at its start', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 60, 120)
    await device.pass(59.999)
    expect((await device.values()).power).not.toHaveProperty('locked')
    expect(auditLines(device)).toEqual([])
    expect(device.equipment.writes).toEqual([])
    await device.pass(0.001)
    expect((await device.values()).power).toMatchObject({ value: 20, ...LOCKED })
    await device.pass(60)
    expect(auditLines(device)).toEqual(['applied (window) 10 > 20, reads 20', 'released (ended) 10 > 10, reads 10'])
  })

  test('is never written when it is cancelled, and its end is reported', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 60, 120)
    expect(await device.cancel(id)).toEqual({ success: true })
    await device.pass(200)
    expect(auditLines(device)).toEqual(['released (cancelled) null > null, reads null'])
    expect(device.reports).toMatchObject([{ code: 4005, overrideId: id }])
    expect(device.equipment.writes).toEqual([])
  })
})

describe('a cancel', () => {
  test('releases the datapoint immediately and is reported', async () => {
    const device = await aPowerController()
    const id = await device.override('power', 20, 0, 60)
    expect(await device.cancel(id)).toEqual({ success: true })
    expect(device.equipment.points.get('power')).toBe(10)
    expect((await device.values()).power).not.toHaveProperty('locked')
    expect(auditLines(device)).toEqual(['applied (window) 10 > 20, reads 20', 'released (cancelled) 10 > 10, reads 10'])
  })

  test('of an ended or cancelled override succeeds and does nothing, even after a restart', async () => {
    const device = await aPowerController()
    const cancelled = await device.override('power', 20, 0, 60)
    await device.cancel(cancelled)
    const ended = await device.override('power', 21, 0, 60)
    await device.pass(60)
    const before = auditLines(device)
    for (const id of [cancelled, ended]) expect(await device.cancel(id)).toEqual({ success: true })
    await device.restart()
    for (const id of [cancelled, ended]) expect(await device.cancel(id)).toEqual({ success: true })
    expect(auditLines(device)).toEqual(before)
  })

  test('of a superseded override writes nothing, and the override never becomes active', async () => {
    const device = await aPowerController()
    const below = await device.override('power', 20, 0, 600)
    const active = await device.override('power', 30, 0, 300)
    await device.cancel(below)
    expect((await device.values()).power).toMatchObject({ value: 30, ...LOCKED })
    await device.cancel(active)
    expect(device.equipment.points.get('power')).toBe(10)
    expect(auditLines(device).filter((line) => line.startsWith('applied'))).toHaveLength(2)
  })

  test('of the active override activates the most recently accepted one that has not ended', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 600)
    await device.override('power', 30, 0, 600)
    await device.override('power', 40, 300, 600)
    const active = await device.override('power', 50, 0, 600)
    await device.cancel(active)
    expect(device.equipment.points.get('power')).toBe(30)
    expect(auditLines(device).slice(-2)).toEqual([
      'applied (window) 30 > 50, reads 50',
      'released (cancelled) 30 > 30, reads 30',
    ])
  })

  test.each(['', 'ovr_', 'nonsense', '__proto__', `ovr_${'x'.repeat(60_000)}`, '\u0000'])(
    'of an id that this device never issued is rejected: %j',
    async (id) => {
      const device = await aPowerController()
      await device.override('power', 20, 0, 60)
      await expect(device.cancel(id)).rejects.toMatchObject({ kind: 'rejected' })
      expect(device.equipment.points.get('power')).toBe(20)
    },
  )

  test('of the id of another device is rejected', async () => {
    const [device, other] = [await aPowerController(), await aPowerController()]
    await expect(device.cancel(await other.override('power', 20, 0, 60))).rejects.toThrow(
      'never issued the override id',
    )
  })

  test('of a mistyped id shows it shortened and without control characters', async () => {
    const device = await aPowerController()
    const failure = await device.cancel(`\u001b[2J${'x'.repeat(5000)}`).catch((error: Error) => error)
    expect(String(failure)).not.toContain('\u001b')
    expect(String(failure).length).toBeLessThan(300)
  })
})

describe('of several overrides on one datapoint', () => {
  test('the one accepted last is active, then the next; each is applied and released once', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 300)
    await device.override('power', 30, 0, 200)
    await device.override('power', 40, 0, 100)
    const seen = []
    for (let round = 0; round < 4; round += 1) {
      seen.push(device.equipment.points.get('power'))
      await device.pass(100)
    }
    expect(seen).toEqual([40, 30, 20, 10])
    expect(auditLines(device)).toEqual([
      'applied (window) 10 > 20, reads 20',
      'applied (window) 20 > 30, reads 30',
      'applied (window) 30 > 40, reads 40',
      'released (ended) 30 > 30, reads 30',
      'released (ended) 20 > 20, reads 20',
      'released (ended) 10 > 10, reads 10',
    ])
  })

  test('one follows another without the plain value in between', async () => {
    const device = await aPowerController()
    await device.override('power', 20, 0, 60)
    await device.override('power', 30, 60, 120)
    await device.pass(60)
    expect(device.equipment.writes.map(({ raw }) => raw)).toEqual([20, 30])
  })

  test('one with the active setpoint has its own entries and writes nothing', async () => {
    const device = await aPowerController()
    const first = await device.override('power', 20, 0, 60)
    await device.override('power', 20, 0, 120)
    await device.cancel(first)
    await device.pass(60)
    expect((await device.values()).power).toMatchObject({ value: 20, ...LOCKED })
    await device.pass(60)
    expect(auditLines(device)).toEqual([
      'applied (window) 10 > 20, reads 20',
      'applied (window) 20 > 20, reads 20',
      'released (cancelled) 10 > null, reads null',
      'released (ended) 20 > 10, reads 10',
    ])
    expect(device.equipment.writes.map(({ raw }) => raw)).toEqual([20, 10])
  })

  test('one that follows another with the same value is reported under its own id', async () => {
    const device = await aPowerController()
    const first = await device.override('power', 20, 0, 60)
    const second = await device.override('power', 20, 60, 120)
    await device.pass(120)
    expect(device.reports.map(({ overrideId, phase, reason }) => [overrideId, phase, reason])).toEqual([
      [first, 'applied', 'window'],
      [first, 'released', 'ended'],
      [second, 'applied', 'window'],
      [second, 'released', 'ended'],
    ])
  })

  test('one that was superseded throughout is closed with that reason and never applied', async () => {
    const device = await aPowerController()
    await device.override('power', 30, 0, 600)
    const early = await device.override('power', 20, 100, 200)
    const late = await device.override('power', 25, 50, 300)
    await device.cancel(late)
    const superseded = await device.override('power', 40, 0, 600)
    await device.pass(200)
    const entriesOf = (id: string) => device.reports.filter(({ overrideId }) => overrideId === id)
    expect(entriesOf(early).map(({ phase, reason }) => [phase, reason])).toEqual([['released', 'superseded']])
    expect(entriesOf(late).map(({ phase, reason }) => [phase, reason])).toEqual([['released', 'cancelled']])
    expect(entriesOf(superseded).map(({ phase }) => phase)).toEqual(['applied'])
  })

  test('hundreds of overlapping ones end in the right order', async () => {
    const device = await aPowerController()
    for (let index = 0; index < 300; index += 1) await device.override('power', index, 0, 600 - index)
    expect(device.equipment.points.get('power')).toBe(299)
    await device.pass(600 - 100)
    expect(device.equipment.points.get('power')).toBe(99)
    await device.pass(100)
    expect(device.equipment.points.get('power')).toBe(10)
  })

  test('those of one datapoint do not affect another', async () => {
    const more = [aDatapoint({ id: 'heat', accessType: 'READ_WRITE' })]
    const device = await aPowerController({ more, points: { heat: 5 } })
    const power = await device.override('power', 20, 0, 60)
    await device.override('heat', 50, 0, 60)
    await device.cancel(power)
    expect([...device.equipment.points]).toEqual([
      ['power', 10],
      ['meter', 3],
      ['heat', 50],
    ])
  })
})

describe('a rejected command leaves no override, no report and no write', () => {
  const cases: [string, [string, number, number, number], string][] = [
    ['a datapoint that is not loaded', ['nowhere', 20, 0, 60], 'datapoint nowhere is not loaded on this device'],
    ['a datapoint that cannot be written', ['meter', 20, 0, 60], 'datapoint meter is READ: it cannot be written'],
    ['an end that is not after the start', ['power', 20, 60, 60], 'is not after from'],
    ['an end in the past', ['power', 20, -60, 0], 'is in the past'],
    ['more than 24 hours', ['power', 20, 0, 86_400.001], 'a window is at most 24 hours'],
    ['a value that is not finite', ['power', Number.POSITIVE_INFINITY, 0, 60], 'value is not a finite number'],
  ]
  test.each(cases)('%s', async (_, [id, value, from, to], message) => {
    const device = await aPowerController()
    await expect(device.override(id, value, from, to)).rejects.toMatchObject({
      kind: 'rejected',
      message: expect.stringContaining(message),
    })
    await device.restart()
    await device.pass(120)
    expect(device.equipment.writes).toEqual([])
    expect(auditLines(device)).toEqual([])
  })

  test('a value that the equipment cannot hold', async () => {
    const device = await aPowerController()
    device.equipment.nearest = (_id, raw) => {
      if (raw > 100) throw new Failure('rejected', `${raw} does not fit`)
      return raw
    }
    await expect(device.override('power', 101, 0, 60)).rejects.toThrow('101 does not fit')
    expect(device.equipment.writes).toEqual([])
  })

  test('a command that arrives after its deadline', async () => {
    const device = await aPowerController()
    await expect(device.override('power', 20, 0, 60, { inTime: () => false })).rejects.toThrow('deadline')
    const id = await device.override('power', 20, 0, 60)
    await expect(device.cancel(id, { inTime: () => false })).rejects.toThrow('deadline')
    expect(auditLines(device)).toEqual(['applied (window) 10 > 20, reads 20'])
  })
})
