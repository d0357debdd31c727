import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { systemClock } from '@plantroom/base/clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { startS3 } from '../../../platform/files/testing/s3-server.ts'
import {
  createGuard,
  createTransport,
  type Guard,
  openPlaces,
  type Transport,
} from '../../../platform/outbound/index.ts'
import { openS3 } from './s3.ts'
import { testTarget } from './test-target.ts'

const PART = 5 * 1024 * 1024
const signal = new AbortController().signal

const wayOf = (guard: Guard) => ({
  transport: createTransport({ clock: systemClock, places: openPlaces(), guard }),
  group: 'org_a',
})

async function open(changes: { bucket?: string; accessKeyId?: string; secretAccessKey?: string } = {}) {
  const { settings, close } = await startS3(temporaryFolder())
  onTestFinished(close)
  const { endpoint, region, bucket } = settings
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const place = { endpoint, region, bucket, prefix: 'a b/', ...keys, ...changes }
  const target = openS3(place, { ...wayOf(createGuard({ privateNetworks: ['127.0.0.1'] })), partBytes: PART })
  onTestFinished(() => target.close())
  return target
}

/** A file in chunks that fit into no part. */
function fileOf(bytes: Buffer, size = bytes.length) {
  const chunks = Array.from({ length: Math.ceil(bytes.length / 777_777) }, (_, index) =>
    bytes.subarray(index * 777_777, (index + 1) * 777_777),
  )
  return { size, open: async () => Readable.from(chunks) }
}

test('a bucket gets a large file in parts, byte for byte, and a file that ends early not at all', async () => {
  const target = await open()
  const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 251))
  const large = Buffer.alloc(2 * PART + 1234, bytes)
  let moved = 0
  const progress = () => {
    moved += 1
  }
  const options = { signal, attempt: 1, progress }
  await target.put('x.fpl', fileOf(large), options)
  expect((await target.read('x.fpl', signal)).equals(large.subarray(0, 65_536))).toBe(true)
  expect(moved).toBeGreaterThan(10)
  await expect(target.put('y.fpl', fileOf(large, large.length + 1), options)).rejects.toThrow(
    'changed while it was sent',
  )
  await expect(target.read('y.fpl', signal)).rejects.toThrow()
  await target.remove('x.fpl', signal)
  await target.remove('x.fpl', signal)
  await expect(target.read('x.fpl', signal)).rejects.toThrow()
})

test('a bucket is not reached when its name leads to a private address at the moment of the connection', async () => {
  const guard = createGuard({ privateNetworks: [], resolve: async () => ['127.0.0.1'] })
  const place = { endpoint: 'https://files.example', region: 'eu-north-1', bucket: 'files' }
  const target = openS3({ ...place, accessKeyId: 'a', secretAccessKey: 'b' }, wayOf(guard))
  onTestFinished(() => target.close())
  const asked = [target.remove('x', signal), target.read('x', signal)]
  for (const one of asked) await expect(one).rejects.toThrow('does not lead to a public address')
})

test('a server that answers without end is left after the first part', async () => {
  let sent = 0
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(400, { 'content-type': 'application/xml' })
    // Bounded for the case that the client reads it all.
    const write = () => {
      while (sent < 200 && !response.destroyed) {
        sent += 1
        if (!response.write(Buffer.alloc(1_000_000, 'x'))) return void response.once('drain', write)
      }
      response.end()
    }
    write()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const place = { endpoint, region: 'eu-north-1', bucket: 'files', accessKeyId: 'a', secretAccessKey: 'b' }
  const target = openS3(place, wayOf(createGuard({ privateNetworks: ['127.0.0.1'] })))
  expect(await testTarget(target, signal)).toMatchObject({
    ok: false,
    message: expect.stringContaining('sent a longer answer than any server of this kind'),
  })
  expect(sent).toBeLessThan(100)
})

test('a test of a bucket says what is wrong', async () => {
  expect(await testTarget(await open(), signal)).toEqual({ ok: true, failedStep: null, message: null })
  for (const [changes, message] of [
    [{ secretAccessKey: 'wrong' }, 'the secret access key is wrong'],
    [{ accessKeyId: 'other' }, 'the access key id is unknown'],
    [{ bucket: 'none' }, 'there is no bucket none'],
  ] as const) {
    const found = await testTarget(await open(changes), signal)
    expect(found).toMatchObject({ ok: false, failedStep: 'write', message: expect.stringContaining(message) })
  }
})

