import { randomUUID } from 'node:crypto'
import { sleep, systemClock } from '@plantroom/base/clock'
import type { Client } from '@plantroom/client/client'
import { ApiError } from '@plantroom/client/http'
import type { ImitatedSystem } from '@plantroom/contract/fleet-simulation'
import type { FleetCredentials } from './fleet-credentials.ts'
import { imitatedPlant } from './imitated-plant.ts'

const REGISTERING = 32
const COMMISSIONING = 32
const TRIES = 10
const RETRY_MS = 1_000
const NAME = 'Imitated controllers'

/** Returns the organization and site for imitated controllers, and creates them where they are missing. */
export async function findPlace(
  operator: Client,
  given: { orgId: string | undefined; siteId: string | undefined },
): Promise<{ orgId: string; siteId: string }> {
  const orgId = given.orgId ?? (await findOrganization(operator))
  if (given.siteId !== undefined) return { orgId, siteId: given.siteId }
  const { sites } = await operator.listSites({ orgId })
  const site = sites.find(({ name }) => name === NAME) ?? (await operator.addSite({ orgId, body: { name: NAME } }))
  return { orgId, siteId: site.id }
}

async function findOrganization(operator: Client): Promise<string> {
  const { organizations } = await operator.listOrganizations()
  const found = organizations.find(({ name }) => name === NAME)
  return (found ?? (await operator.addOrganization({ body: { name: NAME } }))).id
}

/** Adds devices to the service until the fleet has `count`. Calls `added` after each. */
export async function register(
  operator: Client,
  fleet: FleetCredentials,
  count: number,
  added: () => void,
): Promise<void> {
  const { orgId, siteId, devices } = fleet
  // Names are unique on a site, and an earlier fleet may be there.
  const run = randomUUID().slice(0, 8)
  const missing = Array.from({ length: Math.max(0, count - devices.length) }, (_, index) => devices.length + index + 1)
  await inParallel(REGISTERING, missing, async (number) => {
    const name = `Imitated controller ${run}-${number}`
    const { id, secret } = await operator.addDevice({ orgId, body: { name, siteId } })
    devices.push({ id, secret })
    added()
  })
}

/** Commissions the devices that are not yet, which must be online. Calls `done` after each. */
export async function commissionFleet(
  operator: Client,
  fleet: FleetCredentials,
  options: { count: number; signal: AbortSignal; done: () => void },
): Promise<void> {
  const { orgId, values, intervalSeconds } = fleet
  const body = imitatedPlant(values, intervalSeconds)
  const left = fleet.devices.slice(0, options.count).filter(({ system }) => !system)
  await inParallel(COMMISSIONING, left, async (device) => {
    if (options.signal.aborted) return
    const result = await whileOffline(() => operator.commission({ orgId, deviceId: device.id, body }), options.signal)
    const [connection] = result?.connections ?? []
    if (!result || !connection) return
    device.system = {
      id: result.technicalSystemId,
      connectionId: connection.id,
      datapointIds: connection.datapoints.map(({ id }) => id),
    } satisfies ImitatedSystem
    options.done()
  })
}

/** Tries again while the device is not reached: loading the same file again changes nothing. */
async function whileOffline<Result>(attempt: () => Promise<Result>, signal: AbortSignal): Promise<Result | undefined> {
  for (let tried = 1; !signal.aborted; tried += 1) {
    try {
      return await attempt()
    } catch (error) {
      const isOffline = error instanceof ApiError && error.status >= 500
      if (!isOffline || tried === TRIES) throw error
      await sleep(systemClock, RETRY_MS, signal)
    }
  }
  return undefined
}

/** Works on `lanes` items at a time. After a failure it starts no other. */
async function inParallel<Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values()
  let failed = false
  const lane = async () => {
    for (const item of left) {
      if (failed) return
      await work(item).catch((error: unknown) => {
        failed = true
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
