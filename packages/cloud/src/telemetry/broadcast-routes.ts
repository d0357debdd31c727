import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { STORABLE } from '../db/patterns.ts'
import type { EventStreams } from '../streams/index.ts'
import type { Broadcasts } from './broadcasts.ts'

const id = { type: 'string', maxLength: 255, pattern: STORABLE } as const

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

  app.get<{ Params: { orgId: string; deviceId: string } }>(
    '/api/orgs/:orgId/devices/:deviceId/broadcasts',
    {
      config: { access: { by: 'operator', role: 'viewer' } },
      // A HEAD request would wait for a body that never ends.
      exposeHeadRoute: false,
      schema: {
        tags: ['History'],
        summary: 'Stream the values that a device broadcasts, as server-sent events named `values`',
        params: { type: 'object', properties: { orgId: id, deviceId: id } },
        response: {
          200: {
            description:
              'An endless stream; each event contains {"values": {"<datapointId>": {"value", "timestamp", …}}}',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
        },
      },
    },
    (request, reply) => {
      const { orgId, deviceId } = request.params
      if (findDevice(deviceId)?.organizationId !== orgId) {
        throw new Failure('notFound', `this organization has no device ${shown(deviceId)}`)
      }
      const stream = streams.open(reply, { isOpen: () => request.sessionIsOpen() })
      stream.onClose(broadcasts.follow(deviceId, (broadcast) => stream.send('values', broadcast)))
    },
  )
}
