import { ApiError } from '@plantroom/client/http'
import { uploadInParts } from '@plantroom/client/upload'
import { PART_BYTES, type UploadPurpose } from '@plantroom/contract/uploads'
import { api } from '../../api/service.ts'
import { ownAddress, sendFile, UploadError } from '../../parts/send-file.ts'
import { sha256Of } from './sha256.ts'
import type { SendOptions, UploadedFile } from './uploads.ts'

/** A line on which nothing moves for this long is cut, as far as the sender can know. */
const SILENT_MS = 45_000

export interface SiteIds {
  orgId: string
  propertyId: string
}

/**
 * Uploads a package or a file of an export: a small one with one PUT, others in parts that continue after a cut. Returns the
 * id of the upload, by which a conversion knows the file. A package is known by its name.
 */
export async function sendUpload(
  site: SiteIds,
  { file, name }: UploadedFile,
  purpose: UploadPurpose,
  options: SendOptions,
): Promise<string> {
  if (file.size <= PART_BYTES) return sendWhole(await addressFor(site, name, purpose), file, options)
  return uploadInParts(
    {
      purpose,
      name,
      size: file.size,
      read: async (from, to) => new Uint8Array(await file.slice(from, to).arrayBuffer()),
    },
    {
      client: api,
      site,
      sha256: sha256Of,
      put: (url, bytes, signal) => putPart(url, new Blob([bytes]), signal),
      wait: waitForConnection,
      ...options,
    },
  )
}

interface Address {
  uploadId: string
  url: string
}

async function addressFor(site: SiteIds, filename: string, purpose: UploadPurpose): Promise<Address> {
  if (purpose === 'conversion') return api.getSourceUploadUrl({ ...site, query: { filename } })
  return { uploadId: '', ...(await api.getUploadUrl({ ...site, query: { filename } })) }
}

async function sendWhole({ uploadId, url }: Address, file: File, { signal, onProgress }: SendOptions): Promise<string> {
  signal.throwIfAborted()
  const sending = sendFile(ownAddress(url), file, (done) => onProgress({ stage: 'sending', done, total: file.size }))
  signal.addEventListener('abort', sending.cancel)
  await sending.done
  return uploadId
}

/** PUTs a part. Aborts it when nothing moves, which a browser does not notice for minutes. */
async function putPart(url: string, part: Blob, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  let timer: ReturnType<typeof setTimeout> | undefined
  const sending = sendFile(ownAddress(url), part, () => moved())
  const moved = () => {
    clearTimeout(timer)
    timer = setTimeout(sending.cancel, SILENT_MS)
  }
  moved()
  signal.addEventListener('abort', sending.cancel)
  try {
    await sending.done
  } catch (error) {
    if (!(error instanceof UploadError) || error.status === undefined) throw error
    throw new ApiError(error.status, { message: error.message })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', sending.cancel)
  }
}

/** Waits, but not longer than until the browser is online again. */
function waitForConnection(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController()
    const end = (settle: () => void) => () => {
      clearTimeout(timer)
      over.abort()
      settle()
    }
    const timer = setTimeout(end(resolve), ms)
    window.addEventListener('online', end(resolve), { signal: over.signal })
    signal.addEventListener(
      'abort',
      end(() => reject(signal.reason)),
      { signal: over.signal },
    )
  })
}
