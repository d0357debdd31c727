import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { API } from '@plantroom/contract/api'
import type { FastifyInstance } from 'fastify'
import type { DiskStore } from './disk-store.ts'
import { diskUploadRoutes, type UploadRouteDeps } from './disk-upload-routes.ts'
import { attachmentDisposition, mediaType, readRange } from './download-headers.ts'
import { gone } from './file-store.ts'
import { readKey } from './keys.ts'

interface DiskRouteDeps extends UploadRouteDeps {
  disk: UploadRouteDeps['disk'] & Pick<DiskStore, 'open'>
}

interface SignedRoute<Name extends string> {
  Params: Record<Name, string>
  Querystring: Record<string, unknown>
}

/** Serves the signed addresses of a disk store. Callers need no key: the signature says what the address allows. */
export async function diskRoutes(app: FastifyInstance, deps: DiskRouteDeps): Promise<void> {
  await app.register(async (scope) => {
    closeWithServer(scope)
    diskUploadRoutes(scope, deps)
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
