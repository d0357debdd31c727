import { basename } from 'node:path'
import { ATTACHED_FILE_BYTES, ATTACHED_FILES } from '@plantroom/contract/request-fields'
import type { SiteClient } from '../../clients.ts'
import { repeated, UsageError } from '../../command.ts'
import { sendFile, sizeOfFile } from '../package/send-file.ts'

export const ATTACH = repeated('FILE', 'attach a file; may be repeated', { completes: 'file' })

/** Rejects files that cannot be attached, before anything is sent. */
export function requireFiles(files: readonly string[] | undefined): void {
  if (files === undefined) return
  if (files.length > ATTACHED_FILES) throw new UsageError(`--attach: at most ${ATTACHED_FILES} files`)
  for (const file of files) {
    if (sizeOfFile(file) > ATTACHED_FILE_BYTES) {
      throw new UsageError(`${file} is larger than ${ATTACHED_FILE_BYTES / 1e6} MB, which is too large to attach`)
    }
  }
}

/** Uploads files and returns how a body names them. */
export async function attachFiles({ client, site }: SiteClient, files: readonly string[] | undefined) {
  if (files === undefined) return undefined
  const attached: { uploadId: string; name: string }[] = []
  for (const file of files) {
    const { uploadId, url } = await client.getAttachmentUploadUrl({ ...site, query: { size: sizeOfFile(file) } })
    await sendFile(file, url, () => {})
    attached.push({ uploadId, name: basename(file) })
  }
  return attached
}
