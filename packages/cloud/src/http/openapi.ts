import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { type Access, SESSION_COOKIE } from '../access/index.ts'

const ERROR = { $ref: '#/components/schemas/Error' }

/**
 * Adds `/openapi.json`, generated from the schemas that validate requests, and `/docs`, which shows it and loads nothing
 * from elsewhere. Call before adding routes.
 */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Plantroom',
        version: '0.1.0',
        description: 'Steer a building’s equipment safely, and move its maintenance requests in and out.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'Sign in' },
        { name: 'Edge device commands' },
        { name: 'History' },
        { name: 'Maintenance requests' },
        { name: 'Administration' },
        { name: 'Operation' },
      ],
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
          adminToken: { type: 'http', scheme: 'bearer' },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description:
              'Set by POST /api/session. Requests that change something also need an Origin header of this service.',
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
    },
    transform: ({ schema, url, route }) => ({ url, schema: describeRoute(schema, route.config?.access) }),
  })

  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: { by: 'anyone' } }
    })
    await scope.register(swaggerUi, {
      routePrefix: '/docs',
      theme: { title: 'Plantroom API' },
      uiConfig: { docExpansion: 'list', deepLinking: true, validatorUrl: null, layout: 'BaseLayout' },
      staticCSP: {
        'default-src': ["'none'"],
        'script-src': ["'self'"],
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'frame-ancestors': ["'none'"],
        'base-uri': ["'none'"],
      },
    })
    scope.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
  })
}

/** Adds the parts all routes share: who may call them, and their errors. */
function describeRoute(schema: FastifySchema | undefined, access: Access | undefined): FastifySchema {
  if (!access || access.by === 'anyone') return schema ?? {}
  return {
    ...withStandardFormats(schema ?? {}),
    security: 'role' in access && access.role ? [...SECURITY[access.by], BY_SESSION] : SECURITY[access.by],
    response: { ...(schema?.response as object | undefined), ...ERRORS[access.by] },
  }
}

const COMMAND_ERRORS = {
  400: { description: 'The payload failed validation; the message names the field', ...ERROR },
  401: { description: 'Missing, malformed or revoked API key, and no session', ...ERROR },
  403: {
    description:
      'The key lacks the permission or the person lacks the role, or they have no access to this organization or site',
    ...ERROR,
  },
  499: { description: 'The device rejected the command; nothing was applied', ...ERROR },
  502: { description: 'The device or its gateway is offline', ...ERROR },
}

const ADMIN_ERRORS = {
  '4xx': { description: 'The request failed; the message says why', ...ERROR },
}

const READ_ERRORS = {
  400: { description: 'The query failed validation; the message names the field', ...ERROR },
  401: { description: 'No valid API key, admin token or session', ...ERROR },
  403: {
    description:
      'The key lacks the permission or the person lacks the role, or they have no access to this organization or site',
    ...ERROR,
  },
  404: { description: 'The organization or site does not contain this resource', ...ERROR },
}

const BY_KEY = { apiKey: [] }
const BY_OPERATOR = { adminToken: [] }
const BY_SESSION = { session: [] }
const SECURITY = {
  key: [BY_KEY],
  operator: [BY_OPERATOR],
  'key-or-operator': [BY_KEY, BY_OPERATOR],
  session: [BY_SESSION],
}
const ERRORS = {
  key: COMMAND_ERRORS,
  operator: ADMIN_ERRORS,
  'key-or-operator': READ_ERRORS,
  session: ADMIN_ERRORS,
}

/** Documents our `timestamp`, which validates more strictly, as the standard `date-time`. */
function withStandardFormats<Value>(schema: Value): Value {
  if (Array.isArray(schema)) return schema.map(withStandardFormats) as Value
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([name, value]) => [
    name,
    name === 'format' && value === 'timestamp' ? 'date-time' : withStandardFormats(value),
  ])
  return Object.fromEntries(entries)
}
