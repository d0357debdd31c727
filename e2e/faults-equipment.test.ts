import type { CommissioningFile } from '@plantroom/contract/commissioning'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { holdOn } from './support/control-state.ts'
import { type Dispatchable, dispatchable, isFree, isHeld, registerIs, reported } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import { type FaultyEquipment, faultyEquipment, type WriteBehaviour } from './support/faulty-equipment.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const NAMES = ['Setpoint', 'Refreshed', 'Guarded', 'Reversion'] as const
type Name = (typeof NAMES)[number]
const REGISTER: Readonly<Record<Name, number>> = { Setpoint: 10, Refreshed: 20, Guarded: 30, Reversion: 40 }
const PLAIN = 50
const SECONDS_TO_REVERT = 3

let equipment: FaultyEquipment
let stack: Stack
let datapoints: Record<Name, Dispatchable>
let datapointIds: Record<Name, string>
let connectionId: string
let point: Dispatchable

beforeAll(async () => {
  equipment = await faultyEquipment()
  stack = await startStack()
  const connection = (await stack.commission(faultyFile(equipment.port))).connections[0]
  connectionId = connection?.id ?? ''
  const idOf = (name: Name) => connection?.datapoints.find((datapoint) => datapoint.name === name)?.id ?? ''
  datapointIds = Object.fromEntries(NAMES.map((name) => [name, idOf(name)])) as Record<Name, string>
  const entries = NAMES.map((name) => {
    const datapointId = idOf(name)
    const register = () => equipment.register(REGISTER[name])
    return [name, dispatchable(stack, { connectionId, datapointId, register })] as const
  })
  datapoints = Object.fromEntries(entries) as Record<Name, Dispatchable>
  point = datapoints.Setpoint
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await equipment?.[Symbol.asyncDispose]()
})

beforeEach(async () => {
  equipment.behaviour = 'obedient'
  await equipment.stop()
  await equipment.start()
  for (const name of NAMES) equipment.set(REGISTER[name], name === 'Reversion' ? 0 : PLAIN)
  // The controller still shows what it read before the equipment stopped.
  const polls = equipment.polls
  await eventually(async () => {
    expect(equipment.polls).toBeGreaterThan(polls)
    expect(await status()).toBe(1)
    expect(await point.shown()).toEqual({ value: PLAIN, timestamp: expect.any(String) })
  })
  equipment.writes.length = 0
})

// Overrides left by a failed test would disturb the next one.
let placed: string[] = []
afterEach(async () => {
  for (const id of placed) await point.cancel(id)
  placed = []
})

function faultyFile(port: number): CommissioningFile {
  const writable = (name: Name) => ({
    name,
    accessType: 'READ_WRITE' as const,
    data: { register: REGISTER[name], type: 'int16' },
  })
  return {
    technicalSystem: 'Faulty',
    connections: [
      {
        name: 'Faulty',
        protocol: 'modbus-tcp',
        settings: { host: '127.0.0.1', port, pollSeconds: 0.1, timeoutMs: 1000 },
        datapoints: [
          writable('Setpoint'),
          { ...writable('Refreshed'), writeInterval: 1 },
          { ...writable('Guarded'), failsafe: { reversion: 'Reversion', seconds: SECONDS_TO_REVERT } },
          writable('Reversion'),
        ],
      },
    ],
  }
}

async function status(): Promise<number> {
  return (await stack.partner.values(connectionId)).body.data.status
}

async function troubleOf(name: Name): Promise<string | null | undefined> {
  return (await holdOn(stack, datapointIds[name]))?.troubleReason
}

const written = (name: Name) =>
  equipment.writes.filter(({ register }) => register === REGISTER[name]).map(({ value }) => value)

async function place(of: Dispatchable, value: number, to = Date.now() + HOUR): Promise<string> {
  const id = await of.place(value, { to })
  placed.push(id)
  return id
}

/** Places an override that starts in a moment. */
async function queue(of: Dispatchable, value: number, to = Date.now() + HOUR): Promise<string> {
  const id = await of.place(value, { from: Date.now() + 1_500, to })
  placed.push(id)
  return id
}

