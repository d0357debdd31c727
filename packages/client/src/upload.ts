import { type PackageUpload, partRange, type UploadPurpose } from '@plantroom/contract/uploads'
import type { Client } from './client.ts'
import { ApiError } from './http.ts'

/** Parts that are sent at once: enough to hide the answers, and little to send again after a cut. */
const LANES = 2
/** After a cut that followed progress. Ten such cuts must not cost more than the parts they interrupted. */
const AFTER_PROGRESS_MS = 50
const FIRST_DELAY_MS = 1000
const LONGEST_DELAY_MS = 30_000

/** A file to upload. `read` rejects when the file has changed or cannot be read any more. */
export interface UploadFile {
  readonly purpose?: UploadPurpose
  readonly name: string
  readonly size: number
  read(from: number, to: number): Promise<Uint8Array<ArrayBuffer>>
}

/** What the upload does. Bytes count once the service has confirmed that it stored them. */
export type UploadProgress =
  /** Compares what is stored with the file. */
  | { readonly stage: 'comparing'; readonly done: number; readonly total: number }
  | { readonly stage: 'sending'; readonly done: number; readonly total: number }
  /** The connection is lost; the next attempt begins after `retryMs`. */
  | {
      readonly stage: 'waiting'
      readonly done: number
      readonly total: number
      readonly retryMs: number
      readonly error: Error
    }
  | { readonly stage: 'completing'; readonly done: number; readonly total: number }

export interface UploadDeps {
  readonly client: Pick<Client, 'startUpload' | 'getUpload' | 'offerParts' | 'completeUpload'>
  readonly site: { readonly orgId: string; readonly propertyId: string }
  /** In hexadecimal digits. */
  sha256(bytes: Uint8Array<ArrayBuffer>): string | Promise<string>
  /** PUTs bytes to an address. Rejects with an `ApiError`, or with another error if no answer arrived. */
  put(url: string, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<void>
  /** Waits; may end early when the connection is back. Rejects when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>
  onProgress(progress: UploadProgress): void
  /** Aborting leaves the stored parts for a later upload of the same file. */
  readonly signal: AbortSignal
  /** Gives up after this many attempts without a new part; never if undefined. */
  readonly maxAttempts?: number
}

/** The unfinished upload of this name and size has other bytes. */
export class AnotherFile extends Error {
  readonly uploadId: string

  constructor(name: string, uploadId: string) {
    super(`the unfinished upload of ${name} is of another file`)
    this.name = 'AnotherFile'
    this.uploadId = uploadId
  }
}

/** The file to upload cannot be read. */
export class UnreadableFile extends Error {
  constructor(name: string, cause: unknown) {
    super(`${name} cannot be read any more: was it changed, moved or removed?`, { cause })
    this.name = 'UnreadableFile'
  }
}

/**
 * Uploads a file in parts and makes it available. Continues an unfinished upload of the same name and size, whoever began
 * it, after comparing what is stored. Repeats what a lost connection or a restarted service interrupted. Returns the id of
 * the upload.
 */
export async function uploadInParts(file: UploadFile, deps: UploadDeps): Promise<string> {
  const { signal } = deps
  const run = createRun(file, deps)
  for (let failed = 0; ; ) {
    const before = run.stored()
    try {
      return await run.round()
    } catch (error) {
      signal.throwIfAborted()
      failed = run.stored() > before ? 0 : failed + 1
      if (!isPassing(error) || failed === deps.maxAttempts) throw error
      const retryMs = failed === 0 ? AFTER_PROGRESS_MS : Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (failed - 1))
      deps.onProgress({ stage: 'waiting', done: run.stored(), total: file.size, retryMs, error: error as Error })
      await deps.wait(retryMs, signal)
    }
  }
}

/** True for what another attempt can mend: no answer, or one that the service or a proxy gives while it restarts. */
function isPassing(error: unknown): boolean {
  if (error instanceof AnotherFile || error instanceof UnreadableFile) return false
  if (!(error instanceof ApiError)) return true
  return [408, 425, 500, 502, 503, 504].includes(error.status)
}

function createRun(file: UploadFile, deps: UploadDeps) {
  const { client, site, signal } = deps
  const { purpose = 'import' } = file
  /** Checksums of parts that were compared or sent. */
  const known = new Map<number, string>()
  let stored = 0
  let uploadId: string | undefined

  const read = async (number: number) => {
    const { from, size } = partRange(file.size, number)
    const bytes = await file.read(from, from + size).catch((error: unknown) => {
      throw new UnreadableFile(file.name, error)
    })
    if (bytes.length !== size) throw new UnreadableFile(file.name, `it ends at ${from + bytes.length}`)
    return bytes
  }
  const report = (stage: 'comparing' | 'sending' | 'completing', done = stored) =>
    deps.onProgress({ stage, done, total: file.size })

  async function compare(upload: PackageUpload): Promise<void> {
    let compared = 0
    for (const { number, sha256 } of upload.parts) {
      if (!known.has(number)) {
        report('comparing', compared)
        known.set(number, await deps.sha256(await read(number)))
        signal.throwIfAborted()
      }
      if (known.get(number) !== sha256) throw new AnotherFile(file.name, upload.uploadId)
      compared += partRange(file.size, number).size
    }
    stored = compared
  }

  async function send(upload: PackageUpload, number: number, stop: AbortSignal): Promise<void> {
    const bytes = await read(number)
    const sha256 = known.get(number) ?? (await deps.sha256(bytes))
    known.set(number, sha256)
    stop.throwIfAborted()
    const { parts } = await client
      .offerParts({ ...site, uploadId: upload.uploadId, body: { parts: [{ number, sha256 }] } })
      .catch(async (error: unknown) => {
        if (!isConflict(error)) throw error
        const { completed } = await client.getUpload({ ...site, uploadId: upload.uploadId })
        // Someone else sent the same file: the next round ends.
        throw completed ? new Error('the upload has just been completed') : new AnotherFile(file.name, upload.uploadId)
      })
    await deps.put(parts[0]?.url ?? '', bytes, stop)
    stored += bytes.length
    report('sending')
  }

  async function sendAll(upload: PackageUpload): Promise<void> {
    const there = new Set(upload.parts.map(({ number }) => number))
    const count = Math.ceil(file.size / upload.partBytes)
    const left = Array.from({ length: count }, (_, index) => index + 1).filter((number) => !there.has(number))
    // The other lanes finish their parts, unless the caller wants to stop: what they sent is not lost.
    let failure: { error: unknown } | undefined
    const lane = async () => {
      for (let number = left.shift(); number !== undefined && !failure; number = left.shift()) {
        await send(upload, number, signal).catch((error: unknown) => {
          failure ??= { error }
        })
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    if (failure) throw failure.error
  }

  return {
    stored: () => stored,

    /** Finds out what is stored, sends the rest and completes the upload. */
    async round(): Promise<string> {
      const upload =
        uploadId === undefined
          ? await client.startUpload({ ...site, body: { filename: file.name, size: file.size, purpose } })
          : await client.getUpload({ ...site, uploadId })
      uploadId = upload.uploadId
      signal.throwIfAborted()
      if (upload.completed) return uploadId
      await compare(upload)
      report('sending')
      await sendAll(upload)
      report('completing')
      await client.completeUpload({ ...site, uploadId }).catch((error: unknown) => {
        // A part was not stored after all: the next round sends it.
        throw isConflict(error) ? new Error((error as Error).message) : error
      })
      return uploadId
    },
  }
}

const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409
