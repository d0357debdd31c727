import { pageOf } from '@plantroom/contract/api'
import type { ConfirmedHistory } from '@plantroom/contract/fleet-simulation'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import type { FleetStack } from './fleet-stack.ts'
import { devicesOf, type ImitatedFleet } from './imitated-fleet.ts'

/** The load of a fleet: controllers, and values of each in every interval. */
export interface FleetLoad {
  controllers: number
  values: number
  intervalMs: number
}

/** Checks that each cloud process calls these devices online, and no other. */
export async function expectOnline(stack: FleetStack, ids: readonly string[]): Promise<void> {
  for (const cloud of stack.clouds) {
    const { devices } = await stack.adminOf(cloud).listDevices({ orgId: stack.orgId })
    const online = devices.filter((device) => device.online).map(({ id }) => id)
    expect(online.toSorted()).toEqual(ids.toSorted())
  }
}

/** Checks how many devices each cloud process calls online, for fleets whose list is long. */
export async function expectOnlineCount(stack: FleetStack, count: number): Promise<void> {
  for (const { ready } of stack.clouds) {
    const text = await (await fetch(`${ready.baseUrl}/metrics`)).text()
    expect(/^plantroom_devices_online(?:{.*})? (\d+)/m.exec(text)?.[1]).toBe(String(count))
  }
}

/** Reads values of the real controller through the proxy, which spreads the calls over the clouds. */
export async function expectCommands(stack: FleetStack): Promise<void> {
  for (const _attempt of [1, 2, 3, 4]) {
    const { status, body } = await stack.partner.values(stack.connectionId)
    expect(status, body.message).toBe(200)
  }
}

/** Waits until everything that is due now is confirmed. */
export async function caughtUp(fleet: ImitatedFleet, { controllers, values }: FleetLoad): Promise<void> {
  const before = fleet.status()?.confirmed ?? 0
  await eventually(() => {
    const { waitingValues = Number.NaN, confirmed = 0, connected } = fleet.status() ?? {}
    expect(connected).toBe(controllers)
    // The latest interval of each may be on its way.
    expect(waitingValues).toBeLessThanOrEqual(2 * controllers * values)
    expect(confirmed).toBeGreaterThan(before + controllers)
  })
}

/** Compares what is stored with what was confirmed to the controllers: each interval of each datapoint once. */
export async function expectStored(
  stack: FleetStack,
  confirmed: readonly ConfirmedHistory[],
  { intervalMs }: FleetLoad,
): Promise<void> {
  const systems = new Map(devicesOf(stack.fleet).map(({ id, system }) => [id, system]))
  for (const { id, from, to } of confirmed) {
    const expected = Array.from({ length: (to - from) / intervalMs + 1 }, (_, place) => from + place * intervalMs)
    for (const datapointId of systems.get(id)?.datapointIds ?? []) {
      const page = await stack.admin.listMeasurements({
        ...{ orgId: stack.orgId, deviceId: id, datapointId },
        query: { from: new Date(from).toISOString(), to: new Date(to + 1).toISOString(), limit: 10_000 },
      })
      const times = pageOf(page).measurements.map(({ at }) => Date.parse(at))
      expect(times, `${id} ${datapointId}`).toEqual(expected)
    }
  }
}
