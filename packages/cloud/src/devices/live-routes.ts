import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../routes/index.ts'
import type { EventStreams } from '../streams/index.ts'
import type { LiveDevices } from './live-devices.ts'

/** Streams the live state of a device as server-sent events. */
export function liveRoutes(
  app: FastifyInstance,
  deps: {
    live: Pick<LiveDevices, 'follow'>
    findDevice(deviceId: string): { id: string; organizationId: string } | undefined
    streams: EventStreams
  },
): void {
  const { live, findDevice, streams } = deps

  addRoute(app, API.followDevice, (request, reply) => {
    const { orgId, deviceId } = request.params
    const device = findDevice(deviceId)
    if (device?.organizationId !== orgId) {
      throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
    }
    const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
    stream.onClose(live.follow(device, ({ event, data }) => stream.send(event, data)))
  })
}
