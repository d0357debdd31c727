import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const YEAR_S = 365 * 24 * 60 * 60
const FIVE_MINUTES_MS = 5 * 60_000
const NONCE = '__STYLE_NONCE__'

/** Paths for programs: an unknown path below these answers with JSON, never with the page. */
const NOT_PAGES = /^\/(api|docs|openapi\.json|healthz|readyz|metrics|schemas|uploads|downloads|assets)(\/|$)/

export interface ConsoleOptions {
  /** The built console; without it, `/` redirects to the API reference. */
  folder: string
  /** The origin browsers upload to, when it is not this service. */
  uploadsTo: string | undefined
  /** True when browsers use TLS. */
  secure: boolean
  log: Log
}

/** Serves the console: its page under every path that is not part of the API, and its assets. */
export async function consoleRoutes(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const { folder, log } = options
  if (!(await readConsole(folder))) {
    log.warn('the console is not built, so / redirects to /docs: build it with "node tools/src/build-console.ts"')
  }

  // The routes are the same whether or not the console is built, so authorization does not depend on it.
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: { by: 'anyone' } }
    })
    // Paths that leave the folder, or name a folder, answer with 404.
    scope.setErrorHandler(async (error: FastifyError, request) => {
      const isCallerError = error.statusCode !== undefined && error.statusCode < 500
      throw isCallerError ? new Failure('notFound', `there is no ${pathOf(request)}`) : error
    })
    await scope.register(serveFiles, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      // Their names contain a hash of their content.
      maxAge: YEAR_S * 1000,
      immutable: true,
      preCompressed: true,
      index: false,
      dotfiles: 'ignore',
    })
    scope.get('/', async (_request, reply) => {
      const built = await readConsole(folder)
      return built ? answerWithPage(reply, built.page, options) : reply.redirect('/docs/')
    })
    scope.get('/*', async (request, reply) => {
      const built = await readConsole(folder)
      const name = pathOf(request).slice(1)
      if (built?.files.has(name)) {
        return reply.sendFile(name, folder, { maxAge: FIVE_MINUTES_MS, immutable: false })
      }
      return built && isPage(request) ? answerWithPage(reply, built.page, options) : reply.callNotFound()
    })
  })
}

/** The page of a build. */
interface BuiltPage {
  /** Split where the nonce belongs. */
  parts: readonly string[]
  /** Its scripts without a file, as the content policy names them. */
  scripts: readonly string[]
}

interface BuiltConsole {
  page: BuiltPage
  /** Files beside the page with fixed names, which it needs before its script. */
  files: ReadonlySet<string>
}

/** Reads the console at each request (there are few), because a new build has other assets. */
async function readConsole(folder: string): Promise<BuiltConsole | undefined> {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
  if (html === undefined) return undefined
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && /^[\w-]+\.\w+$/.test(entry.name)).map(({ name }) => name)
  return { page: readPage(html), files: new Set(names.filter((name) => name !== 'index.html')) }
}

function readPage(html: string): BuiltPage {
  const inside = html.split('<script>').slice(1)
  const scripts = inside.map((rest) => {
    const [script = ''] = rest.split('</script>', 1)
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`
  })
  return { parts: html.split(NONCE), scripts }
}

const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? ''

function isPage(request: FastifyRequest): boolean {
  return !NOT_PAGES.test(pathOf(request)) && (request.headers.accept ?? '').includes('text/html')
}

function answerWithPage(reply: FastifyReply, page: BuiltPage, options: ConsoleOptions): FastifyReply {
  const styleNonce = randomBytes(16).toString('base64url')
  if (options.secure) reply.header('strict-transport-security', `max-age=${YEAR_S}`)
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentPolicy({ styleNonce, scripts: page.scripts, uploadsTo: options.uploadsTo }),
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(page.parts.join(styleNonce))
}

/** The origin of a bucket, which all its signed upload addresses share. */
export function bucketOrigin(s3: { bucket: string; region: string; endpoint: string | undefined }): string {
  const { bucket, region, endpoint } = s3
  if (endpoint !== undefined) return new URL(endpoint).origin
  const host = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  // The certificate covers one label below the host, so a bucket name with dots goes into the path.
  return bucket.includes('.') ? `https://${host}` : `https://${bucket}.${host}`
}

/** The Content-Security-Policy of the console, which allows only its own resources. */
export function contentPolicy(options: {
  styleNonce: string
  /** The hashes of the scripts that are part of the page. */
  scripts?: readonly string[]
  uploadsTo: string | undefined
}): string {
  const rules: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...(options.scripts ?? [])],
    'style-src': ["'self'", `'nonce-${options.styleNonce}'`],
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'manifest-src': ["'self'"],
    'connect-src': ["'self'", ...(options.uploadsTo === undefined ? [] : [options.uploadsTo])],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
  }
  return Object.entries(rules)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}
