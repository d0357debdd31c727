import { existsSync } from 'node:fs'
import { freePort } from '@plantroom/testkit/free-port'
import { isCampaign, repeat } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type Dispatchable, endsOnTime, ofBatteryRoom, registerIs } from './support/dispatchable.ts'
import { startEquipmentBroker } from './support/equipment-broker.ts'
import { eventually } from './support/eventually.ts'
import { limitedRoom, limitedSite } from './support/limited-site.ts'
import { MOSQUITTO } from './support/mosquitto.ts'
import { connectMqtt } from './support/mqtt-client.ts'
import { becomes, type Followed, type OpenadrStack, startOpenadrStack } from './support/openadr-site.ts'

const HOUR = 3_600_000
const CAMPAIGN_MS = 600_000
/** What the installer left in the register. */
const BEFORE = 5
/** The building draws 46 to 78 kW without its battery, and its controller follows within some kilowatts. */
const CEILING_KW = 60
const FOLLOWS_WITHIN_KW = 6

let stack: OpenadrStack
let power: Dispatchable

beforeAll(async () => {
  stack = await startOpenadrStack()
  power = ofBatteryRoom(stack, 'Charge power')
  await registerIs(power, BEFORE)
})
afterAll(() => stack?.[Symbol.asyncDispose]())

const dispatches = () => {
  const rule = { payload: 'DISPATCH_SETPOINT', datapointId: stack.datapointId('Charge power') }
  return {
    mapping: { resources: [{ resourceName: 'battery', rules: [rule] }], onSilence: 'keep', silenceSeconds: 600 },
  } as const
}
const setpoints = (values: readonly number[], eachMs: number, from?: number) => ({
  ...{ payload: 'DISPATCH_SETPOINT', values, eachMs },
  ...(from !== undefined && { from }),
})

/** How often the controller wrote each value, by its own audit. */
async function appliedSince(count: number): Promise<number[]> {
  const entries = (await power.reports()).slice(count)
  return entries.filter(({ phase }) => phase === 'applied').map(({ value }) => Number(value))
}

