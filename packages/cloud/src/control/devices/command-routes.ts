import { correlate } from '@plantroom/base/correlation'
import { API } from '@plantroom/contract/api'
import {
  type CommandEnvelope,
  type CommandRequest,
  MAX_CALLER_NAME,
  PUBLIC_COMMANDS,
} from '@plantroom/contract/commands'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recentSignInRequired } from '../../organization/access/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { isBalancedObject } from './balanced-json.ts'
import type { Dispatch } from './dispatch.ts'
import type { TechnicalSystemStore } from './technical-system-store.ts'

interface CommandRouteDeps {
  dispatch: Dispatch
  systems: Pick<TechnicalSystemStore, 'list'>
}

/** Adds one route per public command of the contract. */
export function commandRoutes(app: FastifyInstance, deps: CommandRouteDeps): void {
  for (const command of PUBLIC_COMMANDS) {
    addRoute(
      app,
      API[command],
      async (request, reply) => {
        const { data, reqId = request.ownReqId } = request.body
        if (API[command].access.fresh === 'outside-envelope' && request.userId !== undefined && !request.isFresh) {
          await requireInsideEnvelope(request.params.deviceId, data as Setpoint, deps)
        }
        const envelope = { reqId, ...callerOf(request), data: { ...data } }
        const bytes = await correlate({ reqId }, () => deps.dispatch(request.params.deviceId, command, envelope))
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

type Setpoint = CommandRequest<'demandResponseOverride'>

/** Throws when a value is outside the envelope, or the datapoint is unknown here: then a person must prove who they are. */
async function requireInsideEnvelope(
  deviceId: string,
  { datapointId, value }: Setpoint,
  { systems }: Pick<CommandRouteDeps, 'systems'>,
): Promise<void> {
  const connections = (await systems.list(deviceId)).flatMap((system) => system.connections)
  const datapoint = connections.flatMap(({ datapoints }) => datapoints).find(({ id }) => id === datapointId)
  const envelope = datapoint?.writeInputData
  if (!datapoint || (envelope && !(value >= envelope.min && value <= envelope.max))) throw recentSignInRequired()
}

/**
 * Wraps the JSON reply of a device in the envelope of the API, byte for byte: the caller gets exactly the numbers the device
 * wrote. Throws `offline` when the bytes are not one object: they could end the envelope and forge its `reqId`.
 */
export function wrapReply(reqId: string, data: Buffer): Buffer {
  if (!isBalancedObject(data)) {
    throw new Failure('offline', 'the device answered with something that is not JSON; update its software')
  }
  return Buffer.concat([Buffer.from(`{"reqId":${JSON.stringify(reqId)},"data":`), data, Buffer.from('}')])
}

/** Returns who calls, and by which name. Whoever may send a cancel may cancel every override whose id they know. */
function callerOf(request: FastifyRequest): Pick<CommandEnvelope, 'keyId' | 'callerName' | 'manages'> {
  const { callerId, keyName, email } = request
  // Without a caller, the device would treat the same reqId of two partners as one request.
  if (callerId === undefined) throw new Error('the command has no caller')
  const name = keyName ?? email
  return {
    keyId: callerId,
    ...(name !== undefined && { callerName: name.slice(0, MAX_CALLER_NAME) }),
    manages: true,
  }
}
