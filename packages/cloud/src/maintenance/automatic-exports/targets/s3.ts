import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { bucketRequests, type Transport } from '../../../platform/outbound/index.ts'
import { explainNetwork, oneLine } from './explain-network.ts'
import { type SendOptions, type SentFile, type Target, TargetFailure } from './target.ts'

/** 5 GB have 640 parts; a bucket takes 10,000. */
const PART_BYTES = 8 * 1024 * 1024
const ATTEMPTS = 3

interface S3Place {
  endpoint?: string | null | undefined
  region: string
  bucket: string
  prefix?: string | undefined
  accessKeyId: string
  secretAccessKey: string
}

/** A bucket at Amazon or at a service with the same interface. */
export function openS3(place: S3Place, deps: { transport: Transport; group: string; partBytes?: number }): Target {
  const { partBytes = PART_BYTES } = deps
  const { bucket: Bucket, region, prefix = '', accessKeyId, secretAccessKey } = place
  const endpoint = place.endpoint ? new URL(place.endpoint) : undefined
  const host = endpoint?.host ?? 'Amazon S3'
  const client = openClient({ endpoint, region, credentials: { accessKeyId, secretAccessKey } }, deps)
  const keyOf = (name: string) => prefix + name

  async function explained<Result>(signal: AbortSignal, asked: Promise<Result>): Promise<Result> {
    try {
      return await asked
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw explainS3(error, { host, bucket: Bucket, region })
    }
  }

  async function putWhole(Key: string, file: SentFile, { signal, progress }: SendOptions): Promise<void> {
    const source = await file.open()
    const parts: Buffer[] = []
    for await (const part of partsOf(source, partBytes, progress)) parts.push(part)
    const Body = Buffer.concat(parts)
    if (Body.length !== file.size) throw changedFile()
    const command = new PutObjectCommand({ Bucket, Key, Body, ContentLength: Body.length })
    await explained(signal, client.send(command, { abortSignal: signal }))
  }

  async function putParts(Key: string, file: SentFile, { signal, progress }: SendOptions): Promise<void> {
    await abandonUploads(client, { Bucket, Key }, signal)
    const options = { abortSignal: signal }
    const started = await explained(signal, client.send(new CreateMultipartUploadCommand({ Bucket, Key }), options))
    const upload = { Bucket, Key, UploadId: started.UploadId }
    try {
      const Parts: { PartNumber: number; ETag: string | undefined }[] = []
      let sent = 0
      for await (const Body of partsOf(await file.open(), partBytes, progress)) {
        const PartNumber = Parts.length + 1
        const command = new UploadPartCommand({ ...upload, PartNumber, Body, ContentLength: Body.length })
        const { ETag } = await explained(signal, client.send(command, options))
        progress()
        Parts.push({ PartNumber, ETag })
        sent += Body.length
      }
      if (sent !== file.size) throw changedFile()
      const complete = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } })
      await explained(signal, client.send(complete, options))
    } catch (error) {
      // Parts of an upload that never ends cost money.
      if (!signal.aborted) await client.send(new AbortMultipartUploadCommand(upload), options).catch(() => {})
      throw error
    }
  }

  return {
    async put(name, file, options) {
      const { signal } = options
      const Key = keyOf(name)
      await (file.size <= partBytes ? putWhole(Key, file, options) : putParts(Key, file, options))
      const head = new HeadObjectCommand({ Bucket, Key })
      const { ContentLength } = await explained(signal, client.send(head, { abortSignal: signal }))
      if (ContentLength === file.size) return
      throw new TargetFailure(
        `${host} has ${ContentLength} bytes after an upload of ${file.size} bytes that it confirmed: check the service`,
      )
    },

    async read(name, signal) {
      const command = new GetObjectCommand({ Bucket, Key: keyOf(name), Range: 'bytes=0-65535' })
      const { Body } = await explained(signal, client.send(command, { abortSignal: signal }))
      return Buffer.from((await Body?.transformToByteArray()) ?? [])
    },

    async remove(name, signal) {
      const command = new DeleteObjectCommand({ Bucket, Key: keyOf(name) })
      await explained(signal, client.send(command, { abortSignal: signal }))
    },

    close: () => client.destroy(),
  }
}

