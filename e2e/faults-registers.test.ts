import type { CommissionedDatapoint, CommissioningFile } from '@plantroom/contract/commissioning'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Dispatchable, dispatchable, endsOnTime, registerIs, reported } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import { type FaultyEquipment, faultyEquipment } from './support/faulty-equipment.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const PLAIN = 50
const HELD = 10
const SILENT = 50
const TIMEOUT_MS = 300

let equipment: FaultyEquipment
let other: FaultyEquipment
let stack: Stack
/** Register 10, in the middle of a block of ten registers. */
let power: Dispatchable
let ids: ReadonlyMap<string, string>

beforeAll(async () => {
  equipment = await faultyEquipment()
  other = await faultyEquipment()
  stack = await startStack()
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await equipment?.[Symbol.asyncDispose]()
  await other?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  equipment.silent.clear()
  equipment.exceptions.clear()
  for (let register = 0; register < 100; register += 1) equipment.set(register, PLAIN)
  await load(room())
  equipment.writes.length = 0
})

// Overrides left by a failed test would disturb the next one.
let placed: string[] = []
afterEach(async () => {
  for (const id of placed) await power.cancel(id)
  placed = []
})

const int16 = (register: number, about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  name: `Register ${register}`,
  accessType: 'READ_WRITE',
  data: { register, type: 'int16' },
  ...about,
})

/** Registers 5 to 50 in steps of five, which one request reads together. */
function room(
  settings: Record<string, unknown> = {},
  datapoints = Array.from({ length: 10 }, (_, index) => int16(5 + index * 5)),
): CommissioningFile {
  const { port } = equipment
  return {
    technicalSystem: 'Registers',
    connections: [
      {
        name: 'Unit',
        protocol: 'modbus-tcp',
        settings: { host: '127.0.0.1', port, pollSeconds: 0.1, timeoutMs: TIMEOUT_MS, ...settings },
        datapoints,
      },
    ],
  }
}

const commissionOnce = (file: CommissioningFile) => stack.admin.commission({ ...stack.ids, body: file })

/** Commissions the file and waits until register 10 is live. */
async function load(file: CommissioningFile): Promise<void> {
  const [connection] = await eventually(async () => (await stack.commission(file)).connections)
  const connectionId = connection?.id ?? ''
  ids = new Map(connection?.datapoints.map(({ name, id }) => [name, id]))
  const register = () => equipment.register(HELD)
  power = dispatchable(stack, { connectionId, datapointId: ids.get('Register 10') ?? '', register })
  await eventually(async () => expect((await power.shown()).value).toBe(equipment.register(HELD)))
}

async function place(value: number, to = Date.now() + HOUR): Promise<string> {
  const id = await power.place(value, { to })
  placed.push(id)
  return id
}

async function liveValue(name: string): Promise<{ value: unknown; error?: string }> {
  const { body } = await stack.partner.values((await connectionOf()) ?? '')
  const { value, error } = body.data.values[ids.get(name) ?? ''] ?? { value: undefined }
  return { value, ...(error !== undefined && { error }) }
}

async function connectionOf(): Promise<string | undefined> {
  const { technicalSystems: systems } = await stack.admin.listTechnicalSystems(stack.ids)
  return systems.find(({ name }) => name === 'Registers')?.connections[0]?.id
}

describe('a register that never answers', () => {
  test('does not delay the release of another', async () => {
    const to = Date.now() + 4_000
    const id = await place(7, to)
    await registerIs(power, 7)
    equipment.silent.add(SILENT)
    await endsOnTime(power, { value: 7, to, back: PLAIN })
    await reported(power, id, ['applied 7', `released ${PLAIN} (ended)`])
    await eventually(async () => {
      expect(await liveValue('Register 45')).toEqual({ value: PLAIN })
      expect((await liveValue('Register 50')).error).toMatch(/answer/)
    })
  })

  test('from the start does not prevent another from being held and released', async () => {
    equipment.silent.add(SILENT)
    await stack.edge.kill()
    await stack.edge.start()
    await eventually(async () => expect((await liveValue('Register 10')).value).toBe(PLAIN))
    const id = await place(8)
    await registerIs(power, 8)
    expect((await power.cancel(id)).status).toBe(200)
    await registerIs(power, PLAIN)
  })

  test.each([1, 4, 6, 11])('except with exception %i does not affect its neighbours', async (exception) => {
    equipment.exceptions.set(25, exception)
    equipment.set(20, 20).set(30, 30)
    await eventually(async () => {
      expect((await liveValue('Register 25')).error).toContain(`exception ${exception}`)
      expect(await liveValue('Register 20')).toEqual({ value: 20 })
      expect(await liveValue('Register 30')).toEqual({ value: 30 })
    })
  })
})

