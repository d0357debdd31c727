import { sleep, systemClock } from '@plantroom/base/clock'
import { pageOf } from '@plantroom/contract/api'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { batteryRoom, withDatapoints } from './support/building.ts'
import {
  type Dispatchable,
  endsOnTime,
  isFree,
  isHeld,
  ofBatteryRoom,
  registerIs,
  reported,
} from './support/dispatchable.ts'
import { eventually } from './support/eventually.ts'
import type { Answer } from './support/partner.ts'
import { type SilentWire, silentWire } from './support/silent-wire.ts'
import { type Stack, startStack } from './support/stack.ts'

const HOUR = 3_600_000
const REPLY_TIMEOUT_MS = 1500

let wire: SilentWire
let stack: Stack
let power: Dispatchable
let limit: Dispatchable
/** Values of the registers before any dispatch. */
let plain: { power: number; limit: number }

beforeAll(async () => {
  stack = await startStack({
    cloud: { PLANTROOM_REPLY_TIMEOUT_MS: String(REPLY_TIMEOUT_MS) },
    async edge({ mqttUrl }) {
      wire = await silentWire(Number(new URL(mqttUrl).port))
      return { MQTT_URL: `mqtt://127.0.0.1:${wire.port}` }
    },
  })
  power = ofBatteryRoom(stack, 'Charge power')
  limit = ofBatteryRoom(stack, 'Charge power limit')
  await eventually(async () => expect((await power.shown()).value).toBe(await power.register()))
  plain = { power: await power.register(), limit: await limit.register() }
})
afterAll(async () => {
  await stack?.[Symbol.asyncDispose]()
  await wire?.[Symbol.asyncDispose]()
})

/** Commands arrive in order over one socket: when a later one is answered, the earlier ones were processed. */
const answersAgain = () => eventually(() => power.shown())

function expectSilence({ status, body }: Answer<unknown>): void {
  expect({ status, code: body.code }).toEqual({ status: 502, code: 'DEVICE_OFFLINE' })
  expect(body.message).toContain('you can safely send it again with the same reqId')
}

/** Checks that a command had no effect. Call it when a later event has been reported: reports arrive in order. */
async function nothingReported(of: Dispatchable, lost: string): Promise<void> {
  expect((await of.reports()).map(({ reqId }) => reqId)).not.toContain(lost)
}

describe('a cloud that is killed', () => {
  test('is not needed to end and start overrides, and receives all reports when it returns', async () => {
    const everySecond = withDatapoints(batteryRoom(stack.simulator.ready.modbus.port), 'Inverter', (datapoints) =>
      datapoints.map((datapoint) => ({ ...datapoint, analyticsInterval: datapoint.name === 'Charge power' ? 1 : 0 })),
    )
    await stack.commission(everySecond)
    await answersAgain()

    const to = Date.now() + 4_000
    const ended = await power.place(7, { to })
    const next = await limit.place(12, { from: to, to: to + HOUR })
    await registerIs(power, 7)
    await stack.cloud.kill()
    const killedAt = Date.now()
    await endsOnTime(power, { value: 7, to, back: plain.power })
    await registerIs(limit, 12)
    // So that there is a measurement after the end, too.
    await eventually(() => expect(Date.now()).toBeGreaterThan(to + 2_000))
    const backAt = Date.now()
    await stack.cloud.start()

    await answersAgain()
    await isFree(power)
    await isHeld(limit)
    await reported(power, ended, ['applied 7', `released ${plain.power} (ended)`])
    await reported(limit, next, ['applied 12'])
    const measured = await eventually(async () => {
      const measurements = await measuredPower()
      expect(measurements.at(-1)?.at).toBeGreaterThan(backAt)
      return measurements
    })
    const meanwhile = measured.filter(({ at }) => at > killedAt && at < backAt)
    expect(new Set(meanwhile.map(({ value }) => value))).toEqual(new Set([7, plain.power]))
    const times = measured.map(({ at }) => at)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))

    expect((await limit.cancel(next)).status).toBe(200)
    await registerIs(limit, plain.limit)
    await reported(limit, next, ['applied 12', `released ${plain.limit} (cancelled)`])
  })

  async function measuredPower(): Promise<{ at: number; value: number }[]> {
    const datapoint = { ...stack.ids, datapointId: stack.datapointId('Charge power') }
    const { measurements } = pageOf(await stack.admin.listMeasurements(datapoint))
    return measurements.map(({ at, value }) => ({ at: Date.parse(at), value }))
  }
})

