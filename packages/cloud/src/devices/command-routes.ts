import { randomUUID } from 'node:crypto'
import { COMMANDS, requestSchema } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Dispatch } from './dispatch.ts'
import { replySchema } from './reply-schemas.ts'

const PATH = '/api/orgs/:orgId/edge-device-admin/:deviceId/cmd'
const config = { access: { by: 'key', permission: 'edge-device:read_write' } } as const

interface CommandRoute {
  Params: { orgId: string; deviceId: string }
  Body: { reqId?: string; data: Record<string, unknown> }
}

/** The partner's side: one route a command, each with its own schema. */
export function commandRoutes(app: FastifyInstance, deps: { dispatch: Dispatch }): void {
  for (const command of COMMANDS) {
    app.post<CommandRoute>(
      `${PATH}/${command}`,
      {
        config,
        schema: {
          tags: ['Edge device commands'],
          summary: SUMMARY[command],
          body: requestSchema(command),
          response: { 200: replySchema(command) },
        },
        // The device's bytes are passed through as they are: nothing here may serialize them again.
        serializerCompiler: () => (body) => body,
      },
      async (request, reply) => {
        const { data, reqId = randomUUID() } = request.body
        const bytes = await deps.dispatch(request.params.deviceId, command, { reqId, keyId: keyOf(request), data })
        return reply
          .type('application/json; charset=utf-8')
          .send(Buffer.concat([Buffer.from(`{"reqId":"${reqId}","data":`), bytes, CLOSING]))
      },
    )
  }

  app.post(`${PATH}/:command`, { config, schema: { hide: true } }, async (request) => {
    const { command } = request.params as { command: string }
    throw new Failure('invalid', `there is no command ${command}; the commands are ${COMMANDS.join(', ')}`, 'command')
  })
}

function keyOf({ keyId }: FastifyRequest<CommandRoute>): string {
  // Without one, the same reqId of two partners would be taken for one request.
  if (keyId === undefined) throw new Error('a command without an API key')
  return keyId
}

const CLOSING = Buffer.from('}')

const SUMMARY = {
  getTechnicalDataPoints: 'Export the datapoints of a connection, by pages',
  getTechnicalConnectionValues: 'Read the live values of a connection',
  demandResponseOverride: 'Hold a datapoint at a setpoint for a window of time',
  demandResponseCancel: 'Cancel a window',
} as const
