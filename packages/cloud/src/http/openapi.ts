import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import type { Access } from '../access/authorize.ts'
import { SESSION_COOKIE } from '../access/session-cookie.ts'

const ERROR = { $ref: '#/components/schemas/Error' }

/**
 * `/openapi.json`, made from the very schemas that judge requests, and `/docs`, which shows it and
 * loads nothing from elsewhere. To be called before the routes are added.
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
            description: 'Set by POST /api/session. What changes something needs an Origin header of our own, too.',
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

/** Adds what every route has in common: who may call it, and the errors it answers with. */
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
    description: 'The key lacks the permission, or the person the role; or they do not reach this organization or site',
    ...ERROR,
  },
  499: { description: 'The device rejected the command; nothing was applied', ...ERROR },
  502: { description: 'The device or its gateway is offline', ...ERROR },
}

const ADMIN_ERRORS = {
  '4xx': { description: 'The request cannot be carried out; the message says why', ...ERROR },
}

const READ_ERRORS = {
  400: { description: 'The query failed validation; the message names the field', ...ERROR },
  401: { description: 'Neither a good API key nor the admin token, nor a session', ...ERROR },
  403: {
    description: 'The key lacks the permission, or the person the role; or they do not reach this organization or site',
    ...ERROR,
  },
  404: { description: 'The organization or the site has no such thing', ...ERROR },
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

/** Our own `timestamp` is stricter than `date-time` when it judges, and the same when it is read. */
function withStandardFormats(schema: FastifySchema): FastifySchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"format":"timestamp"', '"format":"date-time"'))
}