describe('an event of a VTN', () => {
  test('reaches the register, changes it in mid-interval, and is released when it is deleted', async () => {
    await using program = await stack.follow(dispatches())
    const { length } = await power.reports()
    const id = program.addEvent(setpoints([20, 30], HOUR))
    await registerIs(power, 20)
    program.changeEvent(id, setpoints([25, 30], HOUR))
    await registerIs(power, 25)
    program.vtn.events.remove(id)
    await registerIs(power, BEFORE)
    await eventually(async () => expect(await appliedSince(length)).toEqual([20, 25]))
    expect(await program.shownEvents()).toMatchObject([{ state: 'deleted', eventName: 'Peak' }])
  })

  test('leaves the register to a site that opts out, and its VTN hears of it once, as of the opt-in', async () => {
    await using program = await stack.follow(dispatches())
    const { admin, orgId } = stack
    const reportDescriptors = [{ payloadType: 'OPERATING_STATE' }]
    program.addEvent({ ...setpoints([20], HOUR), more: { reportDescriptors } })
    await registerIs(power, 20)
    const [event] = await program.shownEvents()
    const eventId = event?.id ?? ''
    const { optOuts } = await admin.optOutOfOpenadrEvent({ orgId, eventId, body: { reason: 'A concert tonight' } })
    await registerIs(power, BEFORE)
    for (const { id: optOutId } of optOuts) await admin.endOpenadrOptOut({ orgId, optOutId })
    await registerIs(power, 20)
    const states = () => program.vtn.reports.list().map((one) => /"values":\["(\w+)"/.exec(JSON.stringify(one))?.[1])
    await eventually(() => expect(states()).toEqual(['RUNNING_OPTED_OUT', 'NORMAL']))
  })

  test('is announced by the VTN, and found by a poll when that was lost', async () => {
    {
      await using program = await stack.follow({ ...dispatches(), pollSeconds: 3600 })
      await becomes(stack, program, { notifications: 'webhook' })
      const id = program.addEvent(setpoints([20, 30], HOUR))
      await registerIs(power, 20)
      program.vtn.events.remove(id)
      await registerIs(power, BEFORE)
    }
    await using program = await stack.follow({ ...dispatches(), pollSeconds: 10 })
    await becomes(stack, program, { notifications: 'webhook' })
    for (const { id } of program.vtn.subscriptions.list()) program.vtn.subscriptions.remove(id)
    const id = program.addEvent(setpoints([25], HOUR))
    await registerIs(power, 25)
    program.vtn.events.remove(id)
    await registerIs(power, BEFORE)
  })

  test.runIf(isCampaign && existsSync(MOSQUITTO))('is announced at the broker of the VTN', async () => {
    const port = await freePort()
    const broker = await startEquipmentBroker(stack.folder, port)
    onTestFinished(() => broker.stop())
    const mqttUrl = `mqtt://127.0.0.1:${port}`
    await using client = await connectMqtt(mqttUrl, { username: 'vtn', password: '' })
    const publish = (topic: string, body: unknown) => void client.publish(topic, JSON.stringify(body))
    await using program = await stack.follow({ ...dispatches(), pollSeconds: 3600 }, { mqttUrl, publish })
    await becomes(stack, program, { notifications: 'mqtt' })
    for (const { id } of program.vtn.subscriptions.list()) program.vtn.subscriptions.remove(id)
    const id = program.addEvent(setpoints([20], HOUR))
    await registerIs(power, 20)
    program.vtn.events.remove(id)
    await registerIs(power, BEFORE)
  })

  test.runIf(isCampaign)('is released when its program is removed', { timeout: CAMPAIGN_MS }, async () => {
    {
      await using program = await stack.follow(dispatches())
      program.addEvent(setpoints([20], HOUR))
      await registerIs(power, 20)
    }
    await registerIs(power, BEFORE)
  })
})

describe.runIf(isCampaign)('a worker that is killed', () => {
  test('while it places has its placements made once, by another one', { timeout: CAMPAIGN_MS }, async () => {
    await repeat(3, async ({ random }) => {
      await using program = await stack.follow(dispatches())
      await becomes(stack, program, { state: 'connected' })
      const { length } = await power.reports()
      const killed = Promise.withResolvers<unknown>()
      // Between the answer of the VTN and the end of the transaction, and shortly after it.
      program.vtn.faults.betweenPages = () => {
        program.vtn.faults.betweenPages = undefined
        setTimeout(() => killed.resolve(stack.worker.kill()), random.whole(0, 60))
      }
      const [first, second] = [10 + random.whole(0, 9), 20 + random.whole(0, 9)]
      const id = program.addEvent(setpoints([first, second], 120_000, Date.now() - 60_000))
      await killed.promise
      await using _other = await stack.startWorker()
      await registerIs(power, first)
      await registerIs(power, second)
      program.vtn.events.remove(id)
      await registerIs(power, BEFORE)
      expect(await appliedSince(length)).toEqual([first, second])
      const [event] = await program.shownEvents()
      expect(event?.placements).toHaveLength(2)
      await stack.worker.start()
    })
  })
})

describe.runIf(isCampaign)('a VTN that is down', () => {
  test('leaves what was placed until it ends, on time, also when worker and cloud die', {
    timeout: CAMPAIGN_MS,
  }, async () => {
    await using program = await stack.follow(dispatches())
    const { length } = await power.reports()
    const from = Date.now()
    const to = from + 60_000
    program.addEvent(setpoints([20, 30], 30_000, from))
    await eventually(async () => {
      const [event] = await program.shownEvents()
      expect(event?.placements.map(({ state }) => state)).toEqual(['active', 'queued'])
    })
    program.vtn.faults.isDown = true
    await registerIs(power, 30)
    await becomes(stack, program, { state: 'failing', problem: expect.stringContaining('does not answer') })
    await Promise.all([stack.worker.kill(), stack.cloud.kill()])
    await endsOnTime(power, { value: 30, to, back: BEFORE })
    await stack.cloud.start()
    await stack.worker.start()
    await eventually(async () => expect(await appliedSince(length)).toEqual([20, 30]))
  })
})

describe.runIf(isCampaign)('a power limit by event', () => {
  test('bounds the site, and is acknowledged once although the answer is lost', { timeout: CAMPAIGN_MS }, async () => {
    await stack.commission(limitedRoom(stack.simulator.ready.modbus.port))
    const site = limitedSite(stack)
    await registerIs(site.power, BEFORE)
    const limit = { siteId: stack.siteId, direction: 'import', averagingSeconds: 0 } as const
    const rules = [{ payload: 'CONSUMPTION_POWER_LIMIT', limit }]
    await using program = await stack.follow({
      ...{ version: '3.0', profile: 'switch' },
      mapping: { resources: [{ resourceName: 'connection-point', rules }], onSilence: 'keep', silenceSeconds: 600 },
    })
    program.vtn.faults.losesReportAnswers = true
    const id = program.addEvent({ payload: 'CONSUMPTION_POWER_LIMIT', values: [CEILING_KW], eachMs: HOUR })
    await eventually(async () => expect(await site.power.register()).toBeLessThan(BEFORE))
    await site.staysBelow(CEILING_KW + FOLLOWS_WITHIN_KW)
    await reportsAre(program, 'waiting')
    program.vtn.faults.losesReportAnswers = false
    await reportsAre(program, 'sent')
    expect(program.vtn.reports.list()).toHaveLength(1)
    program.vtn.events.remove(id)
    await registerIs(site.power, BEFORE)
  })
})

function reportsAre({ programId }: Followed, state: string): Promise<void> {
  const { admin, orgId } = stack
  return eventually(async () => {
    const { reports } = await admin.listOpenadrReports({ orgId, query: { programId } })
    expect(reports).toMatchObject([{ state }])
  })
}
