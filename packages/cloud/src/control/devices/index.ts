import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { FastifyInstance } from 'fastify'
import type { OverrideReleases } from '../../organization/access/index.ts'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { DeviceAccounts } from '../../platform/broker/index.ts'
import type { ChangeFeed } from '../../platform/db/change-feed.ts'
import type { Db } from '../../platform/db/database.ts'
import { type Mirror, openMirror } from '../../platform/db/mirror.ts'
import type { EventStreams } from '../../platform/streams/index.ts'
import { createCallerNameStore } from './caller-name-store.ts'
import { commandRoutes } from './command-routes.ts'
import { commissioningRecordRoute } from './commissioning-record.ts'
import { commissioningRoutes } from './commissioning-routes.ts'
import { createCommissioningVersionStore } from './commissioning-version-store.ts'
import type { DeviceLink } from './device-link.ts'
import { deviceRoutes, liveRoutes } from './device-routes.ts'
import { createDeviceStateStore } from './device-state-store.ts'
import { createDeviceStore, type Device } from './device-store.ts'
import { discoveryRoutes } from './discovery-routes.ts'
import { holdRoutes } from './hold-routes.ts'
import { createLastStates, type LastStates } from './last-states.ts'
import { createLiveDevices } from './live-devices.ts'
import { outputTestRoutes } from './output-test-routes.ts'
import { createOutputTestStore } from './output-test-store.ts'
import { createOverrideOwnerStore } from './override-owner-store.ts'
import { createOverrideOwners } from './override-owners.ts'
import { createOverrideReleaseStore } from './override-release-store.ts'
import { createOverrideReleases } from './override-releases.ts'
import { releaseRoute } from './release-route.ts'
import { replacementRoutes } from './replacement-routes.ts'
import { createReplacementStore } from './replacement-store.ts'
import { serveReplacements } from './replacements.ts'
import { createRollbacks } from './rollbacks.ts'
import { createTaskStore } from './task-store.ts'
import { type DeviceTasks, startDeviceTasks } from './tasks.ts'
import { createTechnicalSystemStore } from './technical-system-store.ts'
import { templateRoutes } from './template-routes.ts'
import { createWrittenAddressStore } from './written-address-store.ts'

export { createAsk, UnreadableReply } from './ask.ts'
export { awaitsRestore } from './awaits-restore.ts'
export { rememberCancels } from './cancellations.ts'
export { connectDevices, type DeviceLink } from './device-link.ts'
export type { Device } from './device-store.ts'
export { forEach } from './for-each.ts'
export { createOverrideOwnerStore } from './override-owner-store.ts'
export type { TaskKind } from './task-lane.ts'
export {
  addTasks,
  type DeviceTask,
  done,
  later,
  retry,
  settleTasks,
  type TaskKey,
  type TaskResult,
} from './task-store.ts'
export type { DeviceTasks } from './tasks.ts'

/** All devices, in memory: every request and every connection looks one up. */
export type Devices = Mirror<Device>

export function openDevices(deps: { db: Db; feed: ChangeFeed; clock: Clock; log: Log }): Promise<Devices> {
  const { db, feed, clock, log } = deps
  const { loadAll, loadOne } = createDeviceStore(db)
  return openMirror<Device>({ table: 'device', feed, clock, log, loadAll, loadOne })
}

/** Keeps the last state of every device, for the time when it does not answer. */
export function keepStates(deps: { db: Db; devices: Devices; clock: Clock; log: Log }): LastStates {
  const { db, devices, ...rest } = deps
  return createLastStates({ ...rest, store: createDeviceStateStore(db), findDevice: devices.get })
}

/** Starts to do what must reach controllers: releases, replacements, and what other features add. */
export function openDeviceTasks(deps: {
  db: Db
  link: DeviceLink
  devices: Devices
  activity: ActivityLog
  clock: Clock
  log: Log
}): { tasks: DeviceTasks; releases: OverrideReleases } {
  const { db, devices, ...rest } = deps
  const tasks = startDeviceTasks({ ...rest, store: createTaskStore(db) })
  const releases = createOverrideReleases({ ...rest, tasks, store: createOverrideReleaseStore(db) })
  serveReplacements({ ...rest, tasks, store: createReplacementStore(db), findDevice: devices.get })
  return { tasks, releases }
}

/** Adds the routes for devices, their commands, commissioning and live state. */
export function register(
  app: FastifyInstance,
  deps: {
    db: Db
    devices: Devices
    link: DeviceLink
    states: LastStates
    accounts: DeviceAccounts | undefined
    brokerUrl(hostname: string): string
    activity: ActivityLog
    streams: EventStreams
    clock: Clock
    log: Log
  },
): void {
  const { db, devices, link, states, accounts, brokerUrl, activity, streams, clock, log } = deps
  const { dispatch, ask, presence } = link
  const releases = createOverrideReleaseStore(db)
  const live = createLiveDevices({ ask, callers: createCallerNameStore(db), states, releases, clock, log })
  app.addHook('onClose', async () => live.close())
  const owners = createOverrideOwners({ dispatch, store: createOverrideOwnerStore(db), clock, log })
  app.addHook('onClose', () => owners.close())
  const systems = createTechnicalSystemStore(db)
  templateRoutes(app)
  commandRoutes(app, { dispatch: owners.dispatch, systems })
  holdRoutes(app, { devices, systems, activity, ask })
  const tests = createOutputTestStore(db)
  outputTestRoutes(app, { devices, systems, tests, activity, ask, clock })
  discoveryRoutes(app, { devices, activity, ask, clock })
  liveRoutes(app, { live, findDevice: devices.get, streams })
  releaseRoute(app, { ask, store: releases, states, findDevice: devices.get, activity, clock })
  deviceRoutes(app, { store: createDeviceStore(db), activity, devices, presence, ask, states, accounts, brokerUrl })
  const replacing = { states, devices, presence, activity, accounts, brokerUrl, clock }
  replacementRoutes(app, { store: createReplacementStore(db), ...replacing })
  const versions = createCommissioningVersionStore(db)
  const softwareOf = (deviceId: string) => presence.softwareOf(deviceId)?.version ?? null
  commissioningRecordRoute(app, { devices, systems, versions, tests, softwareOf, key: activity.key, clock })
  const addresses = createWrittenAddressStore(db)
  states.watch(createRollbacks({ db, findDevice: devices.get, activity, ask, clock, log }).noticed)
  commissioningRoutes(app, { devices, systems, versions, addresses, tests, activity, ask, clock })
}
