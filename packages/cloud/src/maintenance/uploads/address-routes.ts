import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import type { FastifyInstance } from 'fastify'
import { attachmentUploadName, type FileStore, packageKey, sourceUploadName } from '../../platform/files/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import type { UploadRecorder } from './stored-uploads.ts'
import { readFileName, readSourceName } from './upload-names.ts'

const EXPIRES_S = 3600

/**
 * Gives out addresses for packages, files of exports and files to attach. The upload itself goes to the file store, which may
 * be another service. All are recorded in the same way, so the same quota and the same removal apply.
 */
export function addressRoutes(
  app: FastifyInstance,
  { recordUpload, files }: { recordUpload: UploadRecorder; files: Pick<FileStore, 'uploadUrl'> },
): void {
  async function addressFor(params: { orgId: string; propertyId: string }, filename: string): Promise<string> {
    const { orgId: organizationId, propertyId: siteId } = params
    await recordUpload({ organizationId, siteId, filename })
    return files.uploadUrl(packageKey(organizationId, siteId, filename), { expiresInS: EXPIRES_S })
  }

  addRoute(app, API.getUploadUrl, async ({ params, query }) => ({
    url: await addressFor(params, readFileName(query.filename)),
  }))

  addRoute(app, API.getSourceUploadUrl, async ({ params, query }) => {
    readSourceName(query.filename)
    const uploadId = newId('upload')
    return { uploadId, url: await addressFor(params, sourceUploadName(uploadId)) }
  })

  addRoute(app, API.getAttachmentUploadUrl, async ({ params }) => {
    const uploadId = newId('upload')
    return { uploadId, url: await addressFor(params, attachmentUploadName(uploadId)) }
  })
}
