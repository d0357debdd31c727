import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ASK_FOR_KEY, deviceLines } from '@plantroom/client/curl'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { holdOn } from './support/control-state.ts'
import { type Dispatcher, dispatcherOf } from './support/dispatcher.ts'
import { eventually } from './support/eventually.ts'
import { reportsOf, reportsPage } from './support/override-reports.ts'
import { readSetpoints, type SetpointName, type Setpoints, writeSetpoints } from './support/override-setpoints.ts'
import { partner } from './support/partner.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const PLAIN: Setpoints = { 'Charge power': 5, 'Charge power limit': 50, 'Discharge reserve': 10 }
const POWER = 'Charge power'
const LIMIT = 'Charge power limit'
const RESERVE = 'Discharge reserve'

let stack: Stack
let dispatcher: Dispatcher

beforeAll(async () => {
  stack = await startStack()
  dispatcher = dispatcherOf(stack)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

// Every test releases what it held.
beforeEach(async () => {
  await writeSetpoints(stack.equipment, PLAIN)
  await eventually(async () => {
    for (const name of Object.keys(PLAIN) as SetpointName[]) {
      expect(await dispatcher.live(name)).toEqual({ value: PLAIN[name], timestamp: expect.any(String) })
    }
  })
})

const isHeld = (name: SetpointName, value: number) =>
  eventually(async () => expect(await dispatcher.live(name)).toMatchObject({ value, ...HELD }))
const isFree = (name: SetpointName) =>
  eventually(async () =>
    expect(await dispatcher.live(name)).toEqual({ value: PLAIN[name], timestamp: expect.any(String) }),
  )
const HELD = { locked: true, lockedBy: 'demand-response' }

test('the commands that the console shows work as they are pasted into bash', async () => {
  const { ids, apiKey, cloud } = stack
  const about = {
    ...ids,
    connectionId: stack.connectionId('Inverter'),
    datapointId: stack.datapointId(POWER),
    value: 7,
  }
  const lines = deviceLines(about, { origin: cloud.ready.baseUrl, apiKey })
  const bash = async (script = '', env = {}) =>
    (await promisify(execFile)('bash', ['--norc', '-c', script], { env: { ...process.env, ...env } })).stdout
  expect(JSON.parse(await bash(lines.export)).data.count).toBeGreaterThan(0)
  expect(JSON.parse(await bash(lines.read)).data.connectionId).toBe(about.connectionId)
  const placed = await bash(lines.override)
  expect(JSON.parse(placed).data.id).toEqual(expect.any(String))
  await dispatcher.registerBecomes(POWER, 7)
  expect(JSON.parse(await bash(lines.cancel, { OVERRIDE: placed })).data).toEqual({ success: true })
  await dispatcher.registerBecomes(POWER, PLAIN[POWER])

  const withAskedKey = deviceLines(about, { origin: cloud.ready.baseUrl })
  const answer = await bash(`echo "$KEY" | { ${ASK_FOR_KEY}; ${withAskedKey.read}; }`, { KEY: apiKey })
  expect(answer).toContain(about.connectionId)
})

test('one HTTP request is found by its id in the logs of cloud and controller, up to the write to the equipment', async () => {
  const { ids, apiKey, cloud, edge } = stack
  const reqId = crypto.randomUUID()
  const send = async (command: string, body: object) => {
    const url = `${cloud.ready.baseUrl}/api/orgs/${ids.orgId}/edge-device-admin/${ids.deviceId}/cmd/${command}`
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'x-request-id': 'ticket-42' }
    return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const [from, to] = [Date.now(), Date.now() + HOUR].map((time) => new Date(time).toISOString())
  const answer = await send('demandResponseOverride', {
    reqId,
    data: { datapointId: stack.datapointId(POWER), value: 8, from, to },
  })
  expect([answer.status, answer.headers.get('x-request-id')]).toEqual([200, 'ticket-42'])
  const { data } = (await answer.json()) as { data: { id: string } }
  await dispatcher.registerBecomes(POWER, 8)

  const linesOf = (part: { output(): string }) =>
    part
      .output()
      .split('\n')
      .filter((line) => line.includes(reqId))
      .map((line) => JSON.parse(line))
  const both = { reqId, requestId: 'ticket-42', command: 'demandResponseOverride' }
  await eventually(() => {
    expect(linesOf(cloud)).toMatchObject([{ ...both, msg: 'the device answered the command', device: ids.deviceId }])
    const write = { reqId, overrideId: data.id, datapoint: POWER, value: 8, msg: 'wrote the setpoint to the equipment' }
    const lines = linesOf(edge)
    expect(lines).toContainEqual(expect.objectContaining({ ...both, msg: 'command accepted' }))
    expect(lines).toContainEqual(expect.objectContaining(write))
  })
  await send('demandResponseCancel', { data: { id: data.id } })
  await isFree(POWER)
  await eventually(() => {
    const released = { reqId, msg: 'restored the plain value of the equipment', value: PLAIN[POWER] }
    expect(linesOf(edge)).toContainEqual(expect.objectContaining(released))
  })
})

describe('an override', () => {
  test.each([
    ['now', 0],
    ['in the past', -HOUR],
  ])('from %s is applied immediately, shown as locked, and held until it is cancelled', async (_when, from) => {
    const id = await dispatcher.hold(POWER, -12.5, { from, to: HOUR })
    await dispatcher.registerBecomes(POWER, -12.5)
    await isHeld(POWER, -12.5)
    expect(await readSetpoints(stack.equipment)).toEqual({ ...PLAIN, [POWER]: -12.5 })
    for (const other of [LIMIT, RESERVE] as const) expect(await dispatcher.live(other)).not.toHaveProperty('locked')

    await dispatcher.cancel(id)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
    await isFree(POWER)
  })

  test('with a later `from` is queued, applied at `from` and released at `to`', async () => {
    const at = Date.now() + 2_500
    const setpoint = { datapointId: stack.datapointId(POWER), value: 21, from: at, to: at + 3_000 }
    const { status, body } = await stack.partner.override(setpoint)
    expect(status).toBe(200)
    const queued = await dispatcher.live(POWER)
    const register = await dispatcher.register(POWER)
    expect(Date.now(), 'the machine was too slow to look before the window began').toBeLessThan(at)
    expect({ register, ...queued }).toEqual({
      register: PLAIN[POWER],
      value: PLAIN[POWER],
      timestamp: queued.timestamp,
    })

    await dispatcher.registerBecomes(POWER, 21)
    expect(Date.now()).toBeGreaterThanOrEqual(at)
    await isHeld(POWER, 21)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
    expect(Date.now()).toBeGreaterThanOrEqual(at + 3_000)
    await isFree(POWER)
    expect(await dispatcher.reportsOn(body.data.id, 2)).toMatchObject([
      { phase: 'applied', reason: 'window' },
      { phase: 'released', reason: 'ended' },
    ])
  })

  test('ends at `to` and stays ended', async () => {
    await dispatcher.hold(RESERVE, 33.5, { to: 4_000 })
    await dispatcher.registerBecomes(RESERVE, 33.5)
    await dispatcher.registerBecomes(RESERVE, PLAIN[RESERVE])
    await isFree(RESERVE)
  })

  test('restores the value of the equipment from before, whoever set it', async () => {
    await writeSetpoints(stack.equipment, { ...PLAIN, [POWER]: 7.7 })
    const id = await dispatcher.hold(POWER, 40, { to: HOUR })
    await dispatcher.registerBecomes(POWER, 40)
    await dispatcher.cancel(id)
    await dispatcher.registerBecomes(POWER, 7.7)
    expect(await dispatcher.reportsOn(id, 2)).toMatchObject([{ valueBefore: 7.7 }, { value: 7.7, readBack: 7.7 }])
  })

  test('writes a value outside the envelope unchanged', async () => {
    const id = await dispatcher.hold(POWER, 60, { to: HOUR })
    await eventually(async () => {
      expect((await stack.equipment.holding(1, 100, 1)).readInt16BE(0)).toBe(600)
    })
    await dispatcher.cancel(id)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
  })

  test('reports that the equipment refused the value, and is released normally', async () => {
    const id = await dispatcher.hold(LIMIT, 51, { to: HOUR })
    await eventually(async () => {
      expect(await dispatcher.live(LIMIT)).toMatchObject(HELD)
      expect(await holdOn(stack, stack.datapointId(LIMIT))).toMatchObject({ trouble: 'write-failed' })
    })
    expect(await dispatcher.register(LIMIT)).toBe(PLAIN[LIMIT])
    await dispatcher.cancel(id)
    await isFree(LIMIT)
    const phases = (await dispatcher.reportsOn(id, 3)).map(({ phase }) => phase)
    expect(phases).toEqual(['applied', 'write-failed', 'released'])
  })

  test('may be 24 hours long', async () => {
    const from = Date.now()
    const datapointId = stack.datapointId(POWER)
    const { status, body } = await stack.partner.override({ datapointId, value: 1, from, to: from + 24 * HOUR })
    expect(status).toBe(200)
    await dispatcher.registerBecomes(POWER, 1)
    await dispatcher.cancel(body.data.id)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
  })
})

describe('a cancel', () => {
  test('of a queued override prevents it, and its release is reported', async () => {
    const cancelled = await dispatcher.hold(POWER, 44, { from: 3_000, to: HOUR })
    await dispatcher.cancel(cancelled)
    const later = await dispatcher.hold(LIMIT, 20, { from: 3_200, to: HOUR })
    await dispatcher.registerBecomes(LIMIT, 20)
    expect(await dispatcher.register(POWER)).toBe(PLAIN[POWER])
    await isFree(POWER)
    await dispatcher.cancel(later)
    await dispatcher.registerBecomes(LIMIT, PLAIN[LIMIT])
    await eventually(async () => {
      const entries = (await reportsOf(stack)).filter(({ overrideId }) => overrideId === cancelled)
      expect(entries).toMatchObject([{ phase: 'released', reason: 'cancelled', valueBefore: null, value: null }])
    })
  })

  test('of an ended or cancelled override succeeds and changes nothing', async () => {
    const ended = await dispatcher.hold(POWER, 11, { to: 4_000 })
    await dispatcher.registerBecomes(POWER, 11)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
    const cancelled = await dispatcher.hold(POWER, 12, { to: HOUR })
    await dispatcher.registerBecomes(POWER, 12)
    await dispatcher.cancel(cancelled)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
    const active = await dispatcher.hold(POWER, 13, { to: HOUR })
    await dispatcher.registerBecomes(POWER, 13)

    for (const id of [ended, cancelled, cancelled]) await dispatcher.cancel(id)
    expect(await dispatcher.register(POWER)).toBe(13)
    await isHeld(POWER, 13)
    await dispatcher.cancel(active)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
    for (const id of [ended, cancelled, active]) await dispatcher.reportsOn(id, 2)
  })

  test('of an id that this controller never issued is rejected: a mistyped id must not look like a release', async () => {
    const id = await dispatcher.hold(POWER, 14, { to: HOUR })
    const mistyped = `${id.slice(0, -1)}${id.endsWith('0') ? '1' : '0'}`
    for (const wrong of ['ovr_unknown', mistyped, '']) {
      const { status, body } = await stack.partner.cancel(wrong)
      expect({ status, code: body.code }).toEqual({ status: 499, code: 'DEVICE_REJECTED' })
    }
    await dispatcher.registerBecomes(POWER, 14)
    await dispatcher.cancel(id)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
  })
})

describe('several overrides on one datapoint', () => {
  test('run in the order of acceptance: the last is active, and the one before takes over when it is cancelled', async () => {
    // An entry is written after the value was read back: wait, or the override is superseded without one.
    const first = await dispatcher.hold(POWER, 21, { to: HOUR })
    await dispatcher.registerBecomes(POWER, 21)
    await dispatcher.reportsOn(first, 1)
    const second = await dispatcher.hold(POWER, 22, { to: 2 * HOUR })
    await dispatcher.registerBecomes(POWER, 22)
    await dispatcher.reportsOn(second, 1)
    const third = await dispatcher.hold(POWER, 23, { from: -HOUR, to: HOUR / 2 })
    await dispatcher.registerBecomes(POWER, 23)
    await dispatcher.reportsOn(third, 1)

    await dispatcher.cancel(second)
    await dispatcher.cancel(third)
    await dispatcher.registerBecomes(POWER, 21)
    await isHeld(POWER, 21)
    await dispatcher.cancel(first)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])

    expect(await dispatcher.reportsOn(first, 2)).toMatchObject([
      { phase: 'applied', reason: 'window', valueBefore: 5, value: 21, readBack: 21 },
      { phase: 'released', reason: 'cancelled', valueBefore: 5, value: 5, readBack: 5 },
    ])
    expect(await dispatcher.reportsOn(second, 2)).toMatchObject([
      { phase: 'applied', valueBefore: 21, value: 22, readBack: 22 },
      { phase: 'released', reason: 'cancelled', valueBefore: 21, value: null, readBack: null },
    ])
    expect(await dispatcher.reportsOn(third, 2)).toMatchObject([
      { phase: 'applied', valueBefore: 22, value: 23, readBack: 23 },
      { phase: 'released', reason: 'cancelled', valueBefore: 22, value: 21, readBack: 21 },
    ])
  })

  test('resume a long one after a short one within it', async () => {
    const outer = await dispatcher.hold(POWER, 31, { to: HOUR })
    await dispatcher.registerBecomes(POWER, 31)
    const inner = await dispatcher.hold(POWER, 32, { from: 500, to: 4_500 })
    await dispatcher.registerBecomes(POWER, 32)
    await dispatcher.registerBecomes(POWER, 31)
    await isHeld(POWER, 31)
    await dispatcher.cancel(outer)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
    expect(await dispatcher.reportsOn(inner, 2)).toMatchObject([
      { phase: 'applied' },
      { phase: 'released', reason: 'ended' },
    ])
    expect(await dispatcher.reportsOn(outer, 2)).toMatchObject([{ phase: 'applied' }, { phase: 'released' }])
  })

  test('keep one superseded that was accepted before a longer one and starts later', async () => {
    const beneath = await dispatcher.hold(POWER, 41, { from: 2_500, to: HOUR })
    const above = await dispatcher.hold(POWER, 42, { to: HOUR })
    const marker = await dispatcher.hold(LIMIT, 20, { from: 2_600, to: HOUR })
    await dispatcher.registerBecomes(LIMIT, 20)
    await dispatcher.registerBecomes(POWER, 42)
    await dispatcher.cancel(above)
    await dispatcher.registerBecomes(POWER, 41)
    await dispatcher.cancel(beneath)
    await dispatcher.cancel(marker)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
    await dispatcher.registerBecomes(LIMIT, PLAIN[LIMIT])
  })

  test('with the same value each have audit entries, and form one hold', async () => {
    const first = await dispatcher.hold(POWER, 35, { to: HOUR })
    await dispatcher.registerBecomes(POWER, 35)
    const again = await dispatcher.hold(POWER, 35, { to: 2 * HOUR })
    expect(again).not.toBe(first)
    await dispatcher.cancel(first)
    await isHeld(POWER, 35)
    expect(await dispatcher.register(POWER)).toBe(35)
    await dispatcher.cancel(again)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
    for (const id of [first, again]) {
      expect((await dispatcher.reportsOn(id, 2)).map(({ phase }) => phase)).toEqual(['applied', 'released'])
    }
  })
})

