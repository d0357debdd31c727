import type { ServerResponse } from 'node:http'
import { type Clock, every } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance } from 'fastify'
import { STORABLE } from '../db/storable.ts'
import type { Broadcasts } from './broadcasts.ts'

const MAX_STREAMS = 100
/** Proxies give up on a connection on which nothing moves. */
const HEARTBEAT_MS = 15_000

const id = { type: 'string', maxLength: 255, pattern: STORABLE } as const

/** The live values of a device as server-sent events, for the operator. */
export function broadcastRoutes(
  app: FastifyInstance,
  deps: {
    broadcasts: Pick<Broadcasts, 'follow'>
    findDevice(deviceId: string): { organizationId: string } | undefined
    clock: Clock
  },
): void {
  const { broadcasts, findDevice, clock } = deps
  const streams = new Set<ServerResponse>()

  app.get<{ Params: { orgId: string; deviceId: string } }>(
    '/api/orgs/:orgId/devices/:deviceId/broadcasts',
    {
      config: { access: { by: 'operator' } },
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
        throw new Failure('notFound', `this organization has no device ${deviceId}`)
      }
      if (streams.size >= MAX_STREAMS) {
        throw new Failure('unavailable', `${MAX_STREAMS} streams are open, which is as many as there may be: try later`)
      }
      reply.hijack()
      open(reply.raw, deviceId)
    },
  )

  function open(response: ServerResponse, deviceId: string): void {
    // Of a reader that is too slow, what is newer is dropped: nothing is gathered for it.
    const write = (text: string) => response.writableNeedDrain || response.write(text)
    // What is written after the end, or to a reader that has just gone, fails; without a listener it would end this process.
    response.on('error', () => {})
    let stalled = false
    response.on('drain', () => {
      stalled = false
    })
    const endHeartbeat = every(clock, HEARTBEAT_MS, () => {
      // It took nothing from one heartbeat to the next: most likely it is gone and never said so.
      if (stalled) return void response.destroy()
      stalled = response.writableNeedDrain
      write(':\n\n')
    })
    const unfollow = broadcasts.follow(deviceId, (broadcast) => write(`event: values\ndata: ${broadcast}\n\n`))
    streams.add(response)
    response.once('close', () => {
      streams.delete(response)
      endHeartbeat()
      unfollow()
    })
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // A proxy that collects the answer would hand nothing on.
      'x-accel-buffering': 'no',
    })
    response.write(':\n\n')
  }

  // The server waits for what is not answered; of what is, it ends the connection, read to the end or not.
  app.addHook('preClose', async () => {
    for (const response of streams) response.end()
  })
}
