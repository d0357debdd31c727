import { randomUUID } from 'node:crypto'
import { COMMANDS, type Command, requestSchema } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { Role } from '@plantroom/contract/roles'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Dispatch } from './dispatch.ts'
import { replySchema } from './reply-schemas.ts'

const PATH = '/api/orgs/:orgId/edge-device-admin/:deviceId/cmd'
/** What a person must be to send it. */
const ROLE = {
  getTechnicalDataPoints: 'viewer',
  getTechnicalConnectionValues: 'viewer',
  demandResponseOverride: 'manager',
  demandResponseCancel: 'manager',
} as const satisfies Record<Command, Role>
const configFor = (role: Role) => ({ access: { by: 'key', permission: 'edge-device:read_write', role } }) as const

interface CommandRoute {
  Params: { orgId: string; deviceId: string }
  Body: { reqId?: string; data: Record<string, unknown> }
}

/** The commands for partners, and for people who are signed in: one route a command, each with its own schema. */
export function commandRoutes(app: FastifyInstance, deps: { dispatch: Dispatch }): void {
  for (const command of COMMANDS) {
    app.post<CommandRoute>(
      `${PATH}/${command}`,
      {
        config: configFor(ROLE[command]),
        schema: {
          tags: ['Edge device commands'],
          summary: SUMMARY[command],
          body: requestSchema(command),
          response: { 200: replySchema(command) },
        },
        // The device's bytes pass through unchanged: nothing here may serialize them again.
        serializerCompiler: () => (body) => body,
      },
      async (request, reply) => {
        const { data, reqId = randomUUID() } = request.body
        const bytes = await deps.dispatch(request.params.deviceId, command, { reqId, keyId: callerOf(request), data })
        return reply
          .type('application/json; charset=utf-8')
          .send(Buffer.concat([Buffer.from(`{"reqId":"${reqId}","data":`), bytes, CLOSING]))
      },
    )
  }

  app.post(`${PATH}/:command`, { config: configFor('viewer'), schema: { hide: true } }, async (request) => {
    const { command } = request.params as { command: string }
    throw new Failure(
      'invalid',
      `there is no command ${shown(command)}; the commands are ${COMMANDS.join(', ')}`,
      'command',
    )
  })
}

function callerOf({ callerId }: FastifyRequest<CommandRoute>): string {
  // Without one, the same reqId of two partners would count as one request.
  if (callerId === undefined) throw new Error('a command without a caller')
  return callerId
}

const CLOSING = Buffer.from('}')

const SUMMARY = {
  getTechnicalDataPoints: 'Export the datapoints of a connection, by pages',
  getTechnicalConnectionValues: 'Read the live values of a connection',
  demandResponseOverride: 'Hold a datapoint at a setpoint for a window of time',
  demandResponseCancel: 'Cancel a window',
} as const
