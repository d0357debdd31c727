import { existsSync } from 'node:fs'
import { isCampaign } from '@plantroom/testkit/repetitions'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { caughtUp, expectCommands, expectOnline, expectStored, type FleetLoad } from './support/fleet-checks.ts'
import { type FleetStack, startFleetStack } from './support/fleet-stack.ts'
import { HAPROXY } from './support/haproxy.ts'
import { devicesOf, type ImitatedFleet, startFleet } from './support/imitated-fleet.ts'
import { MOSQUITTO } from './support/mosquitto.ts'
import { installNats, NATS, type Nats } from './support/nats.ts'
import { packageSite } from './support/package-service.ts'

const LOAD: FleetLoad = { controllers: 30, values: 3, intervalMs: 1_000 }
const ARGUMENTS = ['--values', '3', '--interval', '1', '--connect-rate', '100']
const HELD = -20

let stack: FleetStack
let fleet: ImitatedFleet

/** Ends the fleet and compares what is stored with what was confirmed to it. */
async function expectEverythingStored(): Promise<void> {
  const confirmed = await fleet.stop()
  expect(confirmed).toHaveLength(LOAD.controllers)
  await expectStored(stack, confirmed, LOAD)
}

const imitated = () => devicesOf(stack.fleet).map(({ id }) => id)

describe.skipIf(!existsSync(MOSQUITTO) || !HAPROXY)('two clouds behind a proxy, two workers and a fleet', () => {
  let before: number
  const register = async () => (await stack.equipment.holding(1, 100, 1)).readInt16BE(0) / 10
  /** What the register had other than the setpoint, while it was watched. */
  const strayed: number[] = []
  let watching: Promise<void>
  let isOver = false

  beforeAll(async () => {
    stack = await startFleetStack({ count: LOAD.controllers, args: ARGUMENTS })
    fleet = await startFleet({ ...stack.fleet, args: [...stack.fleet.args, '--url', stack.mosquitto.deviceUrl] })
    before = await register()
  })
  afterAll(async () => {
    isOver = true
    await watching
    await fleet?.[Symbol.asyncDispose]()
    await stack?.[Symbol.asyncDispose]()
  })

  async function watchRegister(): Promise<void> {
    while (!isOver) {
      const value = await register().catch(() => HELD)
      if (value !== HELD) strayed.push(value)
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
  }

  test('agree that everybody is online, and hold equipment', async () => {
    await eventually(() => expectOnline(stack, [...imitated(), stack.deviceId]))
    const { status } = await stack.partner.override({
      ...{ datapointId: stack.datapointId, value: HELD },
      ...{ from: Date.now(), to: Date.now() + 3_600_000 },
    })
    expect(status).toBe(200)
    await eventually(async () => expect(await register()).toBe(HELD))
    watching = watchRegister()
  })

  test('lose nothing when one process is killed under load', async () => {
    const [first] = stack.clouds
    await first.kill()
    await eventually(() => expectCommands(stack))
    await caughtUp(fleet, LOAD)
    await first.start()
    await eventually(() => expectOnline(stack, [...imitated(), stack.deviceId]))
  })

  test('still run jobs when one worker is killed', async () => {
    await stack.workers[0].kill()
    const site = packageSite({ ...stack, baseUrl: stack.proxy.baseUrl })
    const { status } = await site.run('/export')
    expect(status).toBe('SUCCESS')
  })

  test('lose nothing when the database crashes and comes back', async () => {
    await stack.postgres.crash()
    await stack.postgres.start()
    await caughtUp(fleet, LOAD)
    await eventually(() => expectCommands(stack))
  })

  test('find everybody again when the broker is restarted', async () => {
    await stack.mosquitto.kill()
    await stack.mosquitto.start()
    await eventually(() => expectOnline(stack, [...imitated(), stack.deviceId]))
    await caughtUp(fleet, LOAD)
    await eventually(() => expectCommands(stack))
  })

  test('have stored what they confirmed, once, and know who is gone', async () => {
    await expectEverythingStored()
    await eventually(() => expectOnline(stack, [stack.deviceId]))
  })

  test('know it when a fleet loses power', async () => {
    fleet = await startFleet({ ...stack.fleet, args: [...stack.fleet.args, '--url', stack.mosquitto.deviceUrl] })
    await eventually(() => expectOnline(stack, [...imitated(), stack.deviceId]))
    await fleet.kill()
    await eventually(() => expectOnline(stack, [stack.deviceId]))
  })

  test('held the equipment throughout', async () => {
    isOver = true
    await watching
    expect(strayed).toEqual([])
    expect(before).not.toBe(HELD)
    expect(await register()).toBe(HELD)
  })

  describe.skipIf(!NATS || !isCampaign)('on NATS', () => {
    let nats: Nats
    const start = () => startFleet({ ...stack.fleet, args: [...stack.fleet.args, '--url', nats.deviceUrl] })

    beforeAll(async () => {
      nats = await installNats(stack.folder, stack.logins)
      await nats.start()
      await Promise.all(stack.clouds.map((cloud) => cloud.start({ MQTT_URL: nats.cloudUrl })))
      fleet = await start()
    })
    afterAll(() => nats?.kill())

    test('lose nothing when a process and the broker die', async () => {
      await eventually(() => expectOnline(stack, imitated()))
      await stack.clouds[1].kill()
      await caughtUp(fleet, LOAD)
      await stack.clouds[1].start()
      await eventually(() => expectOnline(stack, imitated()))
      await nats.kill()
      await nats.start()
      await eventually(() => expectOnline(stack, imitated()))
      await caughtUp(fleet, LOAD)
      await expectEverythingStored()
      await eventually(() => expectOnline(stack, []))
    })
  })
})
