import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { LIMITS } from '@plantroom/fpl/limits'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { readRange } from './byte-range.ts'
import type { DiskStore } from './disk-store.ts'
import { attachmentDisposition, mediaType } from './download-headers.ts'
import { gone, isDiskFull } from './file-store.ts'
import { type PackageKey, readKey } from './keys.ts'
import { Stalled } from './receive-file.ts'

/** Left free by uploads: the database lies on the same disk more often than not. */
const RESERVE_BYTES = 256 * 1024 * 1024
/** How long a refused sender may go on before its connection is closed: without, it would lose the answer. */
const LINGER_MS = 10_000

const config = { access: { by: 'anyone' } } as const
const text = { type: 'string' } as const
const signed = {
  type: 'object',
  properties: { expires: text, signature: text, filename: text, type: text },
} as const
const ids = (...names: readonly string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
})

export interface DiskRouteDeps {
  disk: Pick<DiskStore, 'judge' | 'freeBytes' | 'receive' | 'open'>
  clock: Clock
  log: Log
}

interface SignedRoute<Name extends string> {
  Params: Record<Name, string>
  Querystring: Record<string, unknown>
}

/** What the addresses of a disk store lead to. Who has one needs no key: its signature says what it allows. */
export async function diskRoutes(app: FastifyInstance, deps: DiskRouteDeps): Promise<void> {
  await app.register(async (scope) => {
    endWithServer(scope)
    uploadRoute(scope, deps)
    downloadRoute(scope, deps)
  })
}

/** Ends transfers when the server closes: one may take another hour. */
function endWithServer(app: FastifyInstance): void {
  const underWay = new Set<IncomingMessage>()
  app.addHook('onRequest', async ({ raw }) => void underWay.add(raw))
  app.addHook('onResponse', async ({ raw }) => {
    // A refused sender has its answer before the server has all of its body.
    if (raw.complete) underWay.delete(raw)
    else raw.once('end', () => underWay.delete(raw)).once('close', () => underWay.delete(raw))
  })
  app.addHook('onRequestAbort', async ({ raw }) => void underWay.delete(raw))
  app.addHook('preClose', async () => {
    for (const { socket } of underWay) socket.destroy()
  })
}

function uploadRoute(app: FastifyInstance, { disk, clock, log }: DiskRouteDeps): void {
  // The body is left to the handler, as a stream and whatever it is called.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _body, done) => done(null))
  app.addHook('onRequest', async (request) => void delete request.headers['content-type'])
  app.addHook('onResponse', async ({ raw }) => {
    if (raw.complete) return
    raw.resume()
    raw.once(
      'close',
      clock.after(LINGER_MS, () => raw.socket.destroy()),
    )
  })

  app.put<SignedRoute<'orgId' | 'propertyId' | 'file'>>(
    '/uploads/:orgId/:propertyId/:file',
    {
      config: { ...config, streamed: true },
      schema: {
        tags: ['Maintenance requests'],
        summary: 'Upload a package to the address that upload-url gave; it needs no key',
        description: 'The body is the raw file, of any content type; Content-Length says its size. Again: replaces it.',
        params: ids('orgId', 'propertyId', 'file'),
        querystring: signed,
      },
    },
    async (request, reply) => {
      const { orgId, propertyId, file } = request.params
      const key = readKey('packages', orgId, propertyId, file)
      const grant = disk.judge({ method: 'PUT', key, query: request.query })

      const length = request.headers['content-length']
      if (length === undefined) {
        return refuse(
          reply,
          411,
          'LENGTH_REQUIRED',
          'say how long the file is in Content-Length; do not send it chunked',
        )
      }
      const size = Number(length)
      if (size > LIMITS.packageBytes) {
        return refuse(reply, 413, 'TOO_LARGE', `a package has at most ${LIMITS.packageBytes} bytes, not ${size}`)
      }
      if ((await disk.freeBytes()) - size < RESERVE_BYTES) return refuse(reply, 507, 'DISK_FULL', NO_ROOM)

      try {
        const { version } = await disk.receive(grant.key as PackageKey, request.raw)
        return await reply.header('etag', `"${version}"`).send()
      } catch (error) {
        if (isDiskFull(error)) return refuse(reply, 507, 'DISK_FULL', NO_ROOM)
        if (error instanceof Stalled) {
          return refuse(reply, 408, 'TIMEOUT', 'the file came too slowly; send it again to the same address')
        }
        if (!request.raw.destroyed || request.raw.complete) throw error
        log.info({ key: grant.key }, 'an upload was cut off; nothing of it is kept')
        return reply.hijack()
      }
    },
  )
}

const NO_ROOM = 'the disk of the service has no room for this file; tell the operator, then send it again'

async function refuse(reply: FastifyReply, status: number, code: string, message: string): Promise<FastifyReply> {
  return reply.code(status).send({ message, code, reqId: randomUUID() })
}

function downloadRoute(app: FastifyInstance, { disk }: DiskRouteDeps): void {
  app.get<SignedRoute<'kind' | 'propertyId' | 'file'>>(
    '/downloads/:kind/:propertyId/:file',
    {
      config,
      schema: {
        tags: ['Maintenance requests'],
        summary: 'Fetch a file from the address that was given for it; it needs no key, and serves ranges',
        params: ids('kind', 'propertyId', 'file'),
        querystring: signed,
      },
    },
    async (request, reply) => {
      const { kind, propertyId, file } = request.params
      const key = readKey(kind, propertyId, file)
      const grant = disk.judge({ method: 'GET', key, query: request.query })
      const found = await disk.open(grant.key)
      if (!found) throw gone()

      const etag = `"${found.version}"`
      reply.headers({
        'content-type': mediaType(grant.contentType),
        'content-disposition': attachmentDisposition(grant.filename ?? ''),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'private, no-store',
        'accept-ranges': 'bytes',
        etag,
      })
      const { 'if-range': ifRange, range: asked } = request.headers
      const range = readRange(ifRange === undefined || ifRange === etag ? asked : undefined, found.size)
      if (range === 'none') {
        await found.close()
        return reply.code(416).header('content-range', `bytes */${found.size}`).send()
      }
      const part = range === 'whole' ? undefined : range
      if (part) reply.code(206).header('content-range', `bytes ${part.from}-${part.to}/${found.size}`)
      reply.header('content-length', part ? part.to - part.from + 1 : found.size)
      if (request.method === 'HEAD') {
        await found.close()
        // As a stream, or the length would be that of the answer.
        return reply.send(Readable.from([]))
      }
      return reply.send(found.read(part))
    },
  )
}
