import { createHash } from 'node:crypto'
import type { GivenAttachments } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { ATTACHED_FILE_BYTES } from '@plantroom/contract/request-fields'
import { shown } from '@plantroom/contract/shown'
import type { Db } from '../../platform/db/database.ts'
import { attachmentUploadName, type FileStore, packageKey } from '../../platform/files/index.ts'
import { findAttachable, takeAttachable } from '../uploads/index.ts'
import { attachmentNames, declaredType } from './attachment-name.ts'
import type { NewAttachment } from './attachment-store.ts'

export type AttachableFiles = Pick<FileStore, 'stat' | 'read' | 'remove' | 'openBlobBatch'>

/** Uploaded files that are ready to be attached. */
export interface AttachedUploads {
  attachments: readonly NewAttachment[]
  /** Uses up the uploads, in the transaction that attaches them. Rejects when another call has attached one. */
  take(tx: Db): Promise<void>
  /** Removes the uploads after the commit. What stays behind is removed after 7 days. */
  remove(): Promise<void>
}

/**
 * Copies uploaded files to the attachments of a site, where the same bytes are stored once. Before any copy, rejects with
 * `invalid` when an upload is unknown, incomplete or too large. The uploads stay, so the caller may try again.
 */
export async function attachUploads(
  { db, files }: { db: Db; files: AttachableFiles },
  { orgId, propertyId: siteId }: { orgId: string; propertyId: string },
  given: GivenAttachments = [],
): Promise<AttachedUploads> {
  const uploadIds = given.map(({ uploadId }) => uploadId)
  const keyOf = (uploadId: string) => packageKey(orgId, siteId, attachmentUploadName(uploadId))
  await requireUploaded({ db, files, siteId, keyOf }, uploadIds)

  const names = attachmentNames(given.map(({ name }) => name))
  const attachments: NewAttachment[] = []
  const batch = files.openBlobBatch(siteId)
  try {
    for (const [place, { uploadId, contentType }] of given.entries()) {
      const source = await files.read(keyOf(uploadId)).catch((error: unknown) => {
        // Another call attached it in the meantime.
        throw error instanceof Failure && error.kind === 'notFound' ? unknownUpload('attachments', uploadId) : error
      })
      const stored = await copy(source, batch.begin())
      attachments.push({ name: names[place] ?? 'file', contentType: declaredType(contentType), ...stored })
    }
    await batch.flush()
  } catch (error) {
    batch.discard()
    throw error
  }
  return {
    attachments,
    async take(tx) {
      if ((await takeAttachable(tx, siteId, uploadIds)) < uploadIds.length) throw unknownUpload('attachments')
    },
    async remove() {
      await Promise.allSettled(uploadIds.map((uploadId) => files.remove(keyOf(uploadId))))
    },
  }
}

interface UploadCheck {
  db: Db
  files: AttachableFiles
  siteId: string
  keyOf(uploadId: string): Parameters<AttachableFiles['stat']>[0]
}

async function requireUploaded({ db, files, siteId, keyOf }: UploadCheck, uploadIds: readonly string[]): Promise<void> {
  if (uploadIds.length === 0) return
  const offered = await findAttachable(db, siteId, uploadIds)
  for (const [place, uploadId] of uploadIds.entries()) {
    const field = `attachments[${place}].uploadId`
    if (uploadIds.indexOf(uploadId) !== place) throw new Failure('invalid', `${field} is used twice`, field)
    const stat = offered.has(uploadId) ? await files.stat(keyOf(uploadId)) : undefined
    if (!stat) throw unknownUpload(field, uploadId)
    if (stat.size > ATTACHED_FILE_BYTES) {
      const message = `${field}: a file may have at most ${ATTACHED_FILE_BYTES} bytes, not ${stat.size}`
      throw new Failure('invalid', message, field)
    }
  }
}

const unknownUpload = (field: string, uploadId?: string) =>
  new Failure(
    'invalid',
    `${field}: ${uploadId === undefined ? 'a file' : shown(uploadId)} is not uploaded, or is attached already: upload it again`,
    field,
  )

type Writer = ReturnType<ReturnType<AttachableFiles['openBlobBatch']>['begin']>

async function copy(
  source: AsyncIterable<Uint8Array>,
  writer: Writer,
): Promise<Pick<NewAttachment, 'size' | 'sha256'>> {
  const hash = createHash('sha256')
  let size = 0
  try {
    for await (const chunk of source) {
      size += chunk.length
      // The file may have been replaced by a larger one since it was measured.
      if (size > ATTACHED_FILE_BYTES) throw unknownUpload('attachments')
      hash.update(chunk)
      writer.write(chunk)
    }
  } catch (error) {
    writer.discard()
    throw error
  }
  const sha256 = hash.digest()
  await writer.finish(sha256)
  return { size, sha256 }
}
