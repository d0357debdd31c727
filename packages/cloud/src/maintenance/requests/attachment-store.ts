import { newId } from '@plantroom/base/ids'
import { inBatches } from '../../platform/db/batches.ts'
import type { Db } from '../../platform/db/database.ts'
import { insertGiven } from '../../platform/db/given-rows.ts'

/** A file to attach. Its bytes are in the files of the site under their hash. */
export interface NewAttachment {
  name: string
  contentType: string | null
  size: number
  sha256: Buffer
}

interface PlacedAttachment extends NewAttachment {
  requestId: string
  /** `null` for a file of the request itself. */
  commentPosition: number | null
  position: number
}

/** Gives the files of a request or a comment their places. */
export function placed(
  requestId: string,
  commentPosition: number | null,
  attachments: readonly NewAttachment[],
): PlacedAttachment[] {
  return attachments.map((attachment, position) => ({ requestId, commentPosition, position, ...attachment }))
}

/** Adds attachments and returns their ids, in order. */
export async function insertAttachments(trx: Db, attachments: readonly PlacedAttachment[]): Promise<string[]> {
  const ids: string[] = []
  for (const some of inBatches(attachments)) {
    for (const id of await insertSome(trx, some)) ids.push(id)
  }
  return ids
}

async function insertSome(trx: Db, attachments: readonly PlacedAttachment[]): Promise<string[]> {
  const added = attachments.map((attachment) => ({ id: newId('att'), ...attachment }))
  await insertGiven('ticket_attachment', {}, added, {
    id: 'text',
    ticket_id: ['text', ({ requestId }) => requestId],
    comment_position: 'integer',
    position: 'integer',
    name: 'text',
    content_type: 'text',
    size: 'bigint',
    sha256: 'bytea',
  }).execute(trx)
  return added.map(({ id }) => id)
}
