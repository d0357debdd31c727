import { rm, stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { attachmentDisposition, mediaType } from './download-headers.ts'
import { type FileStat, type FileStore, gone } from './file-store.ts'
import { type FileKey, packagesFolder, readKey, readPackageKey, siteFolders } from './keys.ts'
import { openS3BlobBatch } from './s3-blobs.ts'
import { createS3Client, type S3Settings } from './s3-client.ts'
import { downloadObject, explainS3, isMissing, putFile } from './s3-objects.ts'
import { openS3Parts } from './s3-parts.ts'
import type { Scratch } from './scratch.ts'

export interface S3Store extends FileStore {
  /** Lists all files, in no particular order. */
  list(): AsyncIterable<FileStat & { key: FileKey }>
  close(): void
}

/** Stores files in a bucket. The version of a file is its ETag: two uploads of the same bytes are one version. */
export function openS3Store(settings: S3Settings, deps: { scratch: Scratch }): S3Store {
  const { bucket: Bucket } = settings
  const client = createS3Client(settings)

  async function head(key: FileKey): Promise<FileStat | undefined> {
    try {
      const { ContentLength = 0, ETag = '' } = await client.send(new HeadObjectCommand({ Bucket, Key: key }))
      return { size: ContentLength, version: ETag }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw explainS3(error)
    }
  }

  return {
    uploadUrl: (key, { expiresInS }) =>
      getSignedUrl(client, new PutObjectCommand({ Bucket, Key: key }), { expiresIn: expiresInS }),

    downloadUrl: (key, { filename, contentType, expiresInS }) =>
      getSignedUrl(
        client,
        new GetObjectCommand({
          Bucket,
          Key: key,
          ResponseContentDisposition: attachmentDisposition(filename),
          ResponseContentType: mediaType(contentType),
          ResponseCacheControl: 'private, no-store',
        }),
        { expiresIn: expiresInS },
      ),

    stat: head,

    async fetch(key, version, folder, options) {
      const found = await head(key)
      if (!found) throw gone()
      return downloadObject({ client, bucket: Bucket, key, size: found.size, version, folder, signal: options?.signal })
    },

    async read(key) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket, Key: key }))
        return Body as Readable
      } catch (error) {
        throw isMissing(error) ? gone() : explainS3(error)
      }
    },

    async put(key, path) {
      const { size } = await stat(path)
      await putFile(client, { bucket: Bucket, key, path, size })
      await rm(path, { force: true })
    },

    async remove(key, version) {
      // Few services support conditional deletes: an upload within these milliseconds would be removed too.
      if (version !== undefined && (await head(key))?.version !== version) return
      await client.send(new DeleteObjectCommand({ Bucket, Key: key })).catch((error) => {
        throw explainS3(error)
      })
    },

    async removeSite(organizationId, siteId) {
      try {
        for (const folder of siteFolders(organizationId, siteId)) {
          const pages = paginateListObjectsV2({ client }, { Bucket, Prefix: `${folder}/` })
          for await (const { Contents = [] } of pages) {
            for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket, Key }))
          }
        }
      } catch (error) {
        throw explainS3(error)
      }
    },

    async *listPackages(organizationId) {
      const Prefix = `${packagesFolder(organizationId)}/`
      try {
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
          for (const { Key = '', Size = 0, ETag = '', LastModified } of Contents) {
            const key = readPackageKey(Key)
            if (key && LastModified) yield { key, size: Size, version: ETag, storedAt: LastModified.getTime() }
          }
        }
      } catch (error) {
        throw explainS3(error)
      }
    },

    async *list() {
      try {
        for (const Prefix of ['packages/', 'blobs/', 'exports/']) {
          for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket, Prefix })) {
            for (const { Key = '', Size = 0, ETag = '' } of Contents) {
              const key = readKey(...Key.split('/'))
              if (key) yield { key, size: Size, version: ETag }
            }
          }
        }
      } catch (error) {
        throw explainS3(error)
      }
    },

    limitsUploads: false,

    parts: openS3Parts(client, Bucket),

    openBlobBatch: (siteId) => openS3BlobBatch({ client, bucket: Bucket, siteId, scratch: deps.scratch }),

    close: () => client.destroy(),
  }
}
