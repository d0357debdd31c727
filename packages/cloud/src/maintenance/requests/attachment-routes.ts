import { Readable } from 'node:stream'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { blobKey, type FileStore, inlineDisposition } from '../../platform/files/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { type ImageHeader, readImageHeader } from './image-header.ts'
import { readNumber } from './request-number.ts'
import type { RequestStore } from './request-store.ts'

const ATTACHMENT_EXPIRES_S = 15 * 60
/** Photos of phones have up to 50 megapixels; a browser needs 4 bytes for each. */
const MAX_PIXELS = 50e6
const MAX_SIDE = 16_384
const MAX_IMAGE_BYTES = 50e6
/** The metadata of a photo, which may contain small pictures itself, comes before its size. */
const MAX_HEAD_BYTES = 1024 * 1024

interface AttachmentRouteDeps {
  requests: Pick<RequestStore, 'findAttachment'>
  files: Pick<FileStore, 'downloadUrl' | 'read'>
}

/** Gives access to the files of a request and its comments: as a download, or as a picture to show. */
export function attachmentRoutes(app: FastifyInstance, { requests, files }: AttachmentRouteDeps): void {
  async function find({
    propertyId,
    attachmentId,
    number: text,
  }: Record<'propertyId' | 'attachmentId' | 'number', string>) {
    const number = readNumber(text)
    const found = await requests.findAttachment(propertyId, number, attachmentId)
    if (!found) throw new Failure('notFound', `request ${number} of this site has no attachment ${shown(attachmentId)}`)
    // The name may contain folders; the download uses its last part.
    return { ...found, key: blobKey(propertyId, found.sha256), filename: found.name.split('/').at(-1) ?? found.name }
  }

  addRoute(app, API.getAttachmentUrl, async (request) => {
    const { key, filename, contentType } = await find(request.params)
    return { url: await files.downloadUrl(key, { filename, contentType, expiresInS: ATTACHMENT_EXPIRES_S }) }
  })

  addRoute(app, API.getAttachmentImage, async (request, reply) => {
    const { key, filename, sha256, size } = await find(request.params)
    const etag = `"${sha256.toString('hex')}"`
    void reply.headers({
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      // The browser asks each time whether the person may still see it.
      'cache-control': 'private, no-cache',
    })
    if (Number(size) > MAX_IMAGE_BYTES) throw notShown(`has more than ${MAX_IMAGE_BYTES / 1e6} MB`)
    const image = await openImage(await files.read(key))
    void reply.headers({ 'content-type': image.type, 'content-disposition': inlineDisposition(filename), etag })
    if (request.headers['if-none-match'] === etag) {
      image.bytes.destroy()
      return reply.code(304).send()
    }
    return reply.header('content-length', size).send(image.bytes)
  })
}

const notShown = (why: string) =>
  new Failure('notFound', `this attachment cannot be shown, because it ${why}: download it`)

/** Reads the beginning of a file. Rejects, and closes the file, unless it is a picture of a bounded size. */
async function openImage(source: Readable): Promise<{ type: ImageHeader['type']; bytes: Readable }> {
  const chunks = source.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>
  try {
    let head = Buffer.alloc(0)
    let found = readImageHeader(head)
    while (found === 'more' && head.length < MAX_HEAD_BYTES) {
      const next = await chunks.next()
      if (next.done) break
      head = Buffer.concat([head, next.value])
      found = readImageHeader(head)
    }
    if (!found || found === 'more') throw notShown('is not a PNG, JPEG, WebP, GIF or AVIF picture')
    const { type, width, height } = found
    if (width === 0 || height === 0 || width * height > MAX_PIXELS || Math.max(width, height) > MAX_SIDE) {
      throw notShown(`has ${width} × ${height} pixels, more than a page can show`)
    }
    const bytes = Readable.from(joined(head, chunks), { objectMode: false })
    // Also when nobody has read any of it.
    bytes.once('close', () => source.destroy())
    return { type, bytes }
  } catch (error) {
    source.destroy()
    throw error
  }
}

async function* joined(head: Buffer, rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield head
  yield* rest
}
