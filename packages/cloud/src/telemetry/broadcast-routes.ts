import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { STORABLE } from '../db/storable.ts'
import type { EventStreams } from '../streams/event-stream.ts'
import type { Broadcasts } from './broadcasts.ts'

const id = { type: 'string', maxLength: 255, pattern: STORABLE } as const

/** The live values of a device as server-sent events */
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
      // It would wait for the end of a body that it does not want.
      exposeHeadRoute: false,
      schema: {
        tags: ['History'],
        summary: 'The live values that a device pushes, as server-sent events named `values`',
        params: { type: 'object', properties: { orgId: id, deviceId: id } },
        response: {
          200: {
            description:
              'A stream without end; each event holds {"values": {"<datapointId>": {"value", "timestamp", …}}}',
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