/** Places an override that the equipment accepts. Resolves when it is reported as applied. */
async function hold(of: Dispatchable, value: number, to?: number): Promise<string> {
  const id = await place(of, value, to)
  await reported(of, id, [`applied ${value}`])
  expect(await of.register()).toBe(value)
  return id
}

async function release(of: Dispatchable, id: string): Promise<void> {
  expect((await of.cancel(id)).body.data).toEqual({ success: true })
  await registerIs(of, PLAIN)
  await eventually(() => isFree(of))
}

/** Waits long enough for a writer with an interval of one second to write again. */
async function someTimeLater(): Promise<void> {
  const polls = equipment.polls
  await eventually(() => expect(equipment.polls).toBeGreaterThan(polls + 25))
}

describe('equipment that does not accept a setpoint', () => {
  test.each<[string, WriteBehaviour, string, RegExp]>([
    ['acknowledges and ignores a setpoint', 'ignoring', 'not-taken 7', /acknowledged 7 but holds 50/],
    ['refuses a setpoint with exception 3', { exception: 3 }, 'write-failed 7', /Setpoint.*value/],
    ['refuses a setpoint with exception 4', { exception: 4 }, 'write-failed 7', /Setpoint.*fail/],
    ['does not answer', 'silent', 'write-failed 7', /did not answer/],
  ])('and %s is shown and reported once until it accepts one', async (_what, behaviour, phase, error) => {
    equipment.behaviour = behaviour
    const id = await place(point, 7)
    await eventually(async () => {
      await isHeld(point)
      expect(await troubleOf('Setpoint')).toMatch(error)
    })
    expect(await point.register()).toBe(PLAIN)
    // The value can still be read, unless the equipment is silent.
    if (behaviour !== 'silent') expect(await point.shown()).not.toHaveProperty('error')
    await reported(point, id, ['applied 7', phase])
    // The write is retried but not reported again.
    const tries = written('Setpoint').length
    if (behaviour !== 'silent') await eventually(() => expect(written('Setpoint').length).toBeGreaterThan(tries))
    await reported(point, id, ['applied 7', phase])

    equipment.behaviour = 'obedient'
    await registerIs(point, 7)
    await eventually(async () => {
      const { value, error } = await point.shown()
      expect({ value, error }).toEqual({ value: 7, error: undefined })
      expect(await troubleOf('Setpoint')).toBeNull()
    })
    await release(point, id)
    await reported(point, id, ['applied 7', phase, `released ${PLAIN} (cancelled)`])
  })

  test('or its old value is written to until it does', async () => {
    const id = await hold(point, 7)
    equipment.behaviour = { exception: 4 }
    expect((await point.cancel(id)).body.data).toEqual({ success: true })
    await reported(point, id, ['applied 7', `write-failed ${PLAIN}`])
    expect(await point.register()).toBe(7)
    equipment.behaviour = 'obedient'
    await registerIs(point, PLAIN)
    await reported(point, id, ['applied 7', `write-failed ${PLAIN}`, `released ${PLAIN} (cancelled)`])
  })
})

describe('equipment that loses its setpoint during an override', () => {
  test.each<[string, () => Promise<void>]>([
    ['without a visible reason', async () => equipment.forget()],
    [
      'and closes the connection',
      async () => {
        equipment.forget()
        equipment.hangUp()
      },
    ],
    [
      'because it was power-cycled',
      async () => {
        await equipment.stop()
        await eventually(async () => expect(await status()).not.toBe(1))
        equipment.forget()
        await equipment.start()
      },
    ],
  ])('%s gets it again', async (_how, forget) => {
    const id = await hold(point, 7)
    await forget()
    await registerIs(point, 7)
    await isHeld(point)
    await release(point, id)
    await reported(point, id, ['applied 7', `released ${PLAIN} (cancelled)`])
  })
})

