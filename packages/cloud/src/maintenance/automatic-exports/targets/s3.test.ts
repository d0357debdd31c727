import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { systemClock } from '@plantroom/base/clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { startS3 } from '../../../platform/files/testing/s3-server.ts'
import { createGuard, createTransport, type Guard, openPlaces } from '../../../platform/outbound/index.ts'
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
