import { rm } from 'node:fs/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { BlobBatch } from './file-store.ts'
import { blobKey } from './keys.ts'
import { putBytes, putFile } from './s3-put.ts'
import type { Scratch } from './scratch.ts'
import { openTemporaryFile } from './temporary-file.ts'

const AT_ONCE = 16

/**
 * Attachments in a bucket, some on their way at once. An object appears whole or not at all; what is put again, after
 * an import that did not come to its end, gets the same bytes.
 */
export function openS3BlobBatch(deps: {
  client: S3Client
  bucket: string
  siteId: string
  scratch: Scratch
}): BlobBatch {
  const { client, bucket, siteId, scratch } = deps
  const underWay = new Set<Promise<void>>()
  const known = new Set<string>()
  let failure: { error: unknown } | undefined

  async function start(put: () => Promise<void>): Promise<void> {
    while (underWay.size >= AT_ONCE) await Promise.race(underWay)
    if (failure) throw failure.error
    const sent: Promise<void> = put()
      .catch((error) => {
        failure ??= { error }
      })
      .finally(() => underWay.delete(sent))
    underWay.add(sent)
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
      await Promise.all(underWay)
      if (failure) throw failure.error
    },

    // What is on its way arrives: nothing names it, and a later import may.
    discard() {},
  }
}
