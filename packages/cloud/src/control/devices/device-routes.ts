import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { fitOf, type Software } from '@plantroom/contract/software'
import type { FastifyInstance } from 'fastify'
import { hashSecret, overrideViewOf, randomText } from '../../organization/access/index.ts'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { DeviceAccounts } from '../../platform/broker/index.ts'
import { explainConflicts } from '../../platform/db/database.ts'
import type { Mirror } from '../../platform/db/mirror.ts'
import { requireRoom } from '../../platform/db/most-rows.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { EventStreams } from '../../platform/streams/index.ts'
import type { Ask } from './ask.ts'
import { createDeviceStore, type Device, type DeviceStore } from './device-store.ts'
import type { LastStates } from './last-states.ts'
import type { LiveDevices, LiveEvent } from './live-devices.ts'
import type { Presence } from './presence.ts'
import { refuseHolding } from './refuse-holding.ts'

export const SECRET_LENGTH = 40

/** Lists, adds and removes devices and renews their broker credentials, for the operator and for members. */
export function deviceRoutes(
  app: FastifyInstance,
  deps: {
    store: Pick<DeviceStore, 'list'>
    activity: ActivityLog
    devices: Mirror<Device>
    presence: Presence
    ask: Ask
    states: Pick<LastStates, 'find'>
    /** Accounts at a broker that does not ask us who may connect. */
    accounts: Pick<DeviceAccounts, 'put' | 'remove'> | undefined
    /** The address of the broker for a device, by the name under which a caller reached this service. */
    brokerUrl(hostname: string): string
  },
): void {
  const { store, activity, devices, presence, accounts, brokerUrl } = deps

  addRoute(app, API.listDevices, async (request) => {
    const { siteIds: visible, params, query } = request
    const { siteId, cursor, limit } = query
    const siteIds = siteId === undefined ? visible && [...visible] : [siteId].filter((id) => visible?.has(id) ?? true)
    const { devices, nextCursor } = await store.list(params.orgId, { siteIds, cursor, limit })
    return {
      devices: devices.map((device) => ({
        ...device,
        online: presence.isOnline(device.id),
        software: describeSoftware(presence.softwareOf(device.id)),
      })),
      nextCursor,
    }
  })

  addRoute(app, API.addDevice, async (request) => {
    const { orgId } = request.params
    const { name, siteId } = request.body
    const id = newId('dev')
    const secret = randomText(SECRET_LENGTH)
    const change = activity.change(request, async (tx, note) => {
      const device = { id, organizationId: orgId, siteId, name, secretHash: hashSecret(secret) }
      await requireRoom(tx, 'device', orgId)
      await createDeviceStore(tx).add(device)
      note({ organizationId: orgId, siteId, action: 'device-added', subject: { kind: 'device', id, name } })
      await accounts?.put(tx, id, secret)
    })
    await explainConflicts(change, {
      ...taken(name),
      device_organization_id_site_id_fkey: new Failure(
        'invalid',
        `siteId: this organization has no site ${shown(siteId)}`,
        'siteId',
      ),
    })
    await devices.refresh(id)
    return { id, name, siteId, secret, brokerUrl: brokerUrl(request.hostname) }
  })

  addRoute(app, API.updateDevice, async (request) => {
    const { orgId, deviceId } = request.params
    const { name } = request.body
    const change = activity.change(request, async (tx, note) => {
      const device = await createDeviceStore(tx).rename(orgId, deviceId, name)
      if (!device) throw unknownDevice(deviceId)
      const subject = { kind: 'device', id: deviceId, name } as const
      note({ organizationId: orgId, siteId: device.siteId, action: 'device-renamed', subject })
      return device
    })
    const { siteId } = await explainConflicts(change, taken(name))
    await devices.refresh(deviceId)
    return { id: deviceId, name, siteId }
  })

  addRoute(app, API.renewDeviceCredential, async (request) => {
    const { orgId, deviceId } = request.params
    const secret = randomText(SECRET_LENGTH)
    await activity.change(request, async (tx, note) => {
      const device = await createDeviceStore(tx).setSecret(orgId, deviceId, hashSecret(secret))
      if (!device) throw unknownDevice(deviceId)
      const subject = { kind: 'device', id: deviceId, name: device.name } as const
      note({ organizationId: orgId, siteId: device.siteId, action: 'device-secret-renewed', subject })
      await accounts?.put(tx, deviceId, secret)
    })
    await devices.refresh(deviceId)
    return { id: deviceId, secret, brokerUrl: brokerUrl(request.hostname) }
  })

  addRoute(app, API.removeDevice, async (request) => {
    const { orgId, deviceId } = request.params
    const known = devices.get(deviceId)
    if (known?.organizationId === orgId && request.query.confirm !== 'true') await refuseHolding(known, deps)
    await activity.change(request, async (tx, note) => {
      const device = await createDeviceStore(tx).remove(orgId, deviceId)
      if (!device) throw unknownDevice(deviceId)
      const subject = { kind: 'device', id: deviceId, name: device.name } as const
      note({ organizationId: orgId, siteId: device.siteId, action: 'device-removed', subject })
      await accounts?.remove(tx, deviceId)
    })
    await devices.refresh(deviceId)
  })
}

const taken = (name: string) => ({
  device_site_id_name_key: new Failure('conflict', `this site already has a device "${shown(name)}"`),
})

function describeSoftware(software: Software | undefined) {
  return software ? { version: software.version, protocol: software.protocol, fits: fitOf(software) } : null
}

/** Streams the live state of a device as server-sent events. */
export function liveRoutes(
  app: FastifyInstance,
  deps: {
    live: Pick<LiveDevices, 'follow'>
    findDevice(deviceId: string): { id: string; organizationId: string; siteId: string } | undefined
    streams: EventStreams
  },
): void {
  const { live, findDevice, streams } = deps

  addRoute(app, API.followDevice, (request, reply) => {
    const { orgId, deviceId } = request.params
    const device = findDevice(deviceId)
    if (device?.organizationId !== orgId) throw unknownDevice(deviceId)
    const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
    // Looked up for every event: a person can lose the role while they follow.
    const send = ({ event, dataFor }: LiveEvent) => stream.send(event, dataFor(overrideViewOf(request, device.siteId)))
    stream.onClose(live.follow(device, send, { fresh: request.query.fresh === 'true' }))
  })
}

function unknownDevice(deviceId: string): Failure {
  return new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
}
