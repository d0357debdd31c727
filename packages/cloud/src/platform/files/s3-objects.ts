import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { GetObjectCommand, PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { explainWrite, gone, replaced } from './file-store.ts'
import type { FileKey } from './keys.ts'

const READ_BYTES = 1024 * 1024
const PART_BYTES = 16 * 1024 * 1024
const MAX_PARALLEL = 4

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

interface Download {
  client: S3Client
  bucket: string
  key: FileKey
  size: number
  /** The ETag that every part must have. */
  version: string
  folder: string
  signal: AbortSignal | undefined
}

/** Downloads one version of an object in parallel parts. Removes the file and rejects when the version changed. */
export async function downloadObject(download: Download): Promise<string> {
  const { size, folder, signal } = download
  const path = join(folder, newId('file'))
  const file = await open(path, 'wx', 0o600).catch((error) => {
    throw explainWrite(error)
  })
  const failed = new AbortController()
  const stop = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal
  let next = 0

  async function fetchParts(): Promise<void> {
    // An empty object has no ranges, but its version is checked as well.
    while (next < size || (size === 0 && next === 0)) {
      const from = next
      next = Math.max(1, Math.min(size, from + PART_BYTES))
      await fetchPart(download, file, size === 0 ? undefined : { from, to: next - 1 }, stop)
    }
  }
  try {
    const lanes = Array.from({ length: MAX_PARALLEL }, () =>
      fetchParts().catch((error) => {
        failed.abort(error)
        throw error
      }),
    )
    const results = await Promise.allSettled(lanes)
    const broken = results.find((result) => result.status === 'rejected')
    if (broken) throw signal?.aborted ? signal.reason : failed.signal.reason
    await file.close()
    return path
  } catch (error) {
    await file.close()
    await rm(path, { force: true })
    throw error
  }
}

async function fetchPart(
  { client, bucket, key, version }: Download,
  file: FileHandle,
  range: { from: number; to: number } | undefined,
  signal: AbortSignal,
): Promise<void> {
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    IfMatch: version,
    ...(range && { Range: `bytes=${range.from}-${range.to}` }),
  })
  const { Body, ETag } = await client.send(command, { abortSignal: signal }).catch((error) => {
    throw explainRead(error)
  })
  const body = Body as Readable
  // Some services ignore If-Match.
  if (ETag !== version) {
    body.destroy()
    throw replaced()
  }
  const expected = range ? range.to - range.from + 1 : 0
  let position = range?.from ?? 0
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      signal.throwIfAborted()
      for (let done = 0; done < chunk.length; ) {
        const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done)
        done += bytesWritten
      }
      position += chunk.length
    }
  } catch (error) {
    throw explainS3(explainWrite(error))
  }
  if (position - (range?.from ?? 0) !== expected) throw replaced()
}

/** True when the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404 && error.name !== 'NoSuchBucket'
}

/** Converts an unexpected error of the bucket into a message for the operator. */
export function explainS3(error: unknown): unknown {
  if (error instanceof Failure || !(error instanceof Error) || error.name === 'AbortError') return error
  const reason = error.message && error.message !== error.name ? `${error.name}, ${error.message}` : error.name
  return new Failure('unavailable', `the bucket of S3_BUCKET cannot be used: ${reason}`)
}

function explainRead(error: unknown): unknown {
  if (isMissing(error)) return gone()
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  // 416: the current object is shorter than the expected one.
  return status === 412 || status === 416 ? replaced() : explainS3(error)
}
