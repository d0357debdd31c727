import type { Api } from '@plantroom/contract/api'
import type { PathParameter, Route, RouteBody, RouteQuery, RouteReply } from '@plantroom/contract/route'
import { queryOf, type Send } from './http.ts'
import { OPERATIONS } from './operations.ts'

export type OperationName = keyof Api

/** The same type, but optional fields accept an explicit `undefined` and arrays may be readonly. */
type Loose<Type> = Type extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : Type extends object
    ? { [Name in keyof Type]: undefined extends Type[Name] ? Loose<Type[Name]> | undefined : Loose<Type[Name]> }
    : Type
type MayBeMissing<Name extends string, Type> =
  Record<never, never> extends Type ? { [Key in Name]?: Type } : { [Key in Name]: Type }

type PathParameters<Of extends Route> = { [Name in PathParameter<Of['path']>]: string | number }
type Query<Of extends Route> = Of extends { query: object } ? MayBeMissing<'query', Loose<RouteQuery<Of>>> : object
type Body<Of extends Route> = Of extends { body: object } ? { body: Loose<RouteBody<Of>> } : object

/** The input of an operation: the parameters of its path, its `query` and its `body`. */
export type OperationInput<Name extends OperationName> = PathParameters<Api[Name]> & Query<Api[Name]> & Body<Api[Name]>
export type OperationReply<Name extends OperationName> = RouteReply<Api[Name]>

/** One method per operation of the API. Rejects with an `ApiError`, or with another `Error` if no reply arrived. */
export type Client = {
  [Name in OperationName]: (
    ...input: Record<never, never> extends OperationInput<Name> ? [OperationInput<Name>?] : [OperationInput<Name>]
  ) => Promise<OperationReply<Name>>
}

interface AnyInput {
  readonly query?: Parameters<typeof queryOf>[0]
  readonly body?: object
  readonly [parameter: string]: unknown
}

/** Creates a client of the HTTP API that authenticates as `send` does. */
export function createClient(send: Send): Client {
  const methods = Object.entries(OPERATIONS).map(([name, [method, path]]) => [
    name,
    (input: AnyInput = {}) => send(method, fill(path, input), input.body),
  ])
  return Object.fromEntries(methods)
}

/** Returns the path of an operation with its query, for an `EventSource` or a link. */
export function pathOf<Name extends OperationName>(name: Name, input: Omit<OperationInput<Name>, 'body'>): string {
  return fill(OPERATIONS[name][1], input as AnyInput)
}

function fill(path: string, input: AnyInput): string {
  const filled = path.replace(/:(\w+)/g, (_segment, name: string) => encodeURIComponent(String(input[name])))
  return filled + queryOf(input.query ?? {})
}
