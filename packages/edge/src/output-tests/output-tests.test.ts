import { randomUUID } from 'node:crypto'
import { type Datapoint, NO_ENVELOPE } from '@plantroom/contract/datapoint'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import type { Point } from '../device-parts.ts'
import type { Controller } from '../testing/controller.ts'
import { aPowerController } from '../testing/power-controller.ts'

const ENVELOPE = { min: -50, max: 50 }

/** A controller with a battery `power` at 10 kW, a pump, and a grid meter that shows both and 20 kW of other loads. */
async function aSite({ power, sign = 1 }: { power?: Partial<Datapoint>; sign?: 1 | -1 } = {}) {
  const device = await aPowerController({
    power: { writeInputData: ENVELOPE, ...power },
    more: [
      aDatapoint({
        id: 'pump',
        accessType: 'READ_WRITE',
        writeInputData: { min: 0, max: 20 },
        limits: { minOnSeconds: 30, minOffSeconds: 45 },
      }),
    ],
    points: { pump: 0 },
  })
  const site = { others: 20 }
  const drawn = () =>
    site.others + Number(device.equipment.points.get('power')) + Number(device.equipment.points.get('pump'))
  device.equipment.showing = (id, raw) => (id === 'meter' ? sign * drawn() : raw)
  await device.pass(1)
  return Object.assign(site, { device })
}

const start = async (device: Controller, data: object = {}, caller: object = {}): Promise<string> => {
  const request = { datapointId: 'power', value: 15, seconds: 30, meterId: 'meter', ...data }
  const { id } = (await device.call('testOutput', request, caller)) as { id: string }
  await device.pass(0)
  return id
}
const register = (device: Controller, id = 'power') => device.equipment.points.get(id)
const results = ({ reports }: Controller) => reports.filter(({ phase }) => phase === 'tested')

describe('a test of an output', () => {
  test('holds the value, gives it back, and reports what the equipment and the meter showed', async () => {
    const { device } = await aSite()
    const id = await start(device, {}, { keyId: 'user:usr_1', name: 'ann@example.com' })
    expect(register(device)).toBe(15)
    expect((await device.values()).power).toMatchObject({ lockedBy: 'demand-response' })
    await device.pass(29)
    expect(register(device)).toBe(15)
    await device.pass(2)
    expect(register(device)).toBe(10)
    await device.pass(30)
    expect(device.reports.map(({ phase, overrideId }) => [phase, overrideId])).toEqual([
      ['applied', id],
      ['released', id],
      ['tested', id],
    ])
    expect(device.reports.map(({ placedBy }) => placedBy)).toEqual(
      Array(3).fill({ id: 'user:usr_1', name: 'ann@example.com', reason: 'test of one output' }),
    )
    expect(results(device)).toMatchObject([{ reason: 'ended', valueBefore: 10, value: 15, readBack: 15 }])
    expect(results(device)[0]?.test).toMatchObject({
      ...{ meterId: 'meter', taken: true },
      before: { value: 10, meter: 30, spread: 0, readings: 1 },
      held: { value: 15, meter: 35, spread: 0 },
      after: { value: 10, meter: 30, spread: 0 },
    })
    expect(results(device)[0]?.test?.held.readings).toBeGreaterThan(5)
    expect(device.state?.holds).toEqual([])
  })

  test('needs no meter, and says when the equipment does not take the value', async () => {
    const { device } = await aSite()
    device.equipment.ignores.add('power')
    await start(device, { meterId: undefined })
    await device.pass(120)
    expect(register(device)).toBe(10)
    expect(results(device)[0]?.test).toEqual({
      ...{ meterId: null, taken: false },
      before: { value: 10, meter: null, spread: 0, readings: 0 },
      held: { value: 10, meter: null, spread: 0, readings: 0 },
      after: { value: 10, meter: null, spread: 0, readings: 0 },
    })
  })

  test('shows how much other loads moved meanwhile', async () => {
    const site = await aSite()
    await start(site.device)
    await site.device.pass(25)
    site.others = 24
    await site.device.pass(60)
    expect(results(site.device)[0]?.test).toMatchObject({ held: { spread: 4 }, after: { meter: 34 } })
  })

  test('ends when a person stops it, and says so', async () => {
    const { device } = await aSite()
    const id = await start(device)
    await device.pass(5)
    await device.cancel(id)
    expect(register(device)).toBe(10)
    await device.pass(60)
    expect(results(device)).toMatchObject([{ reason: 'cancelled', test: { after: { value: 10, meter: 30 } } }])
  })

  test('gives way to an override, which stays', async () => {
    const { device } = await aSite()
    await start(device)
    await device.pass(5)
    await device.override('power', 40, 0, 600)
    await device.pass(60)
    expect(register(device)).toBe(40)
    expect(results(device)).toMatchObject([{ reason: 'superseded', test: { after: null } }])
    await device.pass(600)
    expect(register(device)).toBe(10)
  })

  test('waits for equipment that takes its time to be back', async () => {
    const { device } = await aSite()
    await start(device)
    await device.pass(29)
    device.equipment.ignores.add('power')
    await device.pass(20)
    expect(results(device)).toEqual([])
    device.equipment.ignores.delete('power')
    await device.pass(120)
    expect(register(device)).toBe(10)
    expect(results(device)[0]?.test?.after).toMatchObject({ value: 10, meter: 30 })
  })

  test('is placed once for a repeated request', async () => {
    const { device } = await aSite()
    const caller = { reqId: randomUUID() }
    const id = await start(device, {}, caller)
    await device.pass(3)
    expect(await start(device, {}, caller)).toBe(id)
    await device.pass(100)
    expect(await start(device, {}, caller)).toBe(id)
    expect(results(device)).toHaveLength(1)
    expect(register(device)).toBe(10)
  })
})

