import type { FileHandle } from 'node:fs/promises'
import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import type { UploadFile } from '@plantroom/client/upload'
import { answerTo } from './send-file.ts'

/** A line on which nothing moves for this long is cut, as far as the sender can know. */
const SILENT_MS = 60_000

/** PUTs one part to its address, without a key. */
export async function putPart(url: string, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  const { protocol, host } = new URL(url)
  const request = (protocol === 'https:' ? overHttps : overHttp)(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'content-length': bytes.length },
    signal,
  })
  const answer = answerTo(request, host, SILENT_MS)
  request.end(bytes)
  await answer
}

/** A file for an upload in parts. Reading rejects once the file has changed: parts of two versions are no package. */
export async function partsOf(file: FileHandle, name: string): Promise<UploadFile> {
  const { size, mtimeMs } = await file.stat()
  return {
    name,
    size,
    async read(from, to) {
      const bytes = new Uint8Array(to - from)
      let length = 0
      while (length < bytes.length) {
        const { bytesRead } = await file.read(bytes, length, bytes.length - length, from + length)
        if (bytesRead === 0) break
        length += bytesRead
      }
      const now = await file.stat()
      if (now.size !== size || now.mtimeMs !== mtimeMs) throw new Error('it changed while it was sent')
      return bytes.subarray(0, length)
    },
  }
}
