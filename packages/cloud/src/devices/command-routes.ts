import { randomUUID } from 'node:crypto'
import { COMMANDS, commandBody, commandReply, PUBLIC_COMMANDS } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import type { Role } from '@plantroom/contract/roles'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Dispatch } from './dispatch.ts'

const PATH = '/api/orgs/:orgId/edge-device-admin/:deviceId/cmd'
const configFor = (role: Role) => ({ access: { by: 'key', permission: 'edge-device:read_write', role } }) as const

interface CommandRoute {
  Params: { orgId: string; deviceId: string }
  Body: { reqId?: string; data: Record<string, unknown> }
}

/** Adds one route per command, each with its own schema, for API keys and for people who are signed in. */
export function commandRoutes(app: FastifyInstance, deps: { dispatch: Dispatch }): void {
  for (const command of PUBLIC_COMMANDS) {
    const { access, summary, request, reply } = COMMANDS[command]
    app.post<CommandRoute>(
      `${PATH}/${command}`,
      {
        config: configFor(access),
        schema: {
          tags: ['Edge device commands'],
          summary,
          body: commandBody(request),
          response: { 200: commandReply(reply) },
        },
        // The device's bytes pass through unchanged and must not be serialized again.
        serializerCompiler: () => (body) => body,
      },
      async (request, reply) => {
        const { data, reqId = randomUUID() } = request.body
        const bytes = await deps.dispatch(request.params.deviceId, command, { reqId, keyId: callerOf(request), data })
        return reply.type('application/json; charset=utf-8').send(wrapReply(reqId, bytes))
      },
    )
  }

  app.post(`${PATH}/:command`, { config: configFor('viewer'), schema: { hide: true } }, async (request) => {
    const { command } = request.params as { command: string }
    throw new Failure(
      'invalid',
      `there is no command ${shown(command)}; the commands are ${PUBLIC_COMMANDS.join(', ')}`,
      'command',
    )
  })
}

/**
 * Wraps the JSON reply of a device in the envelope of the API, without parsing it: a reply can have megabytes, and the
 * caller gets exactly the numbers the device wrote.
 */
export function wrapReply(reqId: string, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`{"reqId":${JSON.stringify(reqId)},"data":`), data, Buffer.from('}')])
}

function callerOf({ callerId }: FastifyRequest<CommandRoute>): string {
  // Without a caller, the device would treat the same reqId of two partners as one request.
  if (callerId === undefined) throw new Error('the command has no caller')
  return callerId
}
