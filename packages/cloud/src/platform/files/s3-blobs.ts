import { rm } from 'node:fs/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { BlobBatch } from './file-store.ts'
import { blobKey } from './keys.ts'
import { putBytes, putFile } from './s3-objects.ts'
import type { Scratch } from './scratch.ts'
import { openTemporaryFile } from './scratch.ts'

const MAX_PARALLEL = 16

/**
 * Stores attachments in a bucket, several in parallel. Objects appear completely or not at all; a repeated import puts the
 * same bytes again.
 */
export function openS3BlobBatch(deps: {
  client: S3Client
  bucket: string
  siteId: string
  scratch: Scratch
}): BlobBatch {
  const { client, bucket, siteId, scratch } = deps
  const pending = new Set<Promise<void>>()
  const known = new Set<string>()
  let failure: { error: unknown } | undefined

  async function start(put: () => Promise<void>): Promise<void> {
    while (pending.size >= MAX_PARALLEL) await Promise.race(pending)
    if (failure) throw failure.error
    const sent: Promise<void> = put()
      .catch((error) => {
        failure ??= { error }
      })
      .finally(() => pending.delete(sent))
    pending.add(sent)
  }

  return {
    async add(sha256, bytes) {
      const key = blobKey(siteId, sha256)
      if (known.has(key)) return
      known.add(key)
      const own = Buffer.from(bytes)
      await start(() => putBytes(client, { bucket, key, bytes: own }))
    },

    begin() {
      const file = openTemporaryFile(scratch.path())
      return {
        write: file.write,
        discard: file.discard,
        async finish(sha256) {
          const key = blobKey(siteId, sha256)
          const path = file.close()
          if (known.has(key)) return file.discard()
          known.add(key)
          await start(() =>
            putFile(client, { bucket, key, path, size: file.size() }).finally(() => rm(path, { force: true })),
          )
        },
      }
    },

    async flush() {
      await Promise.all(pending)
      if (failure) throw failure.error
    },

    // Pending uploads may finish: nothing refers to them, and a later import can use them.
    discard() {},
  }
}