describe('a reqId', () => {
  const setpoint = (value: number) => {
    const from = Date.now()
    return { datapointId: stack.datapointId(POWER), value, from, to: from + HOUR }
  }

  test('sent again with the same data returns the same id and places one override', async () => {
    const reqId = crypto.randomUUID()
    const wanted = setpoint(15)
    const answers = await Promise.all([1, 2, 3].map(() => stack.partner.override(wanted, reqId)))
    answers.push(await stack.partner.override(wanted, reqId))
    const [id, ...others] = new Set(answers.map(({ status, body }) => (status === 200 ? body.data.id : body.message)))
    expect(others).toEqual([])
    expect(answers.map(({ body }) => body.reqId)).toEqual([reqId, reqId, reqId, reqId])

    await dispatcher.registerBecomes(POWER, 15)
    await dispatcher.cancel(id ?? '')
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
    await isFree(POWER)
    expect((await stack.partner.override(wanted, reqId)).body.data).toEqual({ id })
    expect(await dispatcher.register(POWER)).toBe(PLAIN[POWER])
    expect(await dispatcher.reportsOn(id ?? '', 2)).toMatchObject([{ reqId }, { reqId }])
  })

  test('sent again with other data, or for a cancel, is rejected without effect', async () => {
    const reqId = crypto.randomUUID()
    const wanted = setpoint(16)
    const { body } = await stack.partner.override(wanted, reqId)
    await dispatcher.registerBecomes(POWER, 16)
    const others = [
      stack.partner.override({ ...wanted, value: 17 }, reqId),
      stack.partner.override({ ...wanted, to: wanted.to + 1 }, reqId),
      stack.partner.override({ ...wanted, datapointId: stack.datapointId(LIMIT) }, reqId),
      stack.partner.cancel(body.data.id, reqId),
    ]
    for (const { status, body } of await Promise.all(others)) {
      expect({ status, reqId: body.reqId }).toEqual({ status: 499, reqId })
      expect(body.message).toContain(reqId)
    }
    expect(await readSetpoints(stack.equipment)).toEqual({ ...PLAIN, [POWER]: 16 })
    await dispatcher.cancel(body.data.id)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
  })

  test('of another key is a different request', async () => {
    const { orgId, deviceId } = stack
    const { apiKey } = await stack.admin.createKey({
      orgId,
      body: { name: 'Other program', permissions: ['edge-device:read_write'], siteIds: null },
    })
    const other = partner(() => ({ baseUrl: stack.cloud.ready.baseUrl, apiKey, orgId, deviceId }))
    const reqId = crypto.randomUUID()
    const wanted = setpoint(18)
    const mine = (await stack.partner.override(wanted, reqId)).body.data.id
    const theirs = (await other.override({ ...wanted, value: 19 }, reqId)).body.data.id
    expect(theirs).not.toBe(mine)
    await dispatcher.registerBecomes(POWER, 19)
    await dispatcher.cancel(mine)
    expect((await other.cancel(theirs)).status).toBe(200)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])
  })
})

