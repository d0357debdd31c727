import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from './support/eventually.ts'
import { type FleetStack, startFleetStack } from './support/fleet-stack.ts'
import { HAPROXY } from './support/haproxy.ts'
import { devicesOf, type ImitatedFleet, startFleet } from './support/imitated-fleet.ts'
import { MOSQUITTO } from './support/mosquitto.ts'
import { installNats, NATS, type Nats } from './support/nats.ts'
import { packageSite } from './support/package-service.ts'

const CONTROLLERS = 30
const VALUES = 3
const INTERVAL_MS = 1_000
const LOAD = ['--values', String(VALUES), '--interval', '1', '--connect-rate', '100']
const HELD = -20

let stack: FleetStack

/** The devices that each cloud process calls online. */
async function expectOnline(ids: readonly string[]): Promise<void> {
  for (const cloud of stack.clouds) {
    const { devices } = await stack.adminOf(cloud).listDevices({ orgId: stack.orgId })
    const online = devices.filter((device) => device.online).map(({ id }) => id)
    expect(online.toSorted()).toEqual(ids.toSorted())
  }
}

const imitated = () => devicesOf(stack.fleet).map(({ id }) => id)

/** Values of the real controller, through the proxy. A balancer may still meet a process that is gone. */
async function commandsWork(): Promise<void> {
  for (const _attempt of [1, 2, 3, 4]) {
    const { status, body } = await stack.partner.values(stack.connectionId)
    expect(status, body.message).toBe(200)
  }
}

/** Waits until everything that is due now is confirmed. */
async function caughtUp(fleet: ImitatedFleet): Promise<void> {
  const before = fleet.status()?.confirmed ?? 0
  await eventually(() => {
    const { waitingValues = Number.NaN, confirmed = 0, connected } = fleet.status() ?? {}
    expect(connected).toBe(CONTROLLERS)
    // The latest interval of each may be on its way.
    expect(waitingValues).toBeLessThanOrEqual(2 * CONTROLLERS * VALUES)
    expect(confirmed).toBeGreaterThan(before + CONTROLLERS)
  })
}

/** Compares what is stored with what the controllers were told: each interval of each datapoint once. */
async function expectStored(fleet: ImitatedFleet): Promise<void> {
  const confirmed = await fleet.stop()
  expect(confirmed).toHaveLength(CONTROLLERS)
  const systems = new Map(devicesOf(stack.fleet).map(({ id, system }) => [id, system]))
  for (const { id, from, to } of confirmed) {
    const expected = Array.from({ length: (to - from) / INTERVAL_MS + 1 }, (_, place) => from + place * INTERVAL_MS)
    for (const datapointId of systems.get(id)?.datapointIds ?? []) {
      const { measurements } = await stack.admin.listMeasurements({
        ...{ orgId: stack.orgId, deviceId: id, datapointId },
        query: { from: new Date(from).toISOString(), to: new Date(to + 1).toISOString(), limit: 10_000 },
      })
      expect(
        measurements.map(({ at }) => Date.parse(at)),
        `${id} ${datapointId}`,
      ).toEqual(expected)
    }
  }
}

describe.skipIf(!existsSync(MOSQUITTO) || !HAPROXY)('two clouds behind a proxy, two workers and a fleet', () => {
  let fleet: ImitatedFleet
  let before: number
  const register = async () => (await stack.equipment.holding(1, 100, 1)).readInt16BE(0) / 10
  /** What the register had other than the setpoint, while it was watched. */
  const strayed: number[] = []
  let watching: Promise<void>
  let isOver = false

  beforeAll(async () => {
    stack = await startFleetStack({ count: CONTROLLERS, args: LOAD })
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
    await eventually(() => expectOnline([...imitated(), stack.deviceId]))
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
    await eventually(commandsWork)
    await caughtUp(fleet)
    await first.start()
    await eventually(() => expectOnline([...imitated(), stack.deviceId]))
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
    await caughtUp(fleet)
    await eventually(commandsWork)
  })

  test('find everybody again when the broker is restarted', async () => {
    await stack.mosquitto.kill()
    await stack.mosquitto.start()
    await eventually(() => expectOnline([...imitated(), stack.deviceId]))
    await caughtUp(fleet)
    await eventually(commandsWork)
  })

  test('have stored what they confirmed, once, and know who is gone', async () => {
    await expectStored(fleet)
    await eventually(() => expectOnline([stack.deviceId]))
  })

  test('know it when a fleet loses power', async () => {
    fleet = await startFleet({ ...stack.fleet, args: [...stack.fleet.args, '--url', stack.mosquitto.deviceUrl] })
    await eventually(() => expectOnline([...imitated(), stack.deviceId]))
    await fleet.kill()
    await eventually(() => expectOnline([stack.deviceId]))
  })

  test('held the equipment throughout', async () => {
    isOver = true
    await watching
    expect(strayed).toEqual([])
    expect(before).not.toBe(HELD)
    expect(await register()).toBe(HELD)
  })

  describe.skipIf(!NATS)('on NATS', () => {
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
      await eventually(() => expectOnline(imitated()))
      await stack.clouds[1].kill()
      await caughtUp(fleet)
      await stack.clouds[1].start()
      await eventually(() => expectOnline(imitated()))
      await nats.kill()
      await nats.start()
      await eventually(() => expectOnline(imitated()))
      await caughtUp(fleet)
      await expectStored(fleet)
      await eventually(() => expectOnline([]))
    })
  })
})
