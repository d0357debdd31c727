import type { Permission } from './permissions.ts'
import type { Role } from './roles.ts'
import { closed, type Schema, type Static, type Validated } from './schema.ts'

/** Who may call a route. */
export type Access =
  | { readonly by: 'anyone' /** Only from pages of our own origin. */; readonly fromOwnPages?: true }
  /** A person who is signed in, whatever their roles. */
  | ({ readonly by: 'session' } & Fresh)
  | ({ readonly by: 'operator' } & ForPeople)
  | ({
      readonly by: 'key' /** One of these is enough. */
      readonly permission: Permission | readonly Permission[]
    } & ForPeople)
  | ({
      readonly by: 'key-or-operator'
      /** One of these is enough. With none, every key is refused: a person decides. */
      readonly permission: Permission | readonly Permission[]
      /** What must be turned on for the site in the path. */
      readonly needs?: 'maintenance-requests'
    } & ForPeople)

interface ForPeople extends Fresh {
  /** The lowest role with which a signed-in person may call; without one, no person may. */
  readonly role?: Role
}

interface Fresh {
  /**
   * A signed-in person must have proved who they are in the last 15 minutes: always, or when they send a value outside
   * the envelope of a datapoint. Keys and the operator need not.
   */
  readonly fresh?: true | 'outside-envelope'
}

export type Tag =
  | 'Sign in'
  | 'Edge device commands'
  | 'Fleet dispatches'
  | 'Power limits'
  | 'OpenADR'
  | 'Portfolio'
  | 'History'
  | 'Maintenance requests'
  | 'Administration'
  | 'Alerts and webhooks'
  | 'Operation'

/** One operation of the HTTP API: the source of its validation, its types, its client and its reference. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are segments that begin with a colon. */
  readonly path: string
  readonly access: Access
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  readonly query?: Schema
  readonly body?: Schema
  /**
   * Fields that the query and the body do not declare are ignored, because others decide what they send: partners, monitors
   * and providers. Without this they are refused.
   */
  readonly ignoresUnknown?: true
  /** 200 unless stated; 204 has no reply. */
  readonly status?: 200 | 201 | 202 | 204
  readonly reply?: Schema
  /** Without the query that asks for the reply, the answer is 204. */
  readonly mayBeEmpty?: true
  /** The reply can be had as this, too. */
  readonly alsoAs?: 'text/csv'
  /** The type of a reply that is not JSON. */
  readonly content?: string
  /** The reply is a stream of server-sent events, of which this says what they hold. */
  readonly events?: string
}

/** Declares a route. A field of its query or body that it does not declare is an error, unless it ignores those. */
export function route<const Declared extends Route>(declared: Declared): Declared {
  const { query, body, ignoresUnknown } = declared
  if (ignoresUnknown) return declared
  return { ...declared, ...(query && { query: closed(query) }), ...(body && { body: closed(body) }) }
}

/** The names of the parameters in a path. */
export type PathParameter<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParameter<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

export type RouteParams<Of extends Route> = { [Name in PathParameter<Of['path']>]: string }
export type RouteQuery<Of extends Route> = Of extends { query: infer Query extends Schema } ? Static<Query> : object
/** The query as a handler gets it: defaults are filled in. */
export type ValidQuery<Of extends Route> = Of extends { query: infer Query extends Schema } ? Validated<Query> : object
export type RouteBody<Of extends Route> = Of extends { body: infer Body extends Schema } ? Static<Body> : undefined
/** What a caller gets; `undefined` for 204 and for streams. */
export type RouteReply<Of extends Route> = Of extends { reply: infer Reply extends Schema }
  ? Static<Reply> | (Of extends { mayBeEmpty: true } ? undefined : never)
  : undefined

/** The names of the parameters in a path, in order. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map(([, name]) => String(name))
