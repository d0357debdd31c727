import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API, type Replacement } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { hashSecret, randomText } from '../../organization/access/index.ts'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { DeviceAccounts } from '../../platform/broker/index.ts'
import type { Mirror } from '../../platform/db/mirror.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { SECRET_LENGTH } from './device-routes.ts'
import type { KeptState } from './device-state-store.ts'
import { createDeviceStore, type Device } from './device-store.ts'
import type { LastStates } from './last-states.ts'
import type { Presence } from './presence.ts'
import { planReplacement } from './replacement-plan.ts'
import { createReplacementStore, type ReplacementStore, type StoredReplacement } from './replacement-store.ts'

/** A controller that is being disconnected must not be taken for the new one. */
const DISCONNECTED_MS = 5_000

interface RouteDeps {
  store: ReplacementStore
  states: Pick<LastStates, 'find'>
  devices: Mirror<Device>
  presence: Pick<Presence, 'isOnline'>
  activity: ActivityLog
  accounts: Pick<DeviceAccounts, 'put'> | undefined
  brokerUrl(hostname: string): string
  clock: Clock
}

/** Shows what a new controller would get, and begins to replace one. */
export function replacementRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const { store, devices, presence, activity, accounts, brokerUrl, clock } = deps

  function requireDevice({ orgId, deviceId }: { orgId: string; deviceId: string }): Device {
    const device = devices.get(deviceId)
    if (device?.organizationId === orgId) return device
    throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
  }

  addRoute(app, API.getReplacement, async (request) => {
    const { id } = requireDevice(request.params)
    return describe(deps, id, await store.find(id))
  })

  addRoute(app, API.replaceDevice, async (request) => {
    const { id: deviceId, name, siteId, organizationId } = requireDevice(request.params)
    const online = presence.isOnline(deviceId)
    if (online && !request.body.evenIfOnline) {
      throw new Failure(
        'conflict',
        `${name} is online: switch the old controller off first, so that two do not control the same equipment; or allow it with evenIfOnline (command line: --online)`,
      )
    }
    const kept = await stateToRestore(deps, deviceId, await store.find(deviceId))
    const secret = randomText(SECRET_LENGTH)
    const now = clock.now()
    await activity.change(request, async (tx, note) => {
      if (!(await createDeviceStore(tx).setSecret(organizationId, deviceId, hashSecret(secret)))) {
        throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
      }
      const dueAt = new Date(online ? now + DISCONNECTED_MS : now)
      const given = { deviceId, id: newId('rpl'), at: new Date(now), dueAt, by: request.actor }
      await createReplacementStore(tx).begin(given, kept)
      const subject = { kind: 'device', id: deviceId, name } as const
      note({ organizationId, siteId, action: 'device-replaced', subject })
      await accounts?.put(tx, deviceId, secret)
    })
    await devices.refresh(deviceId)
    const replacement = await describe(deps, deviceId, await store.find(deviceId))
    return { id: deviceId, secret, brokerUrl: brokerUrl(request.hostname), replacement }
  })
}

async function describe(deps: RouteDeps, deviceId: string, last: StoredReplacement | undefined): Promise<Replacement> {
  const { store, presence, clock } = deps
  const kept = await stateToRestore(deps, deviceId, last)
  const now = clock.now()
  const { summary } = planReplacement(await store.known(deviceId, kept, new Date(now)), now)
  return {
    status: !last ? 'none' : (last.outcome ?? 'waiting'),
    requestedAt: last ? formatTimestamp(last.requestedAt.getTime()) : null,
    finishedAt: last?.finishedAt ? formatTimestamp(last.finishedAt.getTime()) : null,
    problem: last?.problem ?? null,
    online: presence.isOnline(deviceId),
    stateAt: kept ? formatTimestamp(kept.receivedAt) : null,
    ...summary,
  }
}

/**
 * Returns the last state of the controller that is replaced. A controller that has not taken over yet says that nothing is
 * held: then the state before it counts.
 */
async function stateToRestore(
  { states }: RouteDeps,
  deviceId: string,
  last: StoredReplacement | undefined,
): Promise<KeptState | undefined> {
  const latest = await states.find(deviceId)
  const tookOverAt = last && (last.finishedAt?.getTime() ?? Number.POSITIVE_INFINITY)
  if (!last || (latest && tookOverAt !== undefined && latest.receivedAt > tookOverAt)) return latest
  return last.state && last.stateAt ? { state: last.state, receivedAt: last.stateAt.getTime() } : undefined
}
