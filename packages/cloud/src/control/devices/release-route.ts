import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { MAX_CALLER_NAME } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { Ask } from './ask.ts'
import type { Device } from './device-store.ts'
import type { LastStates } from './last-states.ts'
import { createOverrideReleaseStore, type OverrideReleaseStore } from './override-release-store.ts'

interface RouteDeps {
  ask: Ask
  store: Pick<OverrideReleaseStore, 'knows'>
  states: Pick<LastStates, 'find'>
  findDevice(deviceId: string): Device | undefined
  activity: ActivityLog
  clock: Clock
}

/** Releases an override for a person: now, or when the controller is back. */
export function releaseRoute(app: FastifyInstance, deps: RouteDeps): void {
  const { ask, store, states, findDevice, activity, clock } = deps

  addRoute(app, API.releaseOverride, async (request) => {
    const { orgId, deviceId, overrideId } = request.params
    const device = findDevice(deviceId)
    if (device?.organizationId !== orgId) {
      throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
    }
    const { reason = '' } = request.body
    const by = { id: request.callerId ?? 'operator', name: (request.email ?? 'Operator').slice(0, MAX_CALLER_NAME) }
    try {
      const data = { id: overrideId, ...(reason !== '' && { reason }) }
      await ask(deviceId, 'demandResponseCancel', data, { keyId: by.id, callerName: by.name, manages: true })
      return { pending: false }
    } catch (error) {
      if (!(error instanceof Failure) || error.kind !== 'offline') throw error
    }
    // The last message of the controller may not be stored yet.
    await states.find(deviceId)
    if (!(await store.knows(deviceId, overrideId))) {
      throw new Failure('notFound', `the service knows of no override ${shown(overrideId)} of this device`)
    }
    await activity.change(request, async (tx, note) => {
      const about = { requestedAt: new Date(clock.now()), requestedBy: by.id, requestedByName: by.name, reason }
      await createOverrideReleaseStore(tx).add({ deviceId, overrideId, ...about })
      const subject = { kind: 'device', id: deviceId, name: device.name } as const
      const details = { overrideId, ...(reason !== '' && { reason }) }
      note({ organizationId: orgId, siteId: device.siteId, action: 'release-kept', subject, details })
    })
    return { pending: true }
  })
}
