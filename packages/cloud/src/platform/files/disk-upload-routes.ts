import { randomUUID } from 'node:crypto'
import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import { API } from '@plantroom/contract/api'
import { LIMITS } from '@plantroom/fpl/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { NO_ROOM } from './disk-parts.ts'
import type { DiskStore } from './disk-store.ts'
import { isDiskFull, tooManyPackageBytes } from './file-store.ts'
import { type PackageKey, readKey } from './keys.ts'
import { Stalled } from './receive-file.ts'
import { createStoredBytes } from './stored-bytes.ts'
import { createUploadReservations, type UploadReservations } from './upload-reservations.ts'

/** How long a refused sender may keep sending. Closing the connection earlier would lose the answer. */
const LINGER_MS = 10_000
const RETRY_FULL_S = 600

export interface UploadRouteDeps {
  disk: Pick<DiskStore, 'verify' | 'freeBytes' | 'packageBytes' | 'receive' | 'receivePart'>
  maxPackageBytes: number
  clock: Clock
  log: Log
}

interface SignedUpload<Name extends string> {
  Params: Record<'orgId' | 'propertyId' | 'file' | Name, string>
  Querystring: Record<string, unknown>
}

/** Takes packages, whole or in parts, at signed addresses. */
export function diskUploadRoutes(app: FastifyInstance, deps: UploadRouteDeps): void {
  const { freeBytes, packageBytes } = deps.disk
  const reservations = createUploadReservations({
    freeBytes,
    stored: createStoredBytes(packageBytes, deps.clock),
    maxBytesPerOrganization: deps.maxPackageBytes,
  })
  readAsStream(app, deps.clock)
  wholeRoute(app, deps, reservations)
  partRoute(app, deps, reservations)
}

/** Handlers read the body as a stream, whatever its content type. */
function readAsStream(app: FastifyInstance, clock: Clock): void {
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
}

function wholeRoute(app: FastifyInstance, deps: UploadRouteDeps, reservations: UploadReservations): void {
  const { disk, maxPackageBytes } = deps
  app.put<SignedUpload<never>>(
    API.uploadPackage.path,
    {
      config: { access: API.uploadPackage.access, streamed: true },
      schema: { querystring: API.uploadPackage.query },
    },
    async (request, reply) => {
      const { orgId, propertyId, file } = request.params
      const { key } = disk.verify({
        method: 'PUT',
        key: readKey('packages', orgId, propertyId, file),
        query: request.query,
      })
      const size = lengthOf(request)
      if (size === undefined) return refuseChunked(reply)
      if (size > LIMITS.packageBytes) {
        return refuse(reply, 413, 'TOO_LARGE', `a package may have at most ${LIMITS.packageBytes} bytes, not ${size}`)
      }
      const reserved = await reservations.reserve(orgId, size)
      if ('refusal' in reserved) {
        const isFull = reserved.refusal === 'disk'
        return refuseForRoom(reply, isFull ? NO_ROOM : tooManyPackageBytes(maxPackageBytes))
      }
      return receiving({ request, reply, key: key as PackageKey }, deps, async () => {
        const { version } = await disk.receive(key as PackageKey, request.raw, reserved.received)
        return reply.header('etag', `"${version}"`).send()
      }).finally(reserved.end)
    },
  )
}

function partRoute(app: FastifyInstance, deps: UploadRouteDeps, reservations: UploadReservations): void {
  const { disk } = deps
  app.put<SignedUpload<'storeId' | 'number'>>(
    API.uploadPart.path,
    { config: { access: API.uploadPart.access, streamed: true }, schema: { querystring: API.uploadPart.query } },
    async (request, reply) => {
      const { orgId, propertyId, file, storeId, number } = request.params
      const { key, part } = disk.verify({
        method: 'PUT',
        key: readKey('packages', orgId, propertyId, file),
        query: request.query,
        part: { storeId, number: Number(number) },
      })
      if (!part) throw new Error('the address of a part names none')
      const size = lengthOf(request)
      if (size === undefined) return refuseChunked(reply)
      if (size !== part.size) {
        return refuse(reply, 400, 'INVALID', `part ${part.number} has ${part.size} bytes, not ${size}: send all of it`)
      }
      const reserved = await reservations.reserve(undefined, size)
      if ('refusal' in reserved) return refuseForRoom(reply, NO_ROOM)
      return receiving({ request, reply, key: key as PackageKey }, deps, async () => {
        await disk.receivePart(key as PackageKey, part, request.raw, reserved.received)
        return reply.header('etag', `"${part.sha256}"`).send()
      }).finally(reserved.end)
    },
  )
}

function lengthOf({ headers }: FastifyRequest): number | undefined {
  const length = headers['content-length']
  return length === undefined ? undefined : Number(length)
}

/** Runs a transfer and answers what can go wrong while the bytes arrive. */
async function receiving(
  { request, reply, key }: { request: FastifyRequest; reply: FastifyReply; key: PackageKey },
  { log }: UploadRouteDeps,
  receive: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await receive()
  } catch (error) {
    if (isDiskFull(error)) return refuse(reply, 507, 'DISK_FULL', NO_ROOM)
    if (error instanceof Stalled) {
      return refuse(reply, 408, 'TIMEOUT', 'the upload was too slow; send the file again to the same address')
    }
    if (!request.raw.destroyed || request.raw.complete) throw error
    log.info({ key }, 'an upload was interrupted; discarded it')
    return reply.hijack()
  }
}

const refuseChunked = (reply: FastifyReply) =>
  refuse(reply, 411, 'LENGTH_REQUIRED', 'Content-Length is required; do not send the file chunked')

function refuseForRoom(reply: FastifyReply, message: string): Promise<FastifyReply> {
  reply.header('retry-after', RETRY_FULL_S)
  return refuse(reply, 507, 'DISK_FULL', message)
}

async function refuse(reply: FastifyReply, status: number, code: string, message: string): Promise<FastifyReply> {
  return reply.code(status).send({ message, code, reqId: randomUUID() })
}
