import type { Clock } from '@plantroom/base/clock'
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
import { findWired, meterSignOf, testSettings, wiringOf } from './meter-signs.ts'
import { createOutputTestStore, type OutputTestStore } from './output-test-store.ts'
import type { TechnicalSystemStore } from './technical-system-store.ts'

/** Lets people test outputs for at most a minute, and keeps what they saw. */
export function outputTestRoutes(
  app: FastifyInstance,
  deps: {
    devices: Pick<Mirror<Device>, 'get'>
    systems: Pick<TechnicalSystemStore, 'list'>
    tests: Pick<OutputTestStore, 'list' | 'find' | 'confirmedAt'>
    activity: ActivityLog
    ask: Ask
    clock: Clock
  },
): void {
  const { devices, systems, tests, activity, ask, clock } = deps

  function requireDevice({ orgId, deviceId }: { orgId: string; deviceId: string }): Device {
    const device = devices.get(deviceId)
    if (device?.organizationId === orgId) return device
    throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
  }

  addRoute(app, API.testOutput, async (request) => {
    const device = requireDevice(request.params)
    const { datapointId, value, seconds, meterId } = request.body
    const known = await systems.list(device.id)
    const output = findWired(known, datapointId)
    if (!output)
      throw new Failure('invalid', `datapointId: this device has no datapoint ${shown(datapointId)}`, 'datapointId')
    const meter = meterId === undefined ? undefined : findWired(known, meterId)
    if (meterId !== undefined && !meter) {
      throw new Failure('invalid', `meterId: this device has no datapoint ${shown(meterId)}`, 'meterId')
    }
    const caller = { keyId: request.callerId ?? 'operator', callerName: request.email?.slice(0, MAX_CALLER_NAME) ?? '' }
    const { id } = await ask(device.id, 'testOutput', request.body, { reqId: request.ownReqId, ...caller })
    const datapoint = { id: datapointId, name: output.datapoint.name }
    // Recorded last: only the controller knows whether the output may be tested.
    await activity.change(request, async (tx, note) => {
      await createOutputTestStore(tx).add({
        ...{ deviceId: device.id, id, datapoint, value, seconds },
        meter: meter ? { id: meter.datapoint.id, name: meter.datapoint.name } : null,
        settings: meter ? testSettings(known, meter, output) : null,
        wiring: meter ? wiringOf(meter, output) : null,
        startedAt: new Date(clock.now()),
        by: request.email ?? null,
      })
      note({
        organizationId: device.organizationId,
        siteId: device.siteId,
        action: 'output-tested',
        subject: { kind: 'datapoint', ...datapoint },
        details: { device: { id: device.id, name: device.name }, overrideId: id, value, seconds },
      })
    })
    return { id }
  })

  addRoute(app, API.listOutputTests, async (request) => {
    const { id } = requireDevice(request.params)
    const { items, next } = await tests.list(id, request.query)
    const signs = await Promise.all((await systems.list(id)).map((system) => meterSignOf(tests, id, system)))
    return { tests: items, meters: signs.filter((sign) => sign !== undefined), nextCursor: next }
  })

  addRoute(app, API.answerOutputTest, async (request) => {
    const device = requireDevice(request.params)
    const { testId } = request.params
    const { moved, note: seen = null } = request.body
    return activity.change(request, async (tx, note) => {
      const store = createOutputTestStore(tx)
      await store.answer(device.id, testId, { moved, note: seen, at: new Date(clock.now()) })
      const test = await store.find(device.id, testId)
      if (!test) throw new Failure('notFound', `this device has no test ${shown(testId)}`)
      note({
        organizationId: device.organizationId,
        siteId: device.siteId,
        action: 'output-test-answered',
        subject: { kind: 'datapoint', ...test.datapoint },
        details: { device: { id: device.id, name: device.name }, overrideId: testId, moved },
      })
      return test
    })
  })
}
