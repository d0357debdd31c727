import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListParts,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { partRange } from '@plantroom/contract/uploads'
import { gone } from './file-store.ts'
import { packagesFolder, readPackageKey } from './keys.ts'
import { allNumbers, type PartStore, type PartUpload } from './part-store.ts'
import { explainS3, isMissing } from './s3-objects.ts'

/** A bucket's clock may differ from ours. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

/** Sends parts straight to the bucket, as its own multipart uploads. The bucket flushes and checks what it answers. */
export function openS3Parts(client: S3Client, Bucket: string): PartStore {
  const addressOf = ({ key, storeId }: Pick<PartUpload, 'key' | 'storeId'>) => ({ Bucket, Key: key, UploadId: storeId })

  /** The parts with the right size, by number. Anyone with an address can send more or less than the part. */
  async function etagsOf(upload: PartUpload): Promise<Map<number, string>> {
    const etags = new Map<number, string>()
    for await (const { Parts = [] } of paginateListParts({ client }, addressOf(upload))) {
      for (const { PartNumber = 0, Size, ETag } of Parts) {
        if (ETag !== undefined && Size === partRange(upload.size, PartNumber).size) etags.set(PartNumber, ETag)
      }
    }
    return etags
  }

  return {
    async begin(key) {
      const { UploadId } = await client
        .send(new CreateMultipartUploadCommand({ Bucket, Key: key }))
        .catch(explainAndThrow)
      if (UploadId === undefined) throw new Error('the bucket gave an upload no id')
      return UploadId
    },

    url: (upload, { number }, { expiresInS }) =>
      getSignedUrl(client, new UploadPartCommand({ ...addressOf(upload), PartNumber: number }), {
        expiresIn: expiresInS,
      }),

    async stored(upload) {
      try {
        return new Set((await etagsOf(upload)).keys())
      } catch (error) {
        if (isGone(error)) return new Set()
        throw explainS3(error)
      }
    },

    async finish(upload) {
      try {
        const etags = await etagsOf(upload)
        const Parts = allNumbers(upload.size).map((PartNumber) => ({ PartNumber, ETag: etags.get(PartNumber) }))
        if (Parts.some(({ ETag }) => ETag === undefined)) throw gone()
        await client.send(new CompleteMultipartUploadCommand({ ...addressOf(upload), MultipartUpload: { Parts } }))
      } catch (error) {
        if (!isGone(error)) throw explainS3(error)
        await requireFinished(client, Bucket, upload)
      }
    },

    async abort(upload) {
      await client.send(new AbortMultipartUploadCommand(addressOf(upload))).catch((error) => {
        if (!isGone(error)) throw explainS3(error)
      })
    },

    list: (before) => listUploads(client, Bucket, before),
  }
}

/** Throws `notFound` unless the bucket completed the upload for a process that could not say so any more. */
async function requireFinished(
  client: S3Client,
  Bucket: string,
  { key, size, startedAt }: PartUpload & { startedAt: Date },
): Promise<void> {
  try {
    const { ContentLength, LastModified } = await client.send(new HeadObjectCommand({ Bucket, Key: key }))
    const isNewer = (LastModified?.getTime() ?? 0) >= startedAt.getTime() - CLOCK_TOLERANCE_MS
    if (ContentLength === size && isNewer) return
  } catch (error) {
    if (!isMissing(error)) throw explainS3(error)
  }
  throw gone()
}

async function* listUploads(
  client: S3Client,
  Bucket: string,
  before: Date,
): AsyncGenerator<Pick<PartUpload, 'key' | 'storeId'>> {
  let marker: { KeyMarker?: string | undefined; UploadIdMarker?: string | undefined } | undefined = {}
  while (marker) {
    const page: ListMultipartUploadsCommand = new ListMultipartUploadsCommand({
      Bucket,
      Prefix: `${packagesFolder()}/`,
      ...marker,
    })
    const {
      Uploads = [],
      IsTruncated,
      NextKeyMarker,
      NextUploadIdMarker,
    } = await client.send(page).catch(explainAndThrow)
    for (const { Key = '', UploadId, Initiated } of Uploads) {
      const key = readPackageKey(Key)
      if (key && UploadId !== undefined && Initiated && Initiated < before) yield { key, storeId: UploadId }
    }
    marker = IsTruncated ? { KeyMarker: NextKeyMarker, UploadIdMarker: NextUploadIdMarker } : undefined
  }
}

/** True when the bucket does not know the upload: it was completed, aborted or has expired. */
const isGone = (error: unknown) =>
  error instanceof S3ServiceException && (error.name === 'NoSuchUpload' || isMissing(error))

function explainAndThrow(error: unknown): never {
  throw explainS3(error)
}
