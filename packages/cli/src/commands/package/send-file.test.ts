import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { ApiError } from '@plantroom/client/http'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sendFile, sizeOfFile } from './send-file.ts'

async function listen(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/uploads/1?signature=x`
}

function fileOf(size: number): string {
  const path = join(temporaryFolder(), 'site.fpl')
  writeFileSync(path, Buffer.alloc(size, 'plantroom'))
  return path
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const quiet = () => {}

describe('an uploaded file', () => {
  test.each([0, 1, 3_000_000])('arrives unchanged, with its length and without a key: %d bytes', async (size) => {
    let taken: object | undefined
    const url = await listen(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      taken = { method: request.method, path: request.url, hash: hash(Buffer.concat(chunks)), headers: request.headers }
      response.end()
    })
    const progress: [number, number][] = []
    await sendFile(fileOf(size), url, (done, total) => progress.push([done, total]))
    expect(taken).toMatchObject({
      method: 'PUT',
      path: '/uploads/1?signature=x',
      hash: hash(Buffer.alloc(size, 'plantroom')),
      headers: { 'content-length': String(size) },
    })
    expect(taken).not.toHaveProperty('headers.x-api-key')
    expect(taken).not.toHaveProperty('headers.transfer-encoding')
    if (size > 0) expect(progress.at(-1)).toEqual([size, size])
    expect(progress.map(([done]) => done)).toEqual(progress.map(([done]) => done).toSorted((a, b) => a - b))
  })

  test('fails with the message of the service, without being sent to its end', async () => {
    const url = await listen((_request, response) => {
      response.writeHead(413, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ message: 'a package has at most 5 bytes', code: 'TOO_LARGE' }))
    })
    const error = await sendFile(fileOf(50_000_000), url, quiet).catch((caught) => caught)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 413, code: 'TOO_LARGE', message: 'a package has at most 5 bytes' })
  })

  test.each([
    [
      '<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>',
      'AccessDenied',
      'Request has expired',
    ],
    ['Forbidden', 'UNKNOWN', 'Forbidden'],
  ])('fails with the message of another store: %s', async (text, code, words) => {
    const url = await listen((request, response) => {
      request.resume().once('end', () => response.writeHead(403).end(text))
    })
    await expect(sendFile(fileOf(10), url, quiet)).rejects.toMatchObject({
      status: 403,
      code,
      message: `the upload was rejected: ${words}`,
    })
  })

  test('fails with advice when the connection is lost', async () => {
    const url = await listen((request) => request.once('data', () => request.destroy()))
    await expect(sendFile(fileOf(30_000_000), url, quiet)).rejects.toThrow(
      /^the upload to 127\.0\.0\.1:\d+ failed .+; run the command again$/,
    )
    await expect(sendFile(fileOf(1), 'http://127.0.0.1:9/', quiet)).rejects.toThrow('failed (ECONNREFUSED)')
  })

  test('must not shrink while it is sent; appended bytes are ignored', async () => {
    let length = 0
    const url = await listen(async (request, response) => {
      length = 0
      try {
        for await (const chunk of request) length += chunk.length
        response.end()
      } catch {
        // The sender aborted the request.
      }
    })
    const longer = fileOf(20_000_000)
    await sendFile(longer, url, (done) => {
      if (done < 20_000_000) appendFileSync(longer, 'more')
    })
    expect(length).toBe(20_000_000)

    const shorter = fileOf(20_000_000)
    const sending = sendFile(shorter, url, () => truncateSync(shorter, 5_000_000))
    await expect(sending).rejects.toThrow(`${shorter} became shorter while it was sent; run the command again`)
  })
})

describe('a path that cannot be uploaded', () => {
  test('is rejected before the service is contacted', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'sub'))
    expect(() => sizeOfFile(join(folder, 'none'))).toThrow(`${join(folder, 'none')}: the file does not exist`)
    expect(() => sizeOfFile(join(folder, 'sub'))).toThrow('is a folder, not a file')
    expect(() => sizeOfFile('/dev/zero')).toThrow('is a pipe or a device, not a file')
  })
})