describe('a test is refused', () => {
  test.each<[string, Partial<Datapoint>, string | undefined]>([
    ['without an envelope', {}, 'datapoint power has no envelope, so nothing bounds a test; add writeInputData'],
    ['with the envelope that the service fills in', { writeInputData: NO_ENVELOPE }, 'has no envelope'],
    ['with a limit on one side', { limits: { max: 60 } }, 'has no envelope'],
    ['but not with limits on both sides', { limits: { min: 0, max: 60 } }, undefined],
  ])('on an output %s', async (_which, power, message) => {
    const device = await aPowerController({ power })
    const starting = start(device)
    if (message === undefined) return expect(await starting).toBeTruthy()
    await expect(starting).rejects.toThrow(message)
    await device.pass(5)
    expect(device.equipment.writes).toEqual([])
  })

  test.each<[string, object, string]>([
    [
      'outside of the envelope',
      { value: 51 },
      'value 51 is outside of the envelope of datapoint power, -50 to 50; choose',
    ],
    ['for more than a minute', { seconds: 61 }, 'seconds must be at most 60'],
    ['for no time', { seconds: 0 }, 'seconds must be at least 5'],
    ['at the value that is there', { value: 10 }, 'datapoint power is already at 10; choose another value'],
    [
      'on a datapoint that is only read',
      { datapointId: 'meter', meterId: 'pump' },
      'datapoint meter is READ: it cannot be written',
    ],
    ['on a datapoint that is not there', { datapointId: 'none' }, 'datapoint none is not loaded on this device'],
    [
      'with a meter that is not there',
      { meterId: 'none' },
      'the meter none is not loaded on this device; choose another',
    ],
    ['with the output as its meter', { meterId: 'power' }, 'datapoint power is no meter of this test'],
    [
      'that switches equipment for less than its minimum time',
      { datapointId: 'pump', value: 5, seconds: 29 },
      'limits.minOnSeconds of datapoint pump is 30, so it must not be switched back after 29 seconds; test for longer',
    ],
  ])('%s', async (_why, data, message) => {
    const { device } = await aSite()
    await expect(start(device, data)).rejects.toThrow(message)
    await device.pass(5)
    expect([register(device), device.equipment.writes, device.reports]).toEqual([10, [], []])
  })

  test.each<[string, Partial<Datapoint>, string]>([
    ['that moves too far in a minute', { limits: { maxStepPerMinute: 8 } }, 'choose a value at most 4 from 10'],
    ['outside of the limits', { limits: { max: 12 } }, 'value 15 is above limits.max 12 of datapoint power'],
    ['of what could not be given back', { accessType: 'WRITE' }, 'add releaseValue to the commissioning file'],
  ])('%s', async (_why, power, message) => {
    const { device } = await aSite({ power })
    await expect(start(device)).rejects.toThrow(message)
    expect(device.equipment.writes).toEqual([])
  })

  test('while the output is held, or will be before the end', async () => {
    const { device } = await aSite()
    const id = await device.override('power', 20, 0, 600)
    await expect(start(device)).rejects.toThrow(/is held by Demand response until .*; test it when it is free/)
    await device.cancel(id)
    await device.override('power', 20, 20, 600)
    await expect(start(device)).rejects.toThrow(/an override of datapoint power starts at .*; test it when that has/)
    expect(register(device)).toBe(10)
  })

  test('while a schedule holds the output, and takes nothing from it', async () => {
    const always = { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const, from: '00:00', to: '00:00' }
    const slots = [{ ...always, mode: 'absolute' as const, value: 21 }]
    const schedules = [{ id: 'sch', name: 'Always', datapointId: 'power', slots }]
    const device = await aPowerController({ system: { schedules } })
    await device.pass(5)
    expect(register(device)).toBe(21)
    await expect(start(device)).rejects.toThrow('is held by Schedule; test it when it is free, or release it first')
    expect(register(device)).toBe(21)
  })

  test('to the second of two installers, even in the same moment', async () => {
    const { device } = await aSite()
    const [first, second, other] = await Promise.allSettled([
      start(device, { value: 20 }),
      start(device, { value: 30 }),
      start(device, { datapointId: 'pump', value: 1, seconds: 60 }),
    ])
    expect([first?.status, second?.status, other?.status]).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect([register(device), register(device, 'pump')]).toEqual([20, 0])
    await device.pass(100)
    expect([register(device), results(device).length]).toEqual([10, 1])
    await start(device, { datapointId: 'pump', value: 1, seconds: 60 })
    expect(register(device, 'pump')).toBe(1)
  })
})

