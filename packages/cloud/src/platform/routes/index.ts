import { schemaExpression } from '@plantroom/contract/expressions'
import { Failure } from '@plantroom/contract/failure'
import { STORABLE } from '@plantroom/contract/patterns'
import {
  type Access,
  pathParameters,
  type Route,
  type RouteBody,
  type RouteParams,
  type RouteReply,
  type ValidQuery,
} from '@plantroom/contract/route'
import { closedObject, nullable } from '@plantroom/contract/schema'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyReply, FastifyRequest, preValidationHookHandler, RouteOptions } from 'fastify'

export { callerAddress, callerNetwork } from './caller-network.ts'
export { type ConnectionCaps, capConnections, reportEachMinute } from './connection-caps.ts'

/** A route as Fastify types its request. */
export interface RequestOf<Declared extends Route> {
  Params: RouteParams<Declared>
  Querystring: ValidQuery<Declared>
  Body: RouteBody<Declared>
}

/** A reply as handlers return it: the serializer writes a `Date` as RFC 3339. */
type Sendable<Reply> = Reply extends string
  ? Reply | Date
  : Reply extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : Reply extends object
      ? { [Name in keyof Reply]: Sendable<Reply[Name]> }
      : Reply

type Answer<Declared extends Route> = Declared extends { reply: object } ? Sendable<RouteReply<Declared>> : unknown

/** Answers a request: returns the reply, or sends something else itself. */
export type Handler<Declared extends Route> = (
  request: FastifyRequest<RequestOf<Declared>>,
  reply: FastifyReply,
) => Answer<Declared> | FastifyReply | Promise<Answer<Declared> | FastifyReply>

/** What the contract does not say about a route. */
export interface RouteSettings extends Pick<RouteOptions, 'bodyLimit' | 'preValidation' | 'serializerCompiler'> {
  /** What a caller can do about a body that exceeds a limit, as the end of a sentence. */
  whenTooLarge?: string
}

/** The query of a route that takes none. A caller who sends one expects something that does not happen. */
const NO_NAMES = closedObject({})
/** The body of a route that takes none. */
const NO_FIELDS = nullable(NO_NAMES)

const LONGEST_ID = 255
const ID = schemaExpression(STORABLE)

/** Adds a route as the contract declares it: who may call it, what it accepts and what it answers. */
export function addRoute<const Declared extends Route>(
  app: FastifyInstance,
  declared: Declared,
  handler: Handler<Declared>,
  { whenTooLarge, ...settings }: RouteSettings = {},
): void {
  const {
    method,
    path,
    access,
    ignoresUnknown,
    query = ignoresUnknown ? undefined : NO_NAMES,
    status = 200,
    events,
  } = declared
  const body = declared.body ?? (method === 'GET' || ignoresUnknown ? undefined : NO_FIELDS)
  // Only ids are looked up in the database. A handler reads other parameters itself.
  const ids = pathParameters(path).filter((name) => name.endsWith('Id'))
  const { preValidation = [] } = settings
  app.route<RequestOf<Declared>>({
    ...settings,
    ...(ids.length > 0 && { preValidation: [refuseImpossibleIds(ids), preValidation].flat() }),
    method,
    url: path,
    config: { access: access as Access, ...(whenTooLarge !== undefined && { whenTooLarge }) },
    // It would wait for the end of a stream that has none.
    ...(events && { exposeHeadRoute: false }),
    schema: {
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...responses(declared),
    },
    handler: events
      ? handler
      : async (request, reply) => {
          void reply.code(status)
          const answer = await handler(request, reply)
          return status === 204 && !reply.sent ? reply.send() : answer
        },
  })
}

/**
 * Answers 404, as for any unknown id, to one that no column can hold: nothing has it, and the database would fail to look
 * it up.
 */
function refuseImpossibleIds(names: readonly string[]): preValidationHookHandler {
  return ({ params }, _reply, done) => {
    for (const name of names) {
      const id = (params as Record<string, string>)[name] ?? ''
      if (id.length <= LONGEST_ID && ID.test(id) && id.isWellFormed()) continue
      const rule = `an id has 1 to ${LONGEST_ID} characters and no U+0000`
      return done(new Failure('notFound', `nothing has the ${name} ${shown(id) || '""'}: ${rule}`))
    }
    done()
  }
}

function responses({ reply, status = 200, alsoAs, mayBeEmpty }: Route): { response?: object } {
  if (status === 204) return { response: { 204: { type: 'null' } } }
  if (!reply) return {}
  if (mayBeEmpty) return { response: { [status]: reply, 204: { type: 'null' } } }
  if (!alsoAs) return { response: { [status]: reply } }
  const content = { 'application/json': { schema: reply }, [alsoAs]: { schema: { type: 'string' } } }
  return { response: { [status]: { content } } }
}
