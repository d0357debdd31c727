import { API } from '@plantroom/contract/api'
import { MAX_CALLER_NAME } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Mirror } from '../../platform/db/mirror.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { Ask } from './ask.ts'
import type { Device } from './device-store.ts'
import type { TechnicalSystemStore } from './technical-system-store.ts'

/** Lets people close holds that a controller cannot restore. */
export function holdRoutes(
  app: FastifyInstance,
  deps: {
    devices: Pick<Mirror<Device>, 'get'>
    systems: Pick<TechnicalSystemStore, 'list'>
    activity: ActivityLog
    ask: Ask
  },
): void {
  const { devices, systems, activity, ask } = deps

  addRoute(app, API.closeHold, async (request) => {
    const { orgId, deviceId, datapointId } = request.params
    const { outcome, reason } = request.body
    const device = devices.get(deviceId)
    if (device?.organizationId !== orgId) {
      throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
    }
    const caller = { keyId: request.callerId ?? 'operator', callerName: request.email?.slice(0, MAX_CALLER_NAME) ?? '' }
    const data = { datapointId, outcome, reason: reason.trim() }
    const name = await nameOf(systems, deviceId, datapointId)
    const { readBack } = await ask(deviceId, 'closeHold', data, { reqId: request.ownReqId, ...caller })
    // Recorded last: only the controller knows whether there was something to close.
    await activity.change(request, async (_tx, note) =>
      note({
        organizationId: orgId,
        siteId: device.siteId,
        action: 'hold-closed',
        subject: { kind: 'datapoint', id: datapointId, name },
        details: { device: { id: device.id, name: device.name }, outcome, reason: data.reason, readBack },
      }),
    )
    return { readBack }
  })
}

async function nameOf(
  systems: Pick<TechnicalSystemStore, 'list'>,
  deviceId: string,
  datapointId: string,
): Promise<string | null> {
  const connections = (await systems.list(deviceId)).flatMap((system) => system.connections)
  return connections.flatMap(({ datapoints }) => datapoints).find(({ id }) => id === datapointId)?.name ?? null
}
