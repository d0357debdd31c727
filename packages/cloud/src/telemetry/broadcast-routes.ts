import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../routes/index.ts'
import type { EventStreams } from '../streams/index.ts'
import type { Broadcasts } from './broadcasts.ts'

/** Streams the values that a device broadcasts as server-sent events. */
export function broadcastRoutes(
  app: FastifyInstance,
  deps: {
    broadcasts: Pick<Broadcasts, 'follow'>
    findDevice(deviceId: string): { organizationId: string } | undefined
    streams: EventStreams
  },
): void {
  const { broadcasts, findDevice, streams } = deps

  addRoute(app, API.followBroadcasts, (request, reply) => {
    const { orgId, deviceId } = request.params
    if (findDevice(deviceId)?.organizationId !== orgId) {
      throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
    }
    const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
    stream.onClose(broadcasts.follow(deviceId, (broadcast) => stream.send('values', broadcast)))
  })
}
