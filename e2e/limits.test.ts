import type { CommissionedDatapoint, CommissioningFile } from '@plantroom/contract/commissioning'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { batteryRoom, withDatapoints } from './support/building.ts'
import { controlState, holdOn } from './support/control-state.ts'
import { type Dispatchable, ofBatteryRoom, registerIs } from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import { type SetpointName, writeSetpoints } from './support/override-setpoints.ts'
import { partner } from './support/partner.ts'
import { plantroom } from './support/run.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const POWER: SetpointName = 'Charge power'
const LIMIT: SetpointName = 'Charge power limit'
const RESERVE: SetpointName = 'Discharge reserve'

let stack: Stack
let power: Dispatchable
let limit: Dispatchable
let reserve: Dispatchable

beforeAll(async () => {
  stack = await startStack()
  power = ofBatteryRoom(stack, POWER)
  limit = ofBatteryRoom(stack, LIMIT)
  reserve = ofBatteryRoom(stack, RESERVE)
  await writeSetpoints(stack.equipment, { [POWER]: 5, [LIMIT]: 50, [RESERVE]: 0 })
})
afterAll(() => stack?.[Symbol.asyncDispose]())

/** The battery room with these limits. */
function room(
  limits: Partial<Record<SetpointName, CommissionedDatapoint['limits']>>,
  more: Partial<CommissioningFile> = {},
): CommissioningFile {
  const file = withDatapoints(batteryRoom(stack.simulator.ready.modbus.port), 'Inverter', (before) =>
    before.map((datapoint) => {
      const own = limits[datapoint.name as SetpointName]
      return own ? { ...datapoint, limits: own } : datapoint
    }),
  )
  return { ...file, ...more }
}

/** The limits of a datapoint, and when it may be switched. A command before the controller recorded a switch is accepted. */
async function limitsOn(name: SetpointName) {
  return (await controlState(stack)).limits?.[stack.datapointId(name)]
}

describe('limits in a commissioning file', () => {
  test('refuse a dispatch outside them, whatever the envelope says, and the register stays', async () => {
    await stack.commission(room({ [POWER]: { min: -20, max: 20 } }))
    const { status, body } = await power.override(20.1, { to: Date.now() + HOUR })
    expect([status, body.code, body.message]).toEqual([
      499,
      'DEVICE_REJECTED',
      'value 20.1 is above limits.max 20 of datapoint Charge power; send a value within its limits',
    ])
    expect(await power.register()).toBe(5)
    const id = await power.place(20, { to: Date.now() + HOUR })
    await registerIs(power, 20)
    await power.cancel(id)
    await registerIs(power, 5)
    const { body: exported } = await stack.partner.datapoints(stack.connectionId('Inverter'))
    expect(exported.data.datapoints.some((datapoint) => 'limits' in datapoint)).toBe(false)
  })

  test('are said by the command line before it sends anything', async () => {
    const { baseUrl } = stack.cloud.ready
    const settings = { PLANTROOM_URL: baseUrl, PLANTROOM_API_KEY: stack.apiKey, PLANTROOM_ORG: stack.orgId }
    const shell = { ...settings, PLANTROOM_DEVICE: stack.deviceId }
    const id = stack.datapointId(POWER)
    const { code, stderr } = await plantroom(['dr', 'override', id, '30', '--for', '1m', '--force'], shell)
    expect(code).not.toBe(0)
    expect(stderr).toContain('30 is above 20, the upper limit of')
  })

  test('clamp a schedule', async () => {
    const slots = [
      { days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const, from: '00:00', to: '24:00', value: 45 },
    ]
    const schedules = [{ name: 'Always', datapoint: LIMIT, slots }]
    const { warnings } = await stack.commission(room({ [LIMIT]: { max: 40 } }, { schedules }))
    expect(warnings).toContainEqual({
      path: 'schedules[0].slots[0].value',
      message: '45 is above limits.max 40 of "Charge power limit": the controller writes 40',
    })
    await registerIs(limit, 40)
    await stack.commission(room({}))
    await registerIs(limit, 50)
  })

  test('count starts and keep times through a restart, and never delay a release', async () => {
    await stack.commission(room({ [RESERVE]: { minOnSeconds: 3600, minOffSeconds: 3600, maxStartsPerDay: 1 } }))
    const id = await reserve.place(30, { to: Date.now() + HOUR })
    await registerIs(reserve, 30)
    await eventually(async () => expect(await limitsOn(RESERVE)).toHaveProperty('mayStopAt'))
    const early = await reserve.override(0, { to: Date.now() + HOUR })
    expect([early.status, early.body.message]).toEqual([499, expect.stringContaining('limits.minOnSeconds is 3600')])
    await reserve.cancel(id)
    await registerIs(reserve, 0)
    await stack.edge.kill()
    await stack.edge.start()
    await eventually(async () => expect(await limitsOn(RESERVE)).toHaveProperty('mayStartAt'))
    const again = await reserve.override(30, { to: Date.now() + HOUR })
    const refusal = expect.stringMatching(/limits\.(minOffSeconds|maxStartsPerDay)/)
    expect([again.status, again.body.message]).toEqual([499, refusal])
    expect(await reserve.register()).toBe(0)
  })

  test('move a value in steps', async () => {
    await stack.commission(room({ [POWER]: { maxStepPerMinute: 5 } }))
    const id = await power.place(40, { to: Date.now() + HOUR })
    await registerIs(power, 10)
    const again = await power.place(-40, { to: Date.now() + HOUR })
    for (const one of [id, again]) await power.cancel(one)
    expect(await power.register()).toBe(10)
    // Released, and on its way.
    await eventually(async () =>
      expect(await holdOn(stack, stack.datapointId(POWER))).toMatchObject({ by: 'plain', value: 5 }),
    )
  })
})

describe('a second key of the same organization', () => {
  test('cancels what the first one placed with its id, and nothing with an id that was never issued', async () => {
    await stack.commission(room({}))
    const { apiKey } = await stack.admin.createKey({
      orgId: stack.orgId,
      body: { name: 'Other partner', permissions: ['edge-device:read_write'], siteIds: null },
    })
    const { orgId, deviceId } = stack
    const other = partner(() => ({ baseUrl: stack.cloud.ready.baseUrl, apiKey, orgId, deviceId }))
    const id = await limit.place(30, { to: Date.now() + HOUR })
    await registerIs(limit, 30)
    const unknown = `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`
    expect((await other.cancel(unknown)).status).toBe(499)
    expect(await limit.register()).toBe(30)
    expect((await other.cancel(id)).status).toBe(200)
    await registerIs(limit, 50)
    expect((await limit.cancel(id)).status).toBe(200)
  })
})
