import { packages } from '../../texts/packages.ts'

/** An upload that is under way. */
export interface Sending {
  done: Promise<void>
  cancel(): void
}

/** Sends a file to a presigned address, which may be another host's: nothing of the session goes along. */
export type SendFile = (url: string, file: Blob, onProgress: (bytes: number) => void) => Sending

/** By XMLHttpRequest: `fetch` does not tell how much has gone out. Rejects with an `UploadError`. */
export const sendFile: SendFile = (url, file, onProgress) => {
  const request = new XMLHttpRequest()
  const done = new Promise<void>((resolve, reject) => {
    request.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else reject(new UploadError(saidBy(request)))
    })
    request.addEventListener('error', () => reject(new UploadError(packages.upload.cutOff)))
    request.addEventListener('abort', () => reject(new UploadCancelled()))
    request.open('PUT', url)
    request.withCredentials = false
    request.send(file)
  })
  return { done, cancel: () => request.abort() }
}

/** Why a file did not arrive, for people. */
export class UploadError extends Error {}
export class UploadCancelled extends Error {}

/** Our own disk store answers in words, a bucket in XML. */
function saidBy({ status, responseText }: XMLHttpRequest): string {
  try {
    const { message } = JSON.parse(responseText) as { message?: unknown }
    if (typeof message === 'string') return message
  } catch {
    // Not JSON: nothing that is meant for people.
  }
  return packages.upload.refused(status)
}
