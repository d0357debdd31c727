import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { LIMITS } from '@plantroom/fpl/limits'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../../platform/routes/index.ts'
import type { RecordedUpload } from './part-upload-store.ts'
import type { PartUploads, UploadState } from './part-uploads.ts'
import { readFileName, readSourceName } from './upload-names.ts'
import { UPLOAD_KEPT_MS } from './upload-store.ts'

/** Uploads of packages and of exports in parts. The parts themselves go to the file store, which may be another service. */
export function partUploadRoutes(app: FastifyInstance, { uploads }: { uploads: PartUploads }): void {
  addRoute(app, API.startUpload, async (request) => {
    const { size, purpose = 'import' } = request.body
    const filename = (purpose === 'import' ? readFileName : readSourceName)(request.body.filename)
    if (size > LIMITS.packageBytes) {
      throw new Failure('invalid', `size: a file may have at most ${LIMITS.packageBytes} bytes, not ${size}`, 'size')
    }
    return toReply(await uploads.start(request, { ...siteOf(request.params), filename, size, purpose }))
  })

  addRoute(app, API.listUploads, async (request) => {
    const found = await uploads.list(siteOf(request.params), request.query.purpose)
    return { uploads: found.map(({ upload, bytes }) => ({ ...summaryOf(upload), storedBytes: bytes })) }
  })

  addRoute(app, API.getUpload, async (request) => toReply(await uploads.get(uploadOf(request.params))))

  addRoute(app, API.offerParts, async (request) => ({
    parts: await uploads.offer(uploadOf(request.params), request.body.parts),
  }))

  addRoute(app, API.completeUpload, async (request) => {
    const { filename, size } = await uploads.complete(request, uploadOf(request.params))
    return { filename, size }
  })

  addRoute(app, API.removeUpload, async (request) => {
    await uploads.remove(request, uploadOf(request.params))
  })
}

interface SiteParams {
  orgId: string
  propertyId: string
}

const siteOf = ({ orgId, propertyId }: SiteParams) => ({ organizationId: orgId, siteId: propertyId })
const uploadOf = (params: SiteParams & { uploadId: string }) => ({ ...siteOf(params), id: params.uploadId })

function summaryOf({ id, purpose, filename, size, startedAt, usedAt }: RecordedUpload) {
  const expiresAt = new Date(usedAt.getTime() + UPLOAD_KEPT_MS)
  return { uploadId: id, purpose, filename, size, partBytes: PART_BYTES, startedAt, usedAt, expiresAt }
}

function toReply({ upload, parts }: UploadState) {
  return { ...summaryOf(upload), completed: upload.completedAt !== null, parts }
}
