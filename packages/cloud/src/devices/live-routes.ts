import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
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

  app.get<{ Params: { orgId: string; deviceId: string } }>(
    '/api/orgs/:orgId/devices/:deviceId/live',
    {
      config: { access: { by: 'key-or-operator', permission: 'edge-device:read_write', role: 'viewer' } },
      // A HEAD request would wait for a body that never ends.
      exposeHeadRoute: false,
      schema: {
        tags: ['History'],
        summary: 'Stream the values, holds and queued overrides of a device as server-sent events, every two seconds',
        response: {
          200: {
            description:
              'An endless stream. A `state` event contains {"at", "clockSuspect", "connections", "holds", "overrides"}; ' +
              'an `offline` event contains {"message"}, the reason the device does not answer',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
      },
    },
    (request, reply) => {
      const { orgId, deviceId } = request.params
      const device = findDevice(deviceId)
      if (device?.organizationId !== orgId) {
        throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
      }
      const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
      stream.onClose(live.follow(device, ({ event, data }) => stream.send(event, data)))
    },
  )
}
