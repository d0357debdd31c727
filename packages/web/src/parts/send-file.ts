import { format } from '../texts/format.ts'
import { packages } from '../texts/packages.ts'
import { capitalized } from './value.ts'

/** An upload in progress. */
export interface Sending {
  done: Promise<void>
  cancel(): void
}

/** Sends a file to a presigned address. It may be on another host, so the session is not sent along. */
export type SendFile = (url: string, file: Blob, onProgress: (bytes: number) => void) => Sending

/** Uses XMLHttpRequest because `fetch` reports no upload progress. Rejects with an `UploadError`. */
export const sendFile: SendFile = (url, file, onProgress) => {
  const request = new XMLHttpRequest()
  const done = new Promise<void>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(new UploadError(describeAnswer(request), request.status))
    })
    request.addEventListener('error', () => reject(new UploadError(packages.upload.cutOff)))
    request.addEventListener('abort', () => reject(new UploadCancelled()))
    request.open('PUT', url)
    request.withCredentials = false
    request.send(file)
  })
  return { done, cancel: () => request.abort() }
}

/** Why an upload failed; the message is for people. */
export class UploadError extends Error {
  /** What the store answered; undefined when no answer arrived. */
  readonly status: number | undefined

  constructor(message: string, status?: number) {
    super(message)
    this.status = status
  }
}
export class UploadCancelled extends Error {}

/** Plantroom's own store answers in JSON, a bucket in XML. Its hints for programs are replaced by the console's texts. */
function describeAnswer({ status, responseText }: XMLHttpRequest): string {
  if (status === 408) return packages.upload.timedOut
  if (status === 507) return packages.upload.noRoom
  try {
    const { message } = JSON.parse(responseText) as { message?: unknown }
    if (typeof message === 'string') return capitalized(message)
  } catch {
    // Not JSON, so not meant for people.
  }
  return format(packages.upload.refused, { status: String(status) })
}

/**
 * Makes an upload address of this service relative, because the page may be open under another name of the host. The
 * address of a bucket, recognized by its signature, stays unchanged.
 */
export function ownAddress(address: string): string {
  const { pathname, search, searchParams } = new URL(address)
  return pathname.startsWith('/uploads/') && !searchParams.has('X-Amz-Signature') ? pathname + search : address
}
