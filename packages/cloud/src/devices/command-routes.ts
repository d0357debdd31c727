import { randomUUID } from 'node:crypto'
import { API } from '@plantroom/contract/api'
import { type CommandEnvelope, MAX_CALLER_NAME, PUBLIC_COMMANDS } from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { isAtLeast } from '@plantroom/contract/roles'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { addRoute } from '../routes/index.ts'
import { isClosedObject } from './closed-object.ts'
import type { Dispatch } from './dispatch.ts'

/** Adds one route per public command of the contract. */
export function commandRoutes(app: FastifyInstance, deps: { dispatch: Dispatch }): void {
  for (const command of PUBLIC_COMMANDS) {
    addRoute(
      app,
      API[command],
      async (request, reply) => {
        const { data, reqId = randomUUID() } = request.body
        const envelope = { reqId, ...callerOf(request), data: { ...data } }
        const bytes = await deps.dispatch(request.params.deviceId, command, envelope)
        return reply.type('application/json; charset=utf-8').send(wrapReply(reqId, bytes))
      },
      // The device's bytes pass through unchanged and must not be serialized again.
      { serializerCompiler: () => (body) => body },
    )
  }

  const { path, access } = API.getTechnicalConnectionValues
  const anyCommand = path.replace('getTechnicalConnectionValues', ':command')
  app.post<{ Params: { command: string } }>(anyCommand, { config: { access } }, async ({ params }) => {
    const known = PUBLIC_COMMANDS.join(', ')
    throw new Failure('invalid', `there is no command ${shown(params.command)}; the commands are ${known}`, 'command')
  })
}

/**
 * Wraps the JSON reply of a device in the envelope of the API, byte for byte: the caller gets exactly the numbers the device
 * wrote. Throws `offline` when the bytes are not one object: they could end the envelope and forge its `reqId`.
 */
export function wrapReply(reqId: string, data: Buffer): Buffer {
  if (!isClosedObject(data)) {
    throw new Failure('offline', 'the device answered with something that is not JSON; update its software')
  }
  return Buffer.concat([Buffer.from(`{"reqId":${JSON.stringify(reqId)},"data":`), data, Buffer.from('}')])
}

/** Returns who calls, by which name, and whether they may cancel overrides of others: people who manage the site may. */
function callerOf(request: FastifyRequest): Pick<CommandEnvelope, 'keyId' | 'callerName' | 'manages'> {
  const { callerId, userId, role, keyName, email } = request
  // Without a caller, the device would treat the same reqId of two partners as one request.
  if (callerId === undefined) throw new Error('the command has no caller')
  const name = keyName ?? email
  return {
    keyId: callerId,
    ...(name !== undefined && { callerName: name.slice(0, MAX_CALLER_NAME) }),
    manages: userId !== undefined && isAtLeast(role, 'manager'),
  }
}
