import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { MAX_CALLER_NAME } from '@plantroom/contract/commands'
import { endpointOf } from '@plantroom/contract/endpoint'
import { schemaExpression } from '@plantroom/contract/expressions'
import { Failure, quotaReached } from '@plantroom/contract/failure'
import { UUID } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ActivityLog, Happened } from '../../organization/activity/index.ts'
import type { Mirror } from '../../platform/db/mirror.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { createPace, type Pace } from '../../platform/work/index.ts'
import type { Ask } from './ask.ts'
import type { Device } from './device-store.ts'

const MINUTE_MS = 60_000
/** By controller, in a minute. */
const MOST = { readings: 120, scans: 10 }

/** Lets people who commission look at equipment through a controller, before anything is stored. */
export function discoveryRoutes(
  app: FastifyInstance,
  deps: { devices: Pick<Mirror<Device>, 'get'>; activity: ActivityLog; ask: Ask; clock: Clock },
): void {
  const { devices, activity, ask, clock } = deps
  const readings = createPace(clock, MINUTE_MS)
  const scans = createPace(clock, MINUTE_MS)

  function requireDevice({ orgId, deviceId }: { orgId: string; deviceId: string }): Device {
    const device = devices.get(deviceId)
    if (device?.organizationId === orgId) return device
    throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
  }

  addRoute(app, API.readEquipment, async (request) => {
    const device = requireDevice(request.params)
    refuseTooMany(readings, device, MOST.readings, 'readings')
    const reading = await ask(device.id, 'readEquipment', request.body, callerOf(request))
    await activity.change(request, async (_tx, note) => note(looked(device, 'equipment-read', request.body)))
    return reading
  })

  addRoute(app, API.startScan, async (request) => {
    const device = requireDevice(request.params)
    refuseTooMany(scans, device, MOST.scans, 'scans')
    const scan = await ask(device.id, 'startScan', request.body, callerOf(request))
    await activity.change(request, async (_tx, note) => note(looked(device, 'equipment-scanned', request.body)))
    return scan
  })

  addRoute(app, API.getScan, async (request) => {
    const device = requireDevice(request.params)
    return ask(device.id, 'getScan', { id: scanIdOf(request) }, callerOf(request))
  })

  addRoute(app, API.cancelScan, async (request) => {
    const device = requireDevice(request.params)
    return ask(device.id, 'cancelScan', { id: scanIdOf(request) }, callerOf(request))
  })
}

function refuseTooMany(pace: Pace, { id }: Device, most: number, what: string): void {
  const refused = pace.take([{ key: id, most }])
  if (!refused) return
  const seconds = Math.max(1, Math.ceil(refused.retryAfterMs / 1000))
  throw quotaReached(
    `this controller was asked for ${most} ${what} in a minute, which is the limit: try again in ${seconds} s`,
    seconds,
  )
}

const SCAN_ID = schemaExpression(UUID)

/** What no controller would have called a scan is not asked for. */
function scanIdOf({ params: { scanId } }: { params: { scanId: string } }): string {
  if (SCAN_ID.test(scanId)) return scanId
  throw new Failure('notFound', `this controller has no scan ${shown(scanId)}`)
}

const callerOf = ({ ownReqId: reqId, callerId, email }: FastifyRequest) => ({
  reqId,
  keyId: callerId ?? 'operator',
  callerName: email?.slice(0, MAX_CALLER_NAME) ?? '',
})

/** Says where somebody looked, without the passwords in the settings. */
function looked(
  { id, name, organizationId, siteId }: Device,
  action: Happened['action'],
  { protocol, settings }: { protocol: string; settings: Record<string, unknown> },
): Happened {
  const endpoint = shown(endpointOf({ protocol, settings }))
  return { organizationId, siteId, action, subject: { kind: 'device', id, name }, details: { protocol, endpoint } }
}
