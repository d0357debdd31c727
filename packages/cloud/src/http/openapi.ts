import { createReadStream } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { openApi } from '@plantroom/contract/openapi'
import { shown } from '@plantroom/contract/shown'
import { VERSION } from '@plantroom/contract/version'
import type { FastifyInstance } from 'fastify'

/**
 * The files of Swagger UI that the page loads, with their types. The Fastify plugin of the package is not loaded: it needs
 * another plugin and a YAML parser at every start, for a document that we already have.
 */
const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
  'favicon-16x16.png': 'image/png',
}

const PAGE = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="UTF-8">
    <title>Plantroom API</title>
    <link rel="stylesheet" href="./static/swagger-ui.css">
    <link rel="stylesheet" href="./static/index.css">
    <link rel="icon" type="image/png" href="./static/favicon-32x32.png" sizes="32x32">
    <link rel="icon" type="image/png" href="./static/favicon-16x16.png" sizes="16x16">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="./static/swagger-ui-bundle.js"></script>
    <script src="./static/start.js"></script>
  </body>
</html>
`

// Without `validatorUrl: null` the page would send the description to a validator on another host.
const START = `window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  docExpansion: 'list',
  deepLinking: true,
  validatorUrl: null,
  layout: 'BaseLayout',
})
`

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** Adds `/openapi.json`, derived from the contract, and `/docs`, which shows it and loads nothing from elsewhere. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  const document = openApi(API, VERSION)
  const require = createRequire(import.meta.url)
  const folder = join(dirname(require.resolve('@fastify/swagger-ui/package.json')), 'static')

  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: { by: 'anyone' } }
    })
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('x-content-type-options', 'nosniff')
    })
    scope.get('/openapi.json', async () => document)
    scope.get('/docs', async (_request, reply) => reply.redirect('/docs/'))
    scope.get('/docs/', async (_request, reply) =>
      reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(PAGE),
    )
    scope.get('/docs/static/start.js', async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(START),
    )
    scope.get<{ Params: { file: string } }>('/docs/static/:file', async ({ params: { file } }, reply) => {
      const type = Object.hasOwn(FILES, file) ? FILES[file] : undefined
      if (type === undefined) throw new Failure('notFound', `the API reference has no file ${shown(file)}`)
      return reply
        .header('cache-control', 'public, max-age=3600')
        .type(type)
        .send(createReadStream(join(folder, file)))
    })
  })
}
