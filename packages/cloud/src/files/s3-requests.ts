import { createReadStream } from 'node:fs'
import { PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { Failure } from '@plantroom/contract/failure'
import type { FileKey } from './keys.ts'

const READ_BYTES = 1024 * 1024

/** Uploads a file in one PUT, which may have 5 GiB: more than the largest package. */
export async function putFile(
  client: S3Client,
  file: { bucket: string; key: FileKey; path: string; size: number },
): Promise<void> {
  const { bucket: Bucket, key: Key, path, size: ContentLength } = file
  const Body = ContentLength === 0 ? '' : createReadStream(path, { highWaterMark: READ_BYTES })
  await send(client, new PutObjectCommand({ Bucket, Key, Body, ContentLength }))
}

export async function putBytes(
  client: S3Client,
  file: { bucket: string; key: FileKey; bytes: Uint8Array },
): Promise<void> {
  const { bucket: Bucket, key: Key, bytes: Body } = file
  await send(client, new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length }))
}

async function send(client: S3Client, command: PutObjectCommand): Promise<void> {
  await client.send(command).catch((error) => {
    throw explainS3(error)
  })
}

export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket'
}

/** Converts an unexpected error of the bucket into a message for the operator. */
export function explainS3(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error) || error.name === 'AbortError') return error
  const reason = error.message && error.message !== error.name ? `${error.name}, ${error.message}` : error.name
  return new Failure('unavailable', `the bucket of S3_BUCKET cannot be used: ${reason}`)
}