describe('a link that falls silent', () => {
  test('answers every command with 502, and commands that arrive late have no effect', async () => {
    const to = Date.now() + 6_000
    const id = await power.place(7, { to })
    await registerIs(power, 7)
    wire.cut()
    onTestFinished(() => wire.heal())
    const lost = [crypto.randomUUID(), crypto.randomUUID()] as const
    const silence = await Promise.all([
      power.override(9, { to: Date.now() + HOUR }, lost[0]),
      limit.override(12, { to: Date.now() + HOUR }, lost[1]),
      power.cancel(id),
    ])
    silence.forEach(expectSilence)
    wire.heal()
    await answersAgain()
    await isHeld(power)
    await isFree(limit)
    expect(await limit.register()).toBe(plain.limit)
    await endsOnTime(power, { value: 7, to, back: plain.power })
    await reported(power, id, ['applied 7', `released ${plain.power} (ended)`])
    await nothingReported(power, lost[0])
    await nothingReported(limit, lost[1])
  })

  test('in one direction loses only the answer: the same reqId returns it again', async () => {
    const reqId = crypto.randomUUID()
    const span = { from: Date.now(), to: Date.now() + HOUR }
    wire.cut('from device')
    onTestFinished(() => wire.heal())
    expectSilence(await power.override(7, span, reqId))
    await registerIs(power, 7)
    wire.heal()
    await answersAgain()
    const again = await power.override(7, span, reqId)
    expect(again.status, again.body.message).toBe(200)

    // There is one override and no second one: a single cancel releases the datapoint.
    const { id } = again.body.data
    expect((await power.cancel(id)).status).toBe(200)
    await registerIs(power, plain.power)
    await isFree(power)
    await reported(power, id, ['applied 7', `released ${plain.power} (cancelled)`])
    expect((await power.reports()).filter((entry) => entry.reqId === reqId)).toHaveLength(2)
  })

  test('is re-established and works as before', async () => {
    const to = Date.now() + 5_000
    const ended = await power.place(7, { to })
    const next = await limit.place(12, { from: to, to: to + HOUR })
    await registerIs(power, 7)
    wire.cut()
    onTestFinished(() => wire.heal())
    const lost = crypto.randomUUID()
    expectSilence(await power.override(9, { to: Date.now() + HOUR }, lost))
    await endsOnTime(power, { value: 7, to, back: plain.power })
    await registerIs(limit, 12)

    wire.replace()
    await answersAgain()
    await reported(power, ended, ['applied 7', `released ${plain.power} (ended)`])
    await reported(limit, next, ['applied 12'])
    expect((await limit.cancel(next)).status).toBe(200)
    await registerIs(limit, plain.limit)
    await reported(limit, next, ['applied 12', `released ${plain.limit} (cancelled)`])
    await nothingReported(power, lost)
    expect(await power.register()).toBe(plain.power)
  })
})

describe('a cloud that is halted', () => {
  test('returns an answer that arrived meanwhile, even after its timeout', async () => {
    await answersAgain()
    stack.edge.signal('SIGSTOP')
    onTestFinished(() => stack.edge.signal('SIGCONT'))
    const shown = power.shown()
    await sleep(systemClock, 300)
    stack.cloud.signal('SIGSTOP')
    onTestFinished(() => stack.cloud.signal('SIGCONT'))
    stack.edge.signal('SIGCONT')
    await sleep(systemClock, 2 * REPLY_TIMEOUT_MS)
    stack.cloud.signal('SIGCONT')
    expect(await shown).toMatchObject({ value: plain.power })
  })
})

describe('a controller that is halted', () => {
  function halt(): void {
    stack.edge.signal('SIGSTOP')
    onTestFinished(() => stack.edge.signal('SIGCONT'))
  }

  test('applies no command sent meanwhile; a retry with the same reqId is applied once', async () => {
    const reqId = crypto.randomUUID()
    const span = { from: Date.now(), to: Date.now() + HOUR }
    halt()
    expectSilence(await power.override(7, span, reqId))
    stack.edge.signal('SIGCONT')
    await answersAgain()
    await isFree(power)
    expect(await power.register()).toBe(plain.power)

    const { id } = (await power.override(7, span, reqId)).body.data
    await registerIs(power, 7)

    const cancelId = crypto.randomUUID()
    halt()
    expectSilence(await power.cancel(id, cancelId))
    stack.edge.signal('SIGCONT')
    await answersAgain()
    await isHeld(power)
    expect(await power.register()).toBe(7)

    expect((await power.cancel(id, cancelId)).body.data).toEqual({ success: true })
    await registerIs(power, plain.power)
    await reported(power, id, ['applied 7', `released ${plain.power} (cancelled)`])
    expect((await power.reports()).filter((entry) => entry.reqId === reqId)).toHaveLength(2)
  })

  test('releases an override that ended meanwhile as soon as it resumes', async () => {
    const to = Date.now() + 4_000
    const id = await power.place(7, { to })
    await registerIs(power, 7)
    halt()
    await eventually(() => expect(Date.now()).toBeGreaterThan(to + 1_000))
    expect(await power.register()).toBe(7)
    stack.edge.signal('SIGCONT')
    await endsOnTime(power, { value: 7, to: Date.now(), back: plain.power })
    await reported(power, id, ['applied 7', `released ${plain.power} (ended)`])
  })
})
