import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { Log } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { contentPolicy } from './console-policy.ts'

const YEAR_S = 365 * 24 * 60 * 60
const FIVE_MINUTES_MS = 5 * 60_000
const NONCE = '__STYLE_NONCE__'

/** Below these a program calls: what is not there is told as JSON, whatever is asked for. */
const NOT_PAGES = /^\/(api|docs|openapi\.json|healthz|readyz|metrics|schemas|uploads|downloads|assets)(\/|$)/

export interface ConsoleOptions {
  /** What was built; without it `/` leads to the reference of the API. */
  folder: string
  /** Where a browser uploads to, when that is not here. */
  uploadsTo: string | undefined
  /** Whether browsers reach this by TLS. */
  secure: boolean
  log: Log
}

/** The console: its page under every address that is not the API's, and what the page loads. */
export async function consoleRoutes(app: FastifyInstance, options: ConsoleOptions): Promise<void> {
  const { folder, log } = options
  if (!(await readConsole(folder))) {
    log.warn('the console is not built, so / leads to /docs: build it with "node tools/src/build-console.ts"')
  }

  // The same routes whether it is built or not: who may call them does not depend on it.
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: { by: 'anyone' } }
      route.schema = { ...route.schema, hide: true }
    })
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('x-content-type-options', 'nosniff')
    })
    // A path that leads out of the folder, or to a folder: for whoever asks it is not there.
    scope.setErrorHandler(async (error: FastifyError, request) => {
      const isTheirs = error.statusCode !== undefined && error.statusCode < 500
      throw isTheirs ? new Failure('notFound', `there is no ${pathOf(request)}`) : error
    })
    await scope.register(serveFiles, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      // Their names hold the hash of what is in them.
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

interface BuiltConsole {
  /** Cut where the nonce goes. */
  page: readonly string[]
  /** Beside the page, under names that stay: what it needs before its script. */
  files: ReadonlySet<string>
}

/** At each request, which are few: one that was built anew meanwhile names other assets. */
async function readConsole(folder: string): Promise<BuiltConsole | undefined> {
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
  if (html === undefined) return undefined
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isFile() && /^[\w-]+\.\w+$/.test(entry.name)).map(({ name }) => name)
  return { page: html.split(NONCE), files: new Set(names.filter((name) => name !== 'index.html')) }
}

const pathOf = (request: FastifyRequest) => request.url.split('?')[0] ?? ''

function isPage(request: FastifyRequest): boolean {
  return !NOT_PAGES.test(pathOf(request)) && (request.headers.accept ?? '').includes('text/html')
}

function answerWithPage(reply: FastifyReply, page: readonly string[], options: ConsoleOptions): FastifyReply {
  const styleNonce = randomBytes(16).toString('base64url')
  if (options.secure) reply.header('strict-transport-security', `max-age=${YEAR_S}`)
  return reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': contentPolicy({ styleNonce, uploadsTo: options.uploadsTo }),
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    })
    .send(page.join(styleNonce))
}
