import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
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

/** The search field of the help, in the built help. */
const SEARCH_FIELD = 'search-field.part'

const page = (searchField: string) => `<!DOCTYPE html>
<html lang="en" data-mantine-color-scheme="light">
  <head>
    <meta charset="UTF-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Plantroom API</title>
    <link rel="stylesheet" href="./static/swagger-ui.css">
    <link rel="stylesheet" href="./static/index.css">
    <link rel="stylesheet" href="./static/contrast.css">
    <link rel="icon" type="image/png" href="./static/favicon-32x32.png" sizes="32x32">
    <link rel="icon" type="image/png" href="./static/favicon-16x16.png" sizes="16x16">
  </head>
  <body>
    ${searchField}
    <div id="swagger-ui"></div>
    <script src="./static/swagger-ui-bundle.js"></script>
    <script src="./static/start.js"></script>
  </body>
</html>
`

// Without `validatorUrl: null` the page would send the description to a validator on another host. Swagger UI has a link
// inside the button that opens an operation, which screen readers cannot use: the plugin shows its text only.
const START = `const withoutNestedLinks = ({ React }) => ({
  wrapComponents: { DeepLink: () => ({ text }) => React.createElement('span', null, text) },
})
window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#swagger-ui',
  docExpansion: 'list',
  deepLinking: true,
  validatorUrl: null,
  layout: 'BaseLayout',
  plugins: [withoutNestedLinks],
})
// Swagger UI looks at the address when it starts. Results of the search change it later.
addEventListener('hashchange', () => window.ui.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash)))
// Swagger UI gives the fields of parameters no names.
new MutationObserver(() => {
  for (const field of document.querySelectorAll('tr[data-param-name] :is(select, input, textarea):not([aria-label])')) {
    field.setAttribute('aria-label', field.closest('tr').dataset.paramName)
  }
}).observe(document.getElementById('swagger-ui'), { childList: true, subtree: true })
`

/** Colors with a contrast of at least 4.5:1, which those of Swagger UI do not have. */
const CONTRAST = `.swagger-ui .info .title small { background: #545c64; }
.swagger-ui .info .title small.version-stamp { background: #3d6300; }
.swagger-ui .info .title small pre { color: #fff; }
.swagger-ui .info .url, .swagger-ui .info a, .swagger-ui .opblock-tag small a, .swagger-ui a.nostyle { color: #0b5394; }
.swagger-ui .opblock .opblock-summary-method { color: #fff; text-shadow: none; }
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b5394; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #1d6b3a; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4b00; }
.swagger-ui .opblock.opblock-patch .opblock-summary-method { background: #00696b; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #a31515; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { color: #1d6b3a; border-color: #1d6b3a; }
.swagger-ui .parameter__in, .swagger-ui .prop-format, .swagger-ui .parameter__type { color: #545c64; }
.swagger-ui .parameter__name.required::after { color: #a31515; }
.swagger-ui .parameter__name.required span, .swagger-ui .response-control-media-type__accept-message { color: #1d6b3a; }
.swagger-ui .opblock-body pre.microlight { background: #16191d !important; }
.swagger-ui .highlight-code > .microlight, .swagger-ui .opblock-body pre.microlight {
  max-height: none; overflow: visible !important; white-space: pre-wrap; overflow-wrap: anywhere;
}
.swagger-ui .opblock-body pre.microlight span { color: #fff !important; }
.swagger-ui .model-title, .swagger-ui .model, .swagger-ui .prop-type { color: #3b4151; }
.swagger-ui .json-schema-2020-12__attribute--primary, .swagger-ui .json-schema-2020-12-keyword__name { color: #3b4151; }
.swagger-ui .json-schema-2020-12-keyword__value--secondary { color: #545c64; }
.swagger-ui .tab li { opacity: 1; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #3b4151; }
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

/**
 * Adds `/openapi.json`, derived from the contract, and `/docs`, which shows it with the search of the built help and loads
 * nothing from elsewhere.
 */
export async function describeApi(app: FastifyInstance, { help }: { help: string }): Promise<void> {
  // Made when someone asks for it: it takes a tenth of the start and a megabyte of memory.
  let document: ReturnType<typeof openApi> | undefined
  const folder = swaggerFolder()

  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: { by: 'anyone' } }
    })
    scope.get('/openapi.json', async () => {
      document ??= openApi(API, VERSION)
      return document
    })
    scope.get('/docs', async (_request, reply) => reply.redirect('/docs/'))
    scope.get('/docs/', async (_request, reply) => {
      // Without a built help there is nothing to search.
      const searchField = await readFile(join(help, SEARCH_FIELD), 'utf8').catch(() => '')
      return reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(page(searchField))
    })
    scope.get('/docs/static/start.js', async (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').send(START),
    )
    scope.get('/docs/static/contrast.css', async (_request, reply) =>
      reply.type('text/css; charset=utf-8').send(CONTRAST),
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

/** A release has the files beside the place of this module, a checkout in the package. */
function swaggerFolder(): string {
  const beside = join(import.meta.dirname, 'swagger-ui')
  if (existsSync(beside)) return beside
  const require = createRequire(import.meta.url)
  return join(dirname(require.resolve('@fastify/swagger-ui/package.json')), 'static')
}
