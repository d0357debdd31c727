import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The part of a Koa context that is used here. */
export interface S3Context {
  app: object
  method: string
  path: string
  query: Record<string, unknown>
  status: number
  type: string
  body: unknown
}

/** Adds what the server lacks of multipart uploads: listing and aborting them, and refusing what it does not know. */
export function multipartOf(directory: string) {
  return async (context: S3Context, next: () => Promise<void>): Promise<void> => {
    const [, bucket = '', ...key] = decodeURIComponent(context.path).split('/')
    const all = join(directory, bucket, '._S3rver_uploads')
    const { uploadId, uploads, partNumber = 1 } = context.query
    const answer = (status: number, xml: string) =>
      Object.assign(context, { status, type: 'application/xml', body: xml })
    // An address that was signed for a PUT. The server checks the signatures of the other requests only.
    const isSigned = context.query['X-Amz-Signature'] !== undefined
    if (uploadId !== undefined && isSigned && context.method !== 'PUT') return void answer(403, '<Error/>')
    if (context.method === 'GET' && uploads !== undefined) return void answer(200, listUploads(all))
    if (typeof uploadId !== 'string') return next()
    const folder = join(all, uploadId)
    if (!existsSync(folder))
      return void answer(404, '<Error><Code>NoSuchUpload</Code><Message>unknown</Message></Error>')
    if (!(Number(partNumber) >= 1 && Number(partNumber) <= 10_000))
      return void answer(400, '<Error><Code>InvalidArgument</Code><Message>the number of a part</Message></Error>')
    if (context.method === 'GET') return void answer(200, listParts(folder, key.join('/'), uploadId))
    if (context.method !== 'DELETE') return next()
    rmSync(folder, { recursive: true })
    context.status = 204
  }
}

function listParts(folder: string, key: string, uploadId: string): string {
  const sums = readdirSync(folder).filter((name) => name.endsWith('.md5'))
  const parts = sums.map((sum) => {
    const number = sum.slice(0, -'.md5'.length)
    const etag = `"${readFileSync(join(folder, sum), 'utf8')}"`
    const { size } = statSync(join(folder, number))
    return `<Part><PartNumber>${number}</PartNumber><ETag>${etag}</ETag><Size>${size}</Size></Part>`
  })
  return `<ListPartsResult><Key>${key}</Key><UploadId>${uploadId}</UploadId><IsTruncated>false</IsTruncated>${parts.join('')}</ListPartsResult>`
}

function listUploads(all: string): string {
  const found = existsSync(all) ? readdirSync(all) : []
  const uploads = found.map((uploadId) => {
    const key = readFileSync(join(all, uploadId, 'key'), 'utf8')
    const { birthtime } = statSync(join(all, uploadId))
    return `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${birthtime.toISOString()}</Initiated></Upload>`
  })
  return `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${uploads.join('')}</ListMultipartUploadsResult>`
}
