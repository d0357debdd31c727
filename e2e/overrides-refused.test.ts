import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Dispatcher, dispatcherOf } from './support/dispatcher.ts'
import { eventually } from './support/eventually.ts'
import { reportsOf } from './support/override-reports.ts'
import { readSetpoints } from './support/override-setpoints.ts'
import type { Setpoint } from './support/partner.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const POWER = 'Charge power'

let stack: Stack
let dispatcher: Dispatcher

beforeAll(async () => {
  stack = await startStack()
  dispatcher = dispatcherOf(stack)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const good = (): Setpoint => ({
  datapointId: stack.datapointId(POWER),
  value: 20,
  from: Date.now(),
  to: Date.now() + HOUR,
})

/** The visible state: in the equipment, for the partner and in the audit. */
async function traces() {
  const { body } = await stack.partner.values(stack.connectionId('Inverter'))
  const locked = Object.values(body.data.values).filter((entry) => 'locked' in entry)
  return { setpoints: await readSetpoints(stack.equipment), locked, reports: await reportsOf(stack) }
}

describe('the controller rejects with 499 and a reason, and applies nothing, for', () => {
  test.each<[string, (setpoint: Setpoint) => Setpoint, RegExp]>([
    ['an unknown datapoint', (it) => ({ ...it, datapointId: 'dp_unknown' }), /dp_unknown/],
    ['no datapoint at all', (it) => ({ ...it, datapointId: '' }), /datapoint/],
    ['a datapoint that is READ', (it) => ({ ...it, datapointId: stack.datapointId('Battery power') }), /READ/],
    ['`to` in the past', (it) => ({ ...it, from: it.from - HOUR, to: it.from - 1 }), /past/],
    ['`to` before `from`', (it) => ({ ...it, to: it.from - 1 }), /not after/],
    ['`to` at `from`', (it) => ({ ...it, from: it.to }), /not after/],
    ['24 hours and 1 ms', (it) => ({ ...it, to: it.from + DAY + 1 }), /24 hours/],
    ['24 hours and 1 ms, of which most is past', (it) => ({ ...it, from: it.to - DAY - 1 }), /24 hours/],
    ['a value above the register', (it) => ({ ...it, value: 3276.8 }), /3276\.8|32768|int16/],
    ['a value below the register', (it) => ({ ...it, value: -3276.9 }), /-3276\.9|-32769|int16/],
    ['a huge value', (it) => ({ ...it, value: 1e308 }), /./],
    [
      'a value below 0 for an unsigned register',
      (it) => ({ ...it, ...at('Charge power limit'), value: -0.1 }),
      /uint16|-1/,
    ],
    [
      'a value too large for a 32-bit float',
      (it) => ({ ...it, ...at('Discharge reserve'), value: 1e39 }),
      /float32|1e\+39/,
    ],
    ['a switch that is neither 0 nor 1', (it) => ({ ...it, ...at('Inverter enabled'), value: 2 }), /./],
  ])('%s', async (_what, spoilt, why) => {
    const before = await traces()
    const reqId = crypto.randomUUID()
    const { status, body } = await stack.partner.override(spoilt(good()), reqId)
    expect({ status, message: body.message }).toEqual({ status: 499, message: expect.stringMatching(why) })
    expect(body).toEqual({ message: body.message, code: 'DEVICE_REJECTED', reqId })
    expect(await traces()).toEqual(before)
  })

  const at = (name: string) => ({ datapointId: stack.datapointId(name) })

  test('a request whose reqId may be reused for the corrected one', async () => {
    const reqId = crypto.randomUUID()
    const wanted = good()
    expect((await stack.partner.override({ ...wanted, value: 9_999 }, reqId)).status).toBe(499)
    const { status, body } = await stack.partner.override(wanted, reqId)
    expect(status, body.message).toBe(200)
    await dispatcher.registerBecomes(POWER, 20)
    await dispatcher.cancel(body.data.id)
    await dispatcher.registerBecomes(POWER, 5)
    await dispatcher.reportsOn(body.data.id, 2)
  })
})

describe('a malformed dispatch is rejected with 400 and the name of the field, and never reaches the controller', () => {
  const times = () => ({ from: new Date().toISOString(), to: new Date(Date.now() + HOUR).toISOString() })
  const whole = (): Record<string, unknown> => ({ datapointId: stack.datapointId(POWER), value: 20, ...times() })

  test.each<[string, object]>([
    ...['datapointId', 'value', 'from', 'to'].map((name): [string, object] => [name, { [name]: undefined }]),
    ...['datapointId', 'value', 'from', 'to'].map((name): [string, object] => [name, { [name]: null }]),
    ['datapointId', { datapointId: 7 }],
    ['value', { value: '20' }],
    ['value', { value: 'NaN' }],
    ['value', { value: '' }],
    ['value', { value: true }],
    ['value', { value: [20] }],
    ['from', { from: 1_767_225_600_000 }],
    ['from', { from: '2026-01-01T00:00:00' }],
    ['to', { to: '2036-01-01T00:00:00' }],
    ['to', { to: '2036-01-01' }],
    ['to', { to: '2036-02-30T00:00:00Z' }],
    ['to', { to: 'tomorrow' }],
    ['to', { to: '' }],
  ])('%s: %j', async (field, spoilt) => {
    const before = await traces()
    const { status, body } = await stack.partner.command('demandResponseOverride', { ...whole(), ...spoilt })
    expect({ status, code: body.code, field: body.field }).toEqual({
      status: 400,
      code: 'INVALID',
      field: `data.${field}`,
    })
    expect(body.message).toContain(`data.${field}`)
    expect(await traces()).toEqual(before)
  })

  test.each(['1e999', '-1e999', 'NaN', 'Infinity'])(
    'value: the bare word %s, which JSON.stringify never writes',
    async (value) => {
      const before = await traces()
      const body = JSON.stringify({ data: { ...whole(), value: 'HERE' } }).replace('"HERE"', value)
      expect((await stack.partner.post('demandResponseOverride', body)).status).toBe(400)
      expect(await traces()).toEqual(before)
    },
  )

  test('a cancel without an id', async () => {
    const { status, body } = await stack.partner.command('demandResponseCancel', {})
    expect({ status, field: body.field }).toEqual({ status: 400, field: 'data.id' })
  })

  test('a reqId that is not a UUID', async () => {
    const { status, body } = await stack.partner.override(good(), 'again')
    expect({ status, field: body.field }).toEqual({ status: 400, field: 'reqId' })
  })
})

describe('timestamps', () => {
  test('may have any time zone', async () => {
    const local = (ms: number) => new Date(ms + 2 * HOUR).toISOString().replace('Z', '+02:00')
    const now = Date.now()
    const { status, body } = await stack.partner.command<{ id: string }>('demandResponseOverride', {
      datapointId: stack.datapointId(POWER),
      value: 26,
      from: local(now),
      to: local(now + 2_000),
    })
    expect(status, body.message).toBe(200)
    await dispatcher.registerBecomes(POWER, 26)
    await dispatcher.registerBecomes(POWER, 5)
    await eventually(async () => expect(await dispatcher.live(POWER)).not.toHaveProperty('locked'))
  })
})