describe('equipment that is switched off', () => {
  test('rejects an override that starts now', async () => {
    await equipment.stop()
    await eventually(async () => expect(await status()).not.toBe(1))
    const now = Date.now()
    const { status: code, body } = await point.override(7, { from: now, to: now + HOUR })
    expect([code, body.message]).toEqual([499, expect.stringContaining('Setpoint on Faulty cannot be read')])
    await equipment.start()
    await eventually(async () => expect(await status()).toBe(1))
    await someTimeLater()
    expect(written('Setpoint')).toEqual([])
  })

  test('when an override starts gets the setpoint when it returns, and its own value afterwards', async () => {
    await equipment.stop()
    await eventually(async () => expect(await status()).not.toBe(1))
    const id = await queue(point, 7)
    await eventually(() => isHeld(point))
    await equipment.start()
    await registerIs(point, 7)
    await release(point, id)
    await reported(point, id, ['applied 7', 'write-failed 7', `released ${PLAIN} (cancelled)`])
  })

  test('from before an override starts until it ends gets no write', async () => {
    await equipment.stop()
    await eventually(async () => expect(await status()).not.toBe(1))
    const to = Date.now() + 4_000
    await queue(point, 7, to)
    await eventually(async () => {
      expect(Date.now()).toBeGreaterThan(to)
      await isFree(point)
    })
    await equipment.start()
    await eventually(async () => expect(await status()).toBe(1))
    await someTimeLater()
    expect(written('Setpoint')).toEqual([])
  })

  test.each([false, true])('when an override ends gets its own value when it returns; power cut: %j', async (cut) => {
    const to = Date.now() + 4_000
    const id = await hold(point, 7, to)
    await equipment.stop()
    await eventually(async () => {
      expect(Date.now()).toBeGreaterThan(to)
      await isFree(point)
    })
    if (cut) {
      await stack.edge.kill()
      await stack.edge.start()
      await eventually(async () => expect(await status()).toBe(-1))
    }
    expect(await point.register()).toBe(7)
    await equipment.start()
    await registerIs(point, PLAIN)
    await reported(point, id, ['applied 7', `write-failed ${PLAIN}`, `released ${PLAIN} (ended)`])
  })
})

describe('a held value', () => {
  test('is rewritten every writeInterval until it is released', async () => {
    const { Refreshed } = datapoints
    const id = await hold(Refreshed, 7)
    await eventually(() => expect(written('Refreshed').length).toBeGreaterThan(3))
    expect(new Set(written('Refreshed'))).toEqual(new Set([7]))
    await release(Refreshed, id)
    await someTimeLater()
    expect(written('Refreshed').filter((value) => value !== 7)).toEqual([PLAIN])
    expect(written('Refreshed').at(-1)).toBe(PLAIN)
  })

  test('with a failsafe has its timer armed before the write, re-armed, and disarmed after the release', async () => {
    const { Guarded } = datapoints
    const id = await hold(Guarded, 7)
    await eventually(() => expect(written('Reversion').length).toBeGreaterThan(3))
    expect(equipment.writes.slice(0, 2)).toEqual([
      { register: REGISTER.Reversion, value: SECONDS_TO_REVERT },
      { register: REGISTER.Guarded, value: 7 },
    ])
    expect(new Set(written('Reversion'))).toEqual(new Set([SECONDS_TO_REVERT]))
    expect(written('Guarded')).toEqual([7])

    await release(Guarded, id)
    await eventually(() => expect(equipment.register(REGISTER.Reversion)).toBe(0))
    expect(equipment.writes.slice(-2)).toEqual([
      { register: REGISTER.Guarded, value: PLAIN },
      { register: REGISTER.Reversion, value: 0 },
    ])
    await someTimeLater()
    expect(equipment.writes.at(-1)).toEqual({ register: REGISTER.Reversion, value: 0 })
  })

  test('with a failsafe that cannot be armed is not written', async () => {
    const { Guarded } = datapoints
    equipment.behaviour = { exception: 4 }
    const id = await place(Guarded, 7)
    await eventually(async () => expect(await troubleOf('Guarded')).toMatch(/Reversion/))
    expect(written('Guarded')).toEqual([])
    equipment.behaviour = 'obedient'
    await registerIs(Guarded, 7)
    await release(Guarded, id)
  })

  test('with a failsafe has its timer re-armed after a power cycle of the equipment', async () => {
    const { Guarded } = datapoints
    const id = await hold(Guarded, 7)
    await equipment.stop()
    equipment.forget()
    equipment.writes.length = 0
    await equipment.start()
    await registerIs(Guarded, 7)
    expect(written('Reversion')[0]).toBe(SECONDS_TO_REVERT)
    await release(Guarded, id)
    await eventually(() => expect(equipment.register(REGISTER.Reversion)).toBe(0))
  })
})
