import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { API } from '@plantroom/contract/api'
import { openApi } from '@plantroom/contract/openapi'
import type { FastifyInstance } from 'fastify'

/** Adds `/openapi.json`, derived from the contract, and `/docs`, which shows it and loads nothing from elsewhere. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  const document = openApi(API, '0.1.0')
  await app.register(swagger, { mode: 'static', specification: { document: document as never } })

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
    scope.get('/openapi.json', { schema: { hide: true } }, async () => document)
  })
}