describe('the output is back after a test', () => {
  test.each<Point>(['flush:after', 'write:before', 'write:after'])('that a power cut ends at %s', async (point) => {
    const { device } = await aSite()
    device.dieAt(point)
    await start(device).catch(() => {})
    await device.pass(1)
    expect(device.dead).toBe(true)
    await device.crash(5)
    await device.pass(40)
    expect(register(device)).toBe(10)
    expect(device.reports.map(({ phase }) => phase)).toEqual(['applied', 'released'])
    // The readings were lost with the memory; the next test has them.
    await start(device)
    await device.pass(90)
    expect(results(device)).toHaveLength(1)
  })

  test.each([10, 100])('that a power cut of %i s interrupts', async (seconds) => {
    const { device } = await aSite()
    await start(device)
    await device.pass(10)
    await device.crash(seconds)
    await device.pass(25)
    expect(register(device)).toBe(10)
    expect(device.reports.map(({ phase }) => phase)).toEqual(['applied', 'released'])
  })

  test('without the cloud, which gets the readings later', async () => {
    const { device } = await aSite()
    await start(device)
    device.uplink = false
    await device.pass(90)
    expect([register(device), results(device)]).toEqual([10, []])
    await device.crash(5)
    await device.reconnect()
    expect(results(device)).toMatchObject([{ reason: 'ended', test: { held: { value: 15, meter: 35 } } }])
  })

  test('whose disk was slower than its caller waited, and nothing is reported of it', async () => {
    const clock = createManualClock()
    let isSlow = false
    const reached = (point: Point) => {
      if (point === 'flush:before' && isSlow) clock.advanceNow(13_000)
      isSlow = false
    }
    const device = await aPowerController({ power: { writeInputData: ENVELOPE }, clock, reached })
    const deadline = clock.monotonic() + 10_000
    isSlow = true
    const caller = { inTime: () => clock.monotonic() <= deadline }
    await expect(start(device, {}, caller)).rejects.toThrow('took longer than the command was waited for')
    await device.pass(90)
    expect([register(device), device.reports]).toEqual([10, []])
    await start(device)
    expect(register(device)).toBe(15)
  })
})
