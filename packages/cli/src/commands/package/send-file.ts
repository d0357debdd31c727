import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@plantroom/client/http'

/** A service that neither reads nor answers for this long is gone: a disk flushes gigabytes in less time. */
const TIMEOUT_MS = 10 * 60_000
const CHUNK_BYTES = 1024 * 1024
const LONGEST_MESSAGE = 300

class FileShrank extends Error {}

/** Returns the size of a file. Throws if the path is not a regular file. */
export function sizeOfFile(path: string): number {
  const kind = statSync(path, { throwIfNoEntry: false })
  if (!kind) throw new Error(`${path}: the file does not exist`)
  if (kind.isDirectory()) throw new Error(`${path} is a folder, not a file`)
  if (!kind.isFile()) throw new Error(`${path} is a pipe or a device, not a file`)
  return kind.size
}

/**
 * PUTs a file to a presigned address, without a key and without loading it into memory. Throws an `ApiError` if the
 * service rejects it, and an error if the file shrinks: the service would get a mix of old and new content.
 */
export async function sendFile(
  path: string,
  url: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  const size = sizeOfFile(path)
  await using file = await open(path, 'r')
  let sent = 0
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length
      onProgress(sent, size)
      done(null, chunk)
    },
    flush(done) {
      done(sent === size ? null : new FileShrank(`${path} became shorter while it was sent; run the command again`))
    },
  })

  const { protocol } = new URL(url)
  const request = (protocol === 'https:' ? overHttps : overHttp)(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'content-length': size },
  })
  const answer = answerTo(request, new URL(url).host)
  // Avoids an unhandled rejection if reading the file fails first.
  answer.catch(() => {})
  // `end` excludes bytes that are appended while sending. An empty file has no valid `end`.
  const source = file.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES, end: Math.max(0, size - 1) })
  const sending = size === 0 ? request.end() : pipeline(source, count, request)
  try {
    await sending
  } catch (error) {
    if (error instanceof FileShrank) throw error
    // A service that rejects the upload may close the connection early. Its answer explains more than the broken pipe.
    await answer
    throw error
  }
  await answer
}

/** Resolves when the service has accepted the whole file. */
export function answerTo(request: ClientRequest, host: string, timeoutMs = TIMEOUT_MS): Promise<void> {
  return new Promise((resolve, reject) => {
    request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer for ${timeoutMs / 1000} s`)))
    request.once('response', (response) => {
      read(response).then(resolve, (error: Error) => {
        reject(error)
        // Stop sending the rest of a rejected file.
        request.destroy()
      })
    })
    request.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(`the upload to ${host} failed (${error.code ?? error.message}); run the command again`))
    })
  })
}

async function read(response: IncomingMessage): Promise<void> {
  const { statusCode = 0 } = response
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) if (text.length < LONGEST_MESSAGE * 10) text += chunk
  if (statusCode >= 200 && statusCode < 300) return
  throw new ApiError(statusCode, errorBody(text))
}

/** Parses an error: JSON from Plantroom, XML from other stores. */
function errorBody(text: string): { message?: string; code?: string } {
  try {
    return JSON.parse(text) as object
  } catch {
    const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? text.slice(0, LONGEST_MESSAGE)
    const code = /<Code>([^<]*)<\/Code>/.exec(text)?.[1]
    return { message: `the upload was rejected: ${message}`, ...(code !== undefined && { code }) }
  }
}
