import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { DeviceBus } from '../broker/index.ts'
import type { ChangeFeed } from '../db/change-feed.ts'
import type { Db } from '../db/database.ts'
import { type Mirror, openMirror } from '../db/mirror.ts'
import type { EventStreams } from '../streams/index.ts'
import { createCallerNameStore } from './caller-name-store.ts'
import { commandRoutes } from './command-routes.ts'
import { commissioningRoutes } from './commissioning-routes.ts'
import { createConcurrencyLimit } from './concurrency-limit.ts'
import { deviceRoutes } from './device-routes.ts'
import { createDeviceStore, type Device } from './device-store.ts'
import { createDispatch, type Dispatch } from './dispatch.ts'
import { createInbox, type Receivers } from './inbox.ts'
import { createLiveDevices } from './live-devices.ts'
import { liveRoutes } from './live-routes.ts'
import { createPendingReplies } from './pending-replies.ts'
import { createPresence, type Presence } from './presence.ts'
import { createTechnicalSystemStore } from './technical-system-store.ts'

export type { Device } from './device-store.ts'

/** All devices, in memory: every request and every connection looks one up. */
export type Devices = Mirror<Device>

/** Per device: commands sent and not yet answered, and commands waiting to be sent. */
const COMMAND_LIMITS = { running: 32, queued: 256 }

export function openDevices(deps: { db: Db; feed: ChangeFeed; clock: Clock; log: Log }): Promise<Devices> {
  const { db, feed, clock, log } = deps
  const { loadAll, loadOne } = createDeviceStore(db)
  return openMirror<Device>({ table: 'device', feed, clock, log, loadAll, loadOne })
}

/** The connection to all devices: which are online, and commands to them. */
export interface DeviceLink {
  presence: Presence
  dispatch: Dispatch
}

/** Starts receiving from the bus: replies and presence stay here, the rest goes to `receivers`. */
export function connectDevices(deps: {
  bus: DeviceBus
  receivers: Receivers
  clock: Clock
  cloudId: string
  replyTimeoutMs: number
}): DeviceLink {
  const { bus, receivers, clock } = deps
  const pending = createPendingReplies(clock)
  const presence = createPresence(pending.abandon)
  bus.receive(createInbox({ bus, pending, presence, clock, receivers }))
  const limit = createConcurrencyLimit(COMMAND_LIMITS)
  return { presence, dispatch: createDispatch({ ...deps, presence, pending, limit }) }
}

/** Adds the routes for devices, their commands, commissioning and live state. */
export function register(
  app: FastifyInstance,
  deps: { db: Db; devices: Devices; link: DeviceLink; streams: EventStreams; clock: Clock; log: Log },
): void {
  const { db, devices, link, streams, clock, log } = deps
  const { dispatch, presence } = link
  const live = createLiveDevices({ dispatch, callers: createCallerNameStore(db), clock, log })
  app.addHook('onClose', async () => live.close())
  commandRoutes(app, { dispatch })
  liveRoutes(app, { live, findDevice: devices.get, streams })
  deviceRoutes(app, { store: createDeviceStore(db), devices, presence })
  commissioningRoutes(app, { devices, systems: createTechnicalSystemStore(db), dispatch, clock })
}