/** A bucket whose answers the test chooses, with what was asked. */
function answering(
  answer: (what: string) => { status: number; code?: string; headers?: Record<string, string>; text?: string },
  rest: { partBytes?: number } = { partBytes: 4 },
) {
  const asked: string[] = []
  const transport: Transport = {
    async send(url, { method, path = '' }) {
      const what = `${method} ${path || url.pathname + url.search}`
      asked.push(what)
      const { status, code, headers = {}, text } = answer(what)
      const body = text ?? (code ? `<Error><Code>${code}</Code><Message>it\nfailed</Message></Error>` : '')
      return { status, headers: { 'content-type': 'application/xml', ...headers }, body: Buffer.from(body) }
    },
  }
  const place = { endpoint: 'https://s3.example', region: 'eu-north-1', bucket: 'files', prefix: 'a/' }
  const target = openS3({ ...place, accessKeyId: 'a', secretAccessKey: 'b' }, { transport, group: 'org_a', ...rest })
  onTestFinished(() => target.close())
  return { target, asked }
}

test.each([
  ['NoSuchBucket', 404, 'there is no bucket files: create it, or correct its name'],
  ['InvalidAccessKeyId', 403, 'the access key id is unknown: check it, and the endpoint'],
  ['SignatureDoesNotMatch', 403, 'the secret access key is wrong'],
  ['AccessDenied', 403, 'the key may not do this in the bucket files: allow it to put, get and delete objects there'],
  ['PermanentRedirect', 301, 'the bucket files is not in the region eu-north-1: correct the region'],
  ['AuthorizationHeaderMalformed', 400, 'the bucket files is not in the region eu-north-1: correct the region'],
  ['RequestTimeTooSkewed', 403, 'the clock of this service is wrong: ask the operator to set it'],
  ['Other', 401, 'the key may not do this in the bucket files'],
  ['Other', 403, 'the key may not do this in the bucket files'],
])('a bucket that answers %s with %i says what to do', async (code, status, message) => {
  const { target } = answering(() => ({ status, code }))
  await expect(target.remove('x', signal)).rejects.toThrow(`s3.example: ${message}`)
})

test.each([
  [300, 's3.example answered 300, a redirect, which is not followed: correct the endpoint'],
  [399, 's3.example answered 399, a redirect, which is not followed: correct the endpoint'],
  [400, 's3.example answered 400: Other, it failed'],
  [507, 's3.example has no space left'],
])('a bucket that answers %i says so', async (status, message) => {
  const { target } = answering(() => ({ status, code: 'Other' }))
  await expect(target.remove('x', signal)).rejects.toThrow(message)
})

test('a small file is sent as a whole, and its size compared', async () => {
  const { target, asked } = answering((what) => ({
    status: 200,
    headers: what.startsWith('HEAD') ? { 'content-length': '4' } : {},
  }))
  const options = { signal, attempt: 1, progress() {} }
  await target.put('x', fileOf(Buffer.from('abcd')), options)
  expect(asked.map((what) => what.split('?')[0])).toEqual(['PUT /files/a/x', 'HEAD /files/a/x'])
  await expect(target.put('x', fileOf(Buffer.from('abc')), options)).rejects.toThrow(
    's3.example has 4 bytes after an upload of 3 bytes that it confirmed: check the service',
  )
  await expect(target.put('x', fileOf(Buffer.from('abc'), 4), options)).rejects.toThrow(
    'the package changed while it was sent: it is sent again',
  )
})

test('an upload in parts ends those that an earlier worker left, and its own when it fails', async () => {
  const listed = `<ListMultipartUploadsResult>
    <Upload><Key>a/x</Key><UploadId>old</UploadId></Upload><Upload><Key>a/x2</Key><UploadId>other</UploadId></Upload>
  </ListMultipartUploadsResult>`
  const { target, asked } = answering((what) => {
    if (what.startsWith('GET')) return { status: 200, text: listed }
    if (what.startsWith('POST') && what.includes('uploads')) {
      return {
        status: 200,
        text: '<InitiateMultipartUploadResult><UploadId>new</UploadId></InitiateMultipartUploadResult>',
      }
    }
    return what.startsWith('PUT') ? { status: 403, code: 'AccessDenied' } : { status: 204 }
  })
  const putting = target.put('x', fileOf(Buffer.from('abcde')), { signal, attempt: 1, progress() {} })
  await expect(putting).rejects.toThrow('the key may not do this')
  const ended = asked.filter((what) => what.startsWith('DELETE')).map((what) => /uploadId=(\w+)/.exec(what)?.[1])
  expect(ended).toEqual(['old', 'new'])
})

test('a file of 8 MiB is sent as a whole, and a larger one in parts', async () => {
  const firstAsked = async (bytes: number) => {
    const { target, asked } = answering(() => ({ status: 403, code: 'AccessDenied' }), {})
    const file = { size: bytes, open: async () => Readable.from([Buffer.alloc(bytes)]) }
    await expect(target.put('x', file, { signal, attempt: 1, progress() {} })).rejects.toThrow('may not do this')
    return asked[0]?.split('?')[0]
  }
  expect(await firstAsked(8 * 1024 * 1024)).toBe('PUT /files/a/x')
  expect(await firstAsked(8 * 1024 * 1024 + 1)).toMatch(/^GET \/files/)
})
