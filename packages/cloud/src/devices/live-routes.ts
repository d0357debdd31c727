import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import type { EventStreams } from '../streams/event-stream.ts'
import type { LiveDevices } from './live-devices.ts'

/** What a device is at, as server-sent events. */
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
      // It would wait for the end of a body that it does not want.
      exposeHeadRoute: false,
      schema: {
        tags: ['History'],
        summary: 'What a device reads and holds, and what is to come, as server-sent events every two seconds',
        response: {
          200: {
            description:
              'A stream without end. An event `state` holds {"at", "clockSuspect", "connections", "holds", "overrides"}; ' +
              'an event `offline` holds {"message"}, why the device does not answer',
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