describe('commissioning that would move a held datapoint', () => {
  test.each<[string, () => Record<string, unknown>]>([
    ['port', () => ({ port: other.port })],
    ['unitId', () => ({ unitId: 2 })],
    ['host', () => ({ host: '127.0.0.2' })],
  ])('by another %s is refused, named, and released where it is', async (field, settings) => {
    const id = await place(9)
    await registerIs(power, 9)
    await expect(commissionOnce(room(settings()))).rejects.toThrow(
      new RegExp(`Unit/Register 10 must keep its settings\\.${field}: .*held`),
    )
    expect((await power.cancel(id)).status).toBe(200)
    await registerIs(power, PLAIN)
    expect(other.writes).toEqual([])
    await eventually(() => stack.commission(room({ timeoutMs: 200 })))
  })

  test('is accepted, and the hold continues, when only the timing changes', async () => {
    const id = await place(9)
    await registerIs(power, 9)
    await stack.commission(room({ pollSeconds: 0.2, timeoutMs: 500 }))
    expect((await power.cancel(id)).status).toBe(200)
    await registerIs(power, PLAIN)
  })
})

describe('two datapoints that write to one register', () => {
  test.each<[string, CommissionedDatapoint[], RegExp]>([
    ['the same register', [int16(10), int16(10, { name: 'Twin' })], /Twin writes holding register 10, and Register 10/],
    [
      'a part of a longer value',
      [int16(10, { data: { register: 9, type: 'int32' } }), int16(10, { name: 'Twin' })],
      /Twin writes holding register 10, and Register 10 at connections\[0\]\.datapoints\[0\] writes holding registers 9 to 10/,
    ],
  ])('are refused: %s', async (_, datapoints, message) => {
    await expect(commissionOnce(room({}, datapoints))).rejects.toThrow(message)
    expect((await power.shown()).value).toBe(PLAIN)
  })
})

describe('the values of the registers before an override', () => {
  const words = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => equipment.register(from + index))

  test.each<[string, string, number[]]>([
    ['a NaN with a payload', 'float32', [0x7fc1, 0x2345]],
    ['infinity', 'float32', [0x7f80, 0]],
    ['a negative zero', 'float64', [0x8000, 0, 0, 0]],
    ['unused bits of a switch', 'bool', [0x0102]],
    ['64 bits beyond 2^53', 'uint64', [0xffff, 0xffff, 0xffff, 0xffc5]],
  ])('comes back bit by bit: %s', async (_, type, before) => {
    for (const [index, word] of before.entries()) equipment.set(60 + index, word)
    await load(room({}, [int16(10), int16(60, { data: { register: 60, type } })]))
    const exact = dispatchable(stack, {
      connectionId: (await connectionOf()) ?? '',
      datapointId: ids.get('Register 60') ?? '',
      register: () => equipment.register(60),
    })
    const id = await exact.place(1, { to: Date.now() + HOUR })
    await reported(exact, id, ['applied 1'])
    expect(words(60, before.length)).not.toEqual(before)
    await stack.edge.kill()
    await stack.edge.start()
    await eventually(async () => expect((await exact.cancel(id)).status).toBe(200))
    await eventually(() => expect(words(60, before.length)).toEqual(before))
  })

  test('are not overwritten by a number that cannot be written exactly', async () => {
    await load(room({}, [int16(10), int16(60, { data: { register: 60, type: 'int64' } })]))
    const datapointId = ids.get('Register 60') ?? ''
    const span = { from: Date.now(), to: Date.now() + HOUR }
    const answer = await stack.partner.override({ datapointId, value: 2 ** 53, ...span })
    expect(answer.status).toBe(499)
    expect(answer.body.message).toMatch(/2\^53/)
    expect(equipment.writes).toEqual([])
  })
})

describe('a connection that never answers', () => {
  test('does not delay the audit entries of another', async () => {
    const hole = await faultyEquipment()
    hole.behaviour = 'silent'
    const [unit] = room().connections
    const settings = { host: '127.0.0.1', port: hole.port, timeoutMs: 60_000 }
    const file = {
      ...room(),
      connections: [
        unit,
        { name: 'Hole', protocol: 'modbus-tcp' as const, settings, datapoints: [int16(1, { releaseValue: 0 })] },
      ],
    } as CommissioningFile
    const result = await stack.commission(file)
    const lost = result.connections.at(-1)?.datapoints[0]?.id ?? ''
    const span = { from: Date.now(), to: Date.now() + HOUR }
    const first = await stack.partner.override({ datapointId: lost, value: 1, ...span })
    expect(first.status).toBe(200)
    const id = await place(7)
    await reported(power, id, ['applied 7'])
    expect((await power.cancel(id)).status).toBe(200)
    await reported(power, id, ['applied 7', `released ${PLAIN} (cancelled)`])
    await stack.partner.cancel(first.body.data.id)
    await eventually(() => stack.commission(room()))
    await hole.stop()
  })
})
