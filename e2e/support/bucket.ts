import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { startS3 } from '@plantroom/cloud/files/testing/s3-server'
import type { Settings } from './environment.ts'
import { ownFolder } from './folder.ts'
import type { PackageSite } from './package-service.ts'
import { sha256, treeOf } from './site-audit.ts'

/** An S3 bucket for the processes of a test, with direct access to its contents. */
export interface Bucket extends AsyncDisposable {
  readonly endpoint: string
  /** Settings of a cloud and its workers that store their files here. */
  readonly settings: Settings
  /** Fetches the bytes of a download URL. */
  download(url: string): Promise<Buffer>
  /** Returns the site with attachments that are downloaded from the bucket. */
  downloading(site: PackageSite): PackageSite
  keysBelow(prefix: string): string[]
  /** Returns the hashes of the site's files, computed from their bytes. */
  blobsOf(siteId: string): string[]
}

const OBJECT = '._S3rver_object'

export async function startBucket(): Promise<Bucket> {
  await using cleanup = new AsyncDisposableStack()
  const folder = cleanup.use(ownFolder()).path
  const { settings, close } = await startS3(folder)
  cleanup.defer(close)
  // The strict mode encodes ' and * in queries differently, and so refuses downloads whose name has two forms.
  const lenient = await startS3(folder, { allowMismatchedSignatures: true })
  cleanup.defer(lenient.close)
  const { bucket, region, endpoint = '', credentials } = settings

  const allowed = (url: string) => {
    if (!url.startsWith(`${endpoint}/`)) throw new Error(`${url} is not a URL of the bucket`)
    return url.replace(endpoint, lenient.settings.endpoint ?? '')
  }
  function objectsBelow(prefix: string): string[] {
    const below = join(folder, bucket, prefix)
    if (!statSync(below, { throwIfNoEntry: false })) return []
    return treeOf(below).filter((path) => path.endsWith(OBJECT))
  }
  const kept = cleanup.move()
  return {
    endpoint,
    settings: {
      S3_ENDPOINT: endpoint,
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_ACCESS_KEY_ID: credentials?.accessKeyId ?? '',
      S3_SECRET_ACCESS_KEY: credentials?.secretAccessKey ?? '',
    },
    async download(url) {
      const response = await fetch(allowed(url))
      const bytes = Buffer.from(await response.arrayBuffer())
      if (response.status !== 200) throw new Error(`the download failed with ${response.status}: ${bytes}`)
      return bytes
    },
    downloading: (site) => ({
      ...site,
      client: {
        ...site.client,
        getAttachmentUrl: async (input) => ({ url: allowed((await site.client.getAttachmentUrl(input)).url) }),
      },
    }),
    keysBelow: (prefix) =>
      objectsBelow(prefix).map((path) => path.slice(join(folder, bucket).length + 1, -OBJECT.length)),
    blobsOf: (siteId) => objectsBelow(`blobs/${siteId}`).map((path) => sha256(readFileSync(path))),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
