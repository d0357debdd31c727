import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { API } from '@plantroom/contract/api'
import { LIMITS } from '@plantroom/fpl/limits'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { DiskStore } from './disk-store.ts'
import { attachmentDisposition, mediaType, readRange } from './download-headers.ts'
import { gone, isDiskFull, tooManyPackageBytes } from './file-store.ts'
import { type PackageKey, readKey } from './keys.ts'
import { Stalled } from './receive-file.ts'
import { createUploadReservations } from './upload-reservations.ts'

/** How long a refused sender may keep sending. Closing the connection earlier would lose the answer. */
const LINGER_MS = 10_000
const RETRY_FULL_S = 600

interface DiskRouteDeps {
  disk: Pick<DiskStore, 'verify' | 'freeBytes' | 'packageBytes' | 'receive' | 'open'>
  maxPackageBytes: number
  clock: Clock
  log: Log
}

interface SignedRoute<Name extends string> {
  Params: Record<Name, string>
  Querystring: Record<string, unknown>
}

/** Serves the signed addresses of a disk store. Callers need no key: the signature says what the address allows. */
export async function diskRoutes(app: FastifyInstance, deps: DiskRouteDeps): Promise<void> {
  await app.register(async (scope) => {
    closeWithServer(scope)
    uploadRoute(scope, deps)
    downloadRoute(scope, deps)
  })
}

/** Aborts transfers when the server closes; some would take another hour. */
function closeWithServer(app: FastifyInstance): void {
  const underWay = new Set<IncomingMessage>()
  app.addHook('onRequest', async ({ raw }) => void underWay.add(raw))
  app.addHook('onResponse', async ({ raw }) => {
    // A refused sender gets its answer while its body is still arriving.
    if (raw.complete) underWay.delete(raw)
    else raw.once('end', () => underWay.delete(raw)).once('close', () => underWay.delete(raw))
  })
  app.addHook('onRequestAbort', async ({ raw }) => void underWay.delete(raw))
  app.addHook('preClose', async () => {
    for (const { socket } of underWay) socket.destroy()
  })
}

function uploadRoute(app: FastifyInstance, { disk, maxPackageBytes, clock, log }: DiskRouteDeps): void {
  const { freeBytes, packageBytes } = disk
  const reservations = createUploadReservations({ freeBytes, packageBytes, maxBytesPerOrganization: maxPackageBytes })
  const refusals = {
    disk: NO_ROOM,
    organization: tooManyPackageBytes(maxPackageBytes),
  }
  // The handler reads the body as a stream, whatever its content type.
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
    API.uploadPackage.path,
    {
      config: { access: API.uploadPackage.access, streamed: true },
      schema: { querystring: API.uploadPackage.query },
    },
    async (request, reply) => {
      const { orgId, propertyId, file } = request.params
      const key = readKey('packages', orgId, propertyId, file)
      const grant = disk.verify({ method: 'PUT', key, query: request.query })

      const length = request.headers['content-length']
      if (length === undefined) {
        return refuse(reply, 411, 'LENGTH_REQUIRED', 'Content-Length is required; do not send the file chunked')
      }
      const size = Number(length)
      if (size > LIMITS.packageBytes) {
        return refuse(reply, 413, 'TOO_LARGE', `a package may have at most ${LIMITS.packageBytes} bytes, not ${size}`)
      }
      const reserved = await reservations.reserve(orgId, size)
      if ('refusal' in reserved) {
        reply.header('retry-after', RETRY_FULL_S)
        return refuse(reply, 507, 'DISK_FULL', refusals[reserved.refusal])
      }

      try {
        const { version } = await disk.receive(grant.key as PackageKey, request.raw, reserved.received)
        return await reply.header('etag', `"${version}"`).send()
      } catch (error) {
        if (isDiskFull(error)) return refuse(reply, 507, 'DISK_FULL', NO_ROOM)
        if (error instanceof Stalled) {
          return refuse(reply, 408, 'TIMEOUT', 'the upload was too slow; send the file again to the same address')
        }
        if (!request.raw.destroyed || request.raw.complete) throw error
        log.info({ key: grant.key }, 'an upload was interrupted; discarded it')
        return reply.hijack()
      } finally {
        reserved.end()
      }
    },
  )
}

const NO_ROOM = 'the disk of the service is too full for this file; contact the operator, then send it again'

async function refuse(reply: FastifyReply, status: number, code: string, message: string): Promise<FastifyReply> {
  return reply.code(status).send({ message, code, reqId: randomUUID() })
}

function downloadRoute(app: FastifyInstance, { disk }: DiskRouteDeps): void {
  app.get<SignedRoute<'kind' | 'propertyId' | 'file'>>(
    API.downloadFile.path,
    { config: { access: API.downloadFile.access }, schema: { querystring: API.downloadFile.query } },
    async (request, reply) => {
      const { kind, propertyId, file } = request.params
      const key = readKey(kind, propertyId, file)
      const grant = disk.verify({ method: 'GET', key, query: request.query })
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
        // A stream, because Fastify would otherwise overwrite the length.
        return reply.send(Readable.from([]))
      }
      return reply.send(found.read(part))
    },
  )
}
