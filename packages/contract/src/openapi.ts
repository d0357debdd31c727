import { type Access, pathParameters, type Route, type Tag } from './route.ts'
import type { Schema } from './schema.ts'

/** The name of the session cookie. The prefix makes browsers refuse it from any other host, path or without TLS. */
export const SESSION_COOKIE = '__Host-plantroom'

const TAGS: readonly Tag[] = [
  'Sign in',
  'Edge device commands',
  'Fleet dispatches',
  'Power limits',
  'OpenADR',
  'History',
  'Maintenance requests',
  'Administration',
  'Alerts and webhooks',
  'Operation',
]

const error = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
})
const FORBIDDEN = 'The key lacks the permission, or the person the role; or they do not reach this organization or site'
const REFUSED = { '4XX': error('The request cannot be carried out; the message says why') }

/** The errors that a route may answer with, by who may call it. */
const ERRORS: Record<Access['by'], object> = {
  anyone: {},
  key: {
    400: error('The payload failed validation; the message names the field'),
    401: error('Missing, malformed or revoked API key, and no session'),
    403: error(FORBIDDEN),
    499: error('The device rejected the command; nothing was applied'),
    502: error('The device or its gateway is offline'),
  },
  'key-or-operator': {
    400: error('The query failed validation; the message names the field'),
    401: error('Neither a valid API key nor the admin token, nor a session'),
    403: error(FORBIDDEN),
    404: error('The organization or the site has no such thing'),
  },
  operator: REFUSED,
  session: REFUSED,
}

const KEY = { apiKey: [] }
const TOKEN = { adminToken: [] }
const SESSION = { session: [] }
const SECURITY: Record<Access['by'], object[]> = {
  anyone: [],
  key: [KEY],
  operator: [TOKEN],
  'key-or-operator': [KEY, TOKEN],
  session: [SESSION],
}

/** The OpenAPI 3.1 description of a table of routes, by their names. */
export function openApi(routes: Readonly<Record<string, Route>>, version: string) {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, declared] of Object.entries(routes)) {
    const path = declared.path.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [declared.method.toLowerCase()]: operation(name, declared) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plantroom',
      version,
      description: 'Control a building’s equipment safely, and move its maintenance requests in and out.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: TAGS.map((name) => ({ name })),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
        adminToken: { type: 'http', scheme: 'bearer' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description: 'Set by POST /api/session. Requests that change something also need our own Origin header.',
        },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['message', 'code', 'reqId'],
          properties: {
            message: { type: 'string', description: 'For people: what is wrong and what to do' },
            code: { type: 'string', description: 'For programs: a stable word' },
            reqId: { type: 'string' },
            field: { type: 'string', description: 'The offending field, on 400' },
          },
        },
      },
    },
    paths,
  }
}

function operation(operationId: string, declared: Route): object {
  const { access, tag, summary, description, body, status = 200 } = declared
  const takesKeys = !('permission' in access) || access.permission.length > 0
  const security = [
    ...SECURITY[access.by].filter((scheme) => takesKeys || scheme !== KEY),
    ...('role' in access && access.role ? [SESSION] : []),
  ]
  return {
    operationId,
    summary,
    tags: [tag],
    ...(description && { description }),
    ...(security.length > 0 && { security }),
    parameters: [...inPath(declared.path), ...inQuery(declared.query)],
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: {
      [status]: success(declared),
      ...(declared.mayBeEmpty && { 204: { description: 'Success' } }),
      ...ERRORS[access.by],
    },
  }
}

const json = (schema: Schema) => ({ 'application/json': { schema: published(schema) } })

const inPath = (path: string) =>
  pathParameters(path).map((name) => ({ in: 'path', name, required: true, schema: { type: 'string' } }))

function inQuery(query: Schema | undefined) {
  return Object.entries(query?.properties ?? {}).map(([name, { description, ...schema }]) => ({
    in: 'query',
    name,
    required: query?.required?.includes(name) ?? false,
    ...(description && { description }),
    schema: published(schema),
  }))
}

function success({ reply, alsoAs, events, content }: Route): object {
  if (events) return { description: events, content: { 'text/event-stream': { schema: { type: 'string' } } } }
  const description = reply?.description ?? 'Success'
  if (content && !reply) return { description, content: { [content]: { schema: { type: 'string' } } } }
  if (!reply) return { description }
  return { description, content: { ...json(reply), ...(alsoAs && { [alsoAs]: { schema: { type: 'string' } } }) } }
}

/** A schema with standard keywords only: our `timestamp` is a stricter `date-time`. */
function published(schema: Schema): object {
  return JSON.parse(
    JSON.stringify(schema, (key, value) => {
      if (key === 'format' && value === 'timestamp') return 'date-time'
      if (value === null || typeof value !== 'object' || !('x-shapes' in value)) return value
      const { 'x-shapes': shapes, description } = value
      const anyOf = [...shapes, ...([value.type].flat().includes('null') ? [{ type: 'null' }] : [])]
      return { anyOf, ...(description && { description }) }
    }),
  )
}
