import { route } from '../route.ts'
import { array, integer, object, oneOf, optional, text } from '../schema.ts'
import { PackageUpload, UnfinishedUpload, UPLOAD_PURPOSES, UploadPart } from '../uploads.ts'
import { mayWrite, SITE } from './site.ts'

const tag = 'Maintenance requests'
const UPLOADS = `${SITE}/ticket-packages/import/uploads` as const
const UPLOAD = `${UPLOADS}/:uploadId` as const

/**
 * Uploads in parts, which continue after a lost connection: of packages and of files of other systems' exports. Beside the
 * one PUT of `getUploadUrl` and `getSourceUploadUrl`.
 */
export const uploadRoutes = {
  startUpload: route({
    method: 'POST',
    path: UPLOADS,
    access: mayWrite,
    tag,
    summary:
      'Start the upload of a package or of an export in parts, or continue the unfinished one of this name and size',
    description:
      'Compare the parts that are stored with your file before you send the others: another file may have the same name and size. An unfinished upload of this name with another size is removed.',
    body: object({
      filename: text({ description: 'As for the upload-url of this purpose' }),
      size: integer({ minimum: 1, description: 'Of the whole file, in bytes' }),
      purpose: optional(
        oneOf(UPLOAD_PURPOSES, {
          description:
            "conversion for a file of another system's export, which jobs then take by its uploadId; else import",
        }),
      ),
    }),
    reply: PackageUpload,
  }),
  listUploads: route({
    method: 'GET',
    path: UPLOADS,
    access: mayWrite,
    tag,
    summary: 'List the unfinished uploads of the site, the last used first, at most 20',
    query: object({ purpose: optional(oneOf(UPLOAD_PURPOSES, { description: 'Only uploads for this' })) }),
    reply: object({ uploads: array(UnfinishedUpload) }),
  }),
  getUpload: route({
    method: 'GET',
    path: UPLOAD,
    access: mayWrite,
    tag,
    summary: 'Get an upload with the parts that are stored',
    reply: PackageUpload,
  }),
  offerParts: route({
    method: 'POST',
    path: `${UPLOAD}/parts`,
    access: mayWrite,
    tag,
    summary: 'Get addresses for parts of an upload, valid for one hour',
    description:
      'PUT the bytes of each part to its address, with Content-Length and without X-Api-Key. 409 when the upload has other bytes for a part: it is of another file.',
    body: object({ parts: array(UploadPart, { minItems: 1, maxItems: 100 }) }),
    reply: object({ parts: array(object({ number: integer(), url: text() })) }),
  }),
  completeUpload: route({
    method: 'POST',
    path: `${UPLOAD}/complete`,
    access: mayWrite,
    tag,
    summary: 'Make the file of an upload available; may be repeated',
    description: '409 while parts are missing. A package replaces one of the same name.',
    reply: object({ filename: text(), size: integer() }),
  }),
  removeUpload: route({
    method: 'DELETE',
    path: UPLOAD,
    access: mayWrite,
    tag,
    summary: 'Cancel an unfinished upload and remove its parts',
    status: 204,
  }),
} as const
