import { existsSync } from 'node:fs'
import { join } from 'node:path'
import serveFiles from '@fastify/static'
import { Failure } from '@plantroom/contract/failure'
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify'

const YEAR_MS = 365 * 24 * 60 * 60 * 1000
const FIVE_MINUTES_MS = 5 * 60_000
const NOT_FOUND = '404.html'
/** Names of pages and of the folders they are in. None begins with a dot. */
const PAGE = /^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/

/** Stricter than that of the console: the help has no inline styles and sends nothing anywhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

export interface HelpOptions {
  /** The built help. */
  folder: string
  /** True when browsers use TLS. */
  secure: boolean
}

/** Serves the help at `/help/`, to everyone. An unknown address gets a page with a search. */
export async function helpRoutes(app: FastifyInstance, { folder, secure }: HelpOptions): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: { by: 'anyone' } }
    })
    // Files that are missing, and paths that leave the folder, answer with 404.
    scope.setErrorHandler(async (error: FastifyError, request) => {
      const isCallerError = error.statusCode !== undefined && error.statusCode < 500
      throw isCallerError ? new Failure('notFound', `the help has no ${request.url.split('?')[0]}`) : error
    })
    const options = { preCompressed: true, index: false as const, dotfiles: 'ignore' as const }
    // Their names contain a hash of their content.
    await scope.register(serveFiles, {
      ...options,
      root: join(folder, 'assets'),
      prefix: '/help/assets/',
      maxAge: YEAR_MS,
      immutable: true,
    })
    await scope.register(serveFiles, {
      ...options,
      root: join(folder, 'images'),
      prefix: '/help/images/',
      maxAge: FIVE_MINUTES_MS,
      decorateReply: false,
    })
    scope.get('/help', async (_request, reply) => reply.redirect('/help/'))
    scope.get<{ Params: { '*': string } }>('/help/*', async (request, reply) => {
      const path = request.params['*'].replace(/\/$/, '')
      const file = path === '' ? 'index.html' : `${path}.html`
      const isThere = (path === '' || (PAGE.test(path) && file !== NOT_FOUND)) && existsSync(join(folder, file))
      return sendPage(reply.code(isThere ? 200 : 404), isThere ? file : NOT_FOUND)
    })

    function sendPage(reply: FastifyReply, file: string): FastifyReply {
      if (!existsSync(join(folder, file))) {
        throw new Failure('notFound', 'the help is not built: build it with "node tools/src/build-console.ts"')
      }
      if (secure) reply.header('strict-transport-security', `max-age=${YEAR_MS / 1000}`)
      reply.headers({
        'content-security-policy': POLICY,
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
      })
      // Pages name assets of one build, so browsers ask whether they have changed.
      return reply.sendFile(file, folder, { maxAge: 0, immutable: false })
    }
  })
}