describe('the reports', () => {
  test('contain one entry for the apply and one for the release, with the technical system', async () => {
    const reqId = crypto.randomUUID()
    const from = Date.now()
    const datapointId = stack.datapointId(POWER)
    const { body } = await stack.partner.override({ datapointId, value: -8, from, to: from + HOUR }, reqId)
    await dispatcher.registerBecomes(POWER, -8)
    await dispatcher.reportsOn(body.data.id, 1)
    await dispatcher.cancel(body.data.id)
    await dispatcher.registerBecomes(POWER, PLAIN[POWER])

    const [system] = (await stack.admin.listTechnicalSystems(stack.ids)).technicalSystems
    const caller = { id: expect.any(String), name: 'Test partner', reason: null }
    const same = {
      id: expect.stringMatching(/./),
      code: 4005,
      name: 'OPTIMIZATION_DEMAND_RESPONSE',
      title: 'Demand response adjustment',
      group: 'optimization',
      level: 'INFO',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      deviceId: stack.deviceId,
      technicalSystemId: system?.id,
      connectionId: stack.connectionId('Inverter'),
      datapointId,
      overrideId: body.data.id,
      reqId,
      valueBefore: 5,
      placedBy: caller,
    }
    const entries = await dispatcher.reportsOn(body.data.id, 2)
    const seq = entries[0]?.seq ?? 0
    expect(entries).toEqual([
      { ...same, phase: 'applied', reason: 'window', value: -8, readBack: -8, seq, cancelledBy: null },
      { ...same, phase: 'released', reason: 'cancelled', value: 5, readBack: 5, seq: seq + 1, cancelledBy: caller },
    ])
    for (const phase of ['applied', 'released']) {
      const logged = stack.edge
        .output()
        .split('\n')
        .filter((line) => line.includes(`"${body.data.id}"`) && line.includes(`"phase":"${phase}"`))
      expect(logged, `${phase} on the device's own log`).toHaveLength(1)
    }
  })

  test('are numbered without gaps or duplicates', async () => {
    const reports = await reportsOf(stack)
    expect(reports.length).toBeGreaterThan(20)
    expect(reports.map(({ seq }) => seq)).toEqual(reports.map((_, index) => index + 1))
    expect(new Set(reports.map(({ id }) => id)).size).toBe(reports.length)
  })

  test('can be filtered by datapoint, system, device, code and time, newest first and in pages', async () => {
    const all = await reportsOf(stack)
    const ofLimit = all.filter(({ datapointId }) => datapointId === stack.datapointId(LIMIT))
    expect(ofLimit.length).toBeGreaterThan(0)
    expect(await reportsOf(stack, { datapointId: stack.datapointId(LIMIT) })).toEqual(ofLimit)
    const technicalSystemId = all[0]?.technicalSystemId ?? ''
    expect(await reportsOf(stack, { technicalSystemId, deviceId: stack.deviceId, code: '4005' })).toEqual(all)
    expect(await reportsOf(stack, { code: '4000' })).toEqual([])
    expect(await reportsOf(stack, { technicalSystemId: 'sys_other' })).toEqual([])

    const at = all[Math.floor(all.length / 2)]?.at ?? ''
    const later = all.filter((entry) => entry.at >= at)
    expect(await reportsOf(stack, { from: at })).toEqual(later)
    expect(await reportsOf(stack, { to: at })).toEqual(all.filter((entry) => entry.at < at))

    const first = await reportsPage(stack, { limit: '3' })
    const second = await reportsPage(stack, { limit: '3', cursor: first.nextCursor ?? '' })
    expect([...first.reports, ...second.reports]).toEqual(all.toReversed().slice(0, 6))
  })
})
