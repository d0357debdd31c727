import { createReadStream } from 'node:fs'
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import type { FileKey } from './keys.ts'
import { explainS3 } from './s3-errors.ts'

const READ_BYTES = 1024 * 1024

/** One PUT takes 5 GiB, which is more than a package may have. */
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
