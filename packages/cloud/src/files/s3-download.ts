import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { GetObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { newId } from '@plantroom/base/ids'
import { explainWrite, gone, replaced } from './file-store.ts'
import type { FileKey } from './keys.ts'
import { explainS3, isMissing } from './s3-requests.ts'

const PART_BYTES = 16 * 1024 * 1024
const MAX_PARALLEL = 4

export interface Download {
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

function explainRead(error: unknown): unknown {
  if (isMissing(error)) return gone()
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  // 416: the current object is shorter than the expected one.
  return status === 412 || status === 416 ? replaced() : explainS3(error)
}