function openClient(
  place: {
    endpoint: URL | undefined
    region: string
    credentials: { accessKeyId: string; secretAccessKey: string }
  },
  { transport, group }: { transport: Transport; group: string },
): S3Client {
  const { endpoint, region, credentials } = place
  return new S3Client({
    region,
    credentials,
    maxAttempts: ATTEMPTS,
    // Only what the person entered counts, not files or the environment of this machine.
    followRegionRedirects: false,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint && { endpoint: endpoint.href, forcePathStyle: true }),
    expectContinueHeader: false,
    requestHandler: bucketRequests(transport, group),
  })
}

/** Ends uploads of the same object that a worker left behind when it died. Not every service lists them. */
async function abandonUploads(client: S3Client, { Bucket, Key }: { Bucket: string; Key: string }, signal: AbortSignal) {
  try {
    const list = new ListMultipartUploadsCommand({ Bucket, Prefix: Key })
    const { Uploads = [] } = await client.send(list, { abortSignal: signal })
    for (const { Key: found, UploadId } of Uploads) {
      if (found !== Key) continue
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }), { abortSignal: signal })
    }
  } catch {}
}

/** Cuts a stream into buffers of a size; the last one may be shorter. */
async function* partsOf(source: Readable, bytes: number, progress: () => void): AsyncGenerator<Buffer> {
  let part = Buffer.allocUnsafe(bytes)
  let filled = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    progress()
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(part, filled, from)
      filled += copied
      from += copied
      if (filled < bytes) continue
      yield part
      part = Buffer.allocUnsafe(bytes)
      filled = 0
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}

const changedFile = () => new TargetFailure('the package changed while it was sent: it is sent again')

const EXPLAINED: Readonly<Record<string, (about: { bucket: string; region: string }) => string>> = {
  NoSuchBucket: ({ bucket }) => `there is no bucket ${bucket}: create it, or correct its name`,
  InvalidAccessKeyId: () => 'the access key id is unknown: check it, and the endpoint',
  SignatureDoesNotMatch: () => 'the secret access key is wrong',
  AccessDenied: ({ bucket }) =>
    `the key may not do this in the bucket ${bucket}: allow it to put, get and delete objects there`,
  PermanentRedirect: ({ bucket, region }) => `the bucket ${bucket} is not in the region ${region}: correct the region`,
  AuthorizationHeaderMalformed: ({ bucket, region }) =>
    `the bucket ${bucket} is not in the region ${region}: correct the region`,
  RequestTimeTooSkewed: () => 'the clock of this service is wrong: ask the operator to set it',
}

function explainS3(error: unknown, about: { host: string; bucket: string; region: string }): TargetFailure {
  if (!(error instanceof S3ServiceException)) return explainNetwork(causeOf(error), about.host)
  const { name, message, $metadata } = error
  const known = Object.hasOwn(EXPLAINED, name) ? EXPLAINED[name]?.(about) : undefined
  if (known !== undefined) return new TargetFailure(`${about.host}: ${known}`)
  const status = $metadata.httpStatusCode ?? 0
  if (status === 401 || status === 403) return new TargetFailure(`${about.host}: ${EXPLAINED.AccessDenied?.(about)}`)
  if (status >= 300 && status <= 399) {
    return new TargetFailure(
      `${about.host} answered ${status}, a redirect, which is not followed: correct the endpoint`,
    )
  }
  if (status === 507) return new TargetFailure(`${about.host} has no space left`)
  return new TargetFailure(`${about.host} answered ${status}: ${oneLine(`${name}, ${message}`)}`)
}

/** The client wraps errors of the connection. */
const causeOf = (error: unknown) => (error instanceof AggregateError ? (error.errors[0] as unknown) : error)
