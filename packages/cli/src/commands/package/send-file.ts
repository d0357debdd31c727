import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError } from '@plantroom/client/http'

/** A service that takes nothing and says nothing for so long is not coming back: a disk flushes gigabytes in less. */
const PATIENCE_MS = 10 * 60_000
const CHUNK_BYTES = 1024 * 1024
const LONGEST_WORD = 300

class FileShrank extends Error {}

/** How long the file is. Throws, naming it, where there is none that could be sent. */
export function sizeOfFile(path: string): number {
  const kind = statSync(path, { throwIfNoEntry: false })
  if (!kind) throw new Error(`${path}: there is no such file`)
  if (kind.isDirectory()) throw new Error(`${path}: is a folder, not a file`)
  if (!kind.isFile()) throw new Error(`${path}: is a pipe or a device, not a file`)
  return kind.size
}

/**
 * PUTs a file to a presigned address, without a key and never whole in memory. An answer other than success is an
 * `ApiError`; a file that changes its length on the way is an error, for what arrived would be neither the old nor the new.
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
      done(sent === size ? null : new FileShrank(`${path} became shorter while it was sent: run it again`))
    },
  })

  const { protocol } = new URL(url)
  const request = (protocol === 'https:' ? overHttps : overHttp)(url, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', 'content-length': size },
  })
  const answer = answerTo(request, new URL(url).host)
  // Not unhandled should the file be the one that fails.
  answer.catch(() => {})
  // With `end` given, what is appended meanwhile stays out; without any bytes there is no end to give.
  const source = file.createReadStream({ autoClose: false, highWaterMark: CHUNK_BYTES, end: Math.max(0, size - 1) })
  const sending = size === 0 ? request.end() : pipeline(source, count, request)
  try {
    await sending
  } catch (error) {
    if (error instanceof FileShrank) throw error
    // A service that refuses may close before it has read everything: then its answer says more than the broken pipe.
    await answer
    throw error
  }
  await answer
}

/** Resolves when the service has taken it all. */
function answerTo(request: ClientRequest, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    request.setTimeout(PATIENCE_MS, () => request.destroy(new Error('no answer for ten minutes')))
    request.once('response', (response) => {
      read(response).then(resolve, (error: Error) => {
        reject(error)
        // What is left of the file would be sent for nothing.
        request.destroy()
      })
    })
    request.once('error', (error: NodeJS.ErrnoException) => {
      reject(new Error(`the upload to ${host} broke off (${error.code ?? error.message}): run it again`))
    })
  })
}

async function read(response: IncomingMessage): Promise<void> {
  const { statusCode = 0 } = response
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) if (text.length < LONGEST_WORD * 10) text += chunk
  if (statusCode >= 200 && statusCode < 300) return
  throw new ApiError(statusCode, errorBody(text))
}

/** Ours say what is wrong as JSON, other stores as XML. */
function errorBody(text: string): { message?: string; code?: string } {
  try {
    return JSON.parse(text) as object
  } catch {
    const word = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(text)?.[1]
    const message = word('Message') ?? text.slice(0, LONGEST_WORD)
    const code = word('Code')
    return { message: `the upload was refused: ${message}`, ...(code !== undefined && { code }) }
  }
}
