import { readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { blobKey, packageKey } from './keys.ts'
import { receiveFile } from './receive-file.ts'
import { openDiskRig } from './testing/disk-rig.ts'

const KEY = packageKey('org_a', 'site_a', 'tickets.fpl')

async function rigWith(options: Parameters<typeof openDiskRig>[1] = {}) {
  const rig = await openDiskRig(temporaryFolder(), options)
  onTestFinished(() => rig.close())
  return { ...rig, url: await rig.files.uploadUrl(KEY, { expiresInS: 3600 }) }
}

/** Sends exactly these headers and bytes and returns the status line of the answer. */
async function sendRaw(url: string, headers: string, body = ''): Promise<string> {
  const { hostname, port, pathname, search } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.write(`PUT ${pathname}${search} HTTP/1.1\r\nhost: x\r\n${headers}\r\n\r\n${body}`)
  const answer = await new Promise<string>((resolve, reject) => {
    socket.once('data', (bytes) => resolve(bytes.toString()))
    socket.once('close', () => resolve('closed')).once('error', reject)
  })
  socket.destroy()
  return answer
}

const unfinished = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('tmp_'))

describe('an upload to disk is refused', () => {
  test('with 411 without Content-Length', async () => {
    const { url, files } = await rigWith()
    expect(await sendRaw(url, 'transfer-encoding: chunked', '1\r\nx\r\n0\r\n\r\n')).toMatch(/^HTTP\/1.1 411 /)
    expect(await sendRaw(url, 'x: y')).toMatch(/^HTTP\/1.1 411 /)
    expect(await files.stat(KEY)).toBeUndefined()
  })

  test('with 413 above 5 GB, before any byte is sent', async () => {
    const { url } = await rigWith({ freeBytes: async () => 1e15 })
    expect(await sendRaw(url, 'content-length: 5000000001')).toMatch(/^HTTP\/1.1 413 .*"code":"TOO_LARGE"/s)
  })

  test('with 507 when the disk is too full', async () => {
    const { url, files } = await rigWith({ freeBytes: async () => 300 * 1024 * 1024 })
    expect(await sendRaw(url, 'content-length: 50000000')).toMatch(/^HTTP\/1.1 507 .*"code":"DISK_FULL"/s)
    expect((await fetch(url, { method: 'PUT', body: 'small' })).status).toBe(200)
    expect((await files.stat(KEY))?.size).toBe(5)
  })

  test('with 507 when uploads that are under way leave no room, until they end', async () => {
    const { url, files, scratch } = await rigWith({ freeBytes: async () => 356 * 1024 * 1024 })
    const other = await files.uploadUrl(packageKey('org_b', 'site_b', 'theirs.fpl'), { expiresInS: 3600 })
    const size = 60 * 1024 * 1024
    const slow = request(url, { method: 'PUT', headers: { 'content-length': size } })
    slow.on('error', () => {})
    slow.write('x')
    await eventually(() => expect(unfinished(scratch.folder)).toHaveLength(1))
    expect(await sendRaw(other, `content-length: ${size}`)).toMatch(/^HTTP\/1.1 507 .*retry-after: 600/is)
    slow.destroy()
    await eventually(() => expect(unfinished(scratch.folder)).toEqual([]))
    expect((await fetch(other, { method: 'PUT', body: Buffer.alloc(size) })).status).toBe(200)
  })

  test('with 507 when its organization has no room left, while another has', async () => {
    const { url, files } = await rigWith({ maxPackageBytes: 10 })
    expect((await fetch(url, { method: 'PUT', body: '12345678' })).status).toBe(200)
    const second = await files.uploadUrl(packageKey('org_a', 'site_b', 'more.fpl'), { expiresInS: 3600 })
    const refused = await fetch(second, { method: 'PUT', body: '123' })
    expect(refused.status).toBe(507)
    expect(await refused.json()).toMatchObject({
      code: 'DISK_FULL',
      message: expect.stringMatching(/^this organization has reached its limit of 10 bytes of uploaded packages/),
    })
    const theirs = await files.uploadUrl(packageKey('org_b', 'site_c', 'theirs.fpl'), { expiresInS: 3600 })
    expect((await fetch(theirs, { method: 'PUT', body: '123' })).status).toBe(200)
  })

  test('and its connection is closed when it keeps sending', async () => {
    const clock = createManualClock()
    const { url } = await rigWith({ clock, freeBytes: async () => 0 })
    const sending = request(url, { method: 'PUT', headers: { 'content-length': 1e9 } })
    const closed = new Promise((resolve) => sending.on('error', resolve).on('close', resolve))
    sending.write('x')
    await new Promise((resolve) => sending.once('response', resolve))
    await eventually(() => expect(clock.waiting()).toContain(10_000))
    await clock.advance(10_000)
    await closed
  })
})

describe('an upload that stalls', () => {
  test('is cut off after a minute with 408 and leaves nothing behind', async () => {
    const clock = createManualClock()
    const { url, files, scratch } = await rigWith({ clock })
    const sending = request(url, { method: 'PUT', headers: { 'content-length': 1e6 } })
    sending.on('error', () => {})
    sending.write(Buffer.alloc(200_000))
    const status = new Promise((resolve) => sending.once('response', (answer) => resolve(answer.statusCode)))
    await eventually(() => expect(unfinished(scratch.folder)).toHaveLength(1))
    await eventually(async () => {
      await clock.advance(60_000)
      await clock.advance(60_000)
      expect(unfinished(scratch.folder)).toEqual([])
    })
    expect(await status).toBe(408)
    expect(await files.stat(KEY)).toBeUndefined()
    sending.destroy()
  })
})

describe('a service that stops', () => {
  test('aborts uploads and keeps nothing of them', async () => {
    const rig = await openDiskRig(temporaryFolder())
    const sending = request(await rig.files.uploadUrl(KEY, { expiresInS: 60 }), {
      method: 'PUT',
      headers: { 'content-length': 1e6 },
    })
    const cut = new Promise((resolve) => sending.once('error', resolve))
    sending.write('x')
    await eventually(() => expect(unfinished(rig.scratch.folder)).toHaveLength(1))
    await rig.app.close()
    await cut
    await eventually(() => expect(unfinished(rig.scratch.folder)).toEqual([]))
    expect(await rig.files.stat(KEY)).toBeUndefined()
    await rig.scratch.close()
  })
})

describe('receiveFile', () => {
  test('reports a full disk and leaves the connection open for the answer', async () => {
    const file = await open('/dev/full', 'w')
    const source = new PassThrough()
    source.write(Buffer.alloc(100_000))
    await expect(receiveFile(source, file, createManualClock())).rejects.toThrow('the disk is full')
    expect(source.destroyed).toBe(false)
    await file.close()
  })

  test('accepts uploads of more than an hour that keep sending', async () => {
    const clock = createManualClock()
    const folder = temporaryFolder()
    const file = await open(`${folder}/x`, 'wx')
    const source = new PassThrough()
    const received = receiveFile(source, file, clock)
    for (let minute = 0; minute < 70; minute += 1) {
      source.write(Buffer.alloc(65_536))
      await eventually(() => expect(source.readableLength).toBe(0))
      await clock.advance(60_000)
    }
    source.end()
    await received
    expect((await file.stat()).size).toBe(70 * 65_536)
    await file.close()
    expect(clock.waiting()).toEqual([])
  })
})

describe('a download from disk', () => {
  async function blobWith(content: string) {
    const rig = await rigWith()
    const hash = Buffer.alloc(32, 7)
    const batch = rig.files.openBlobBatch('site_a')
    await batch.add(hash, Buffer.from(content))
    await batch.flush()
    const key = blobKey('site_a', hash)
    return rig.files.downloadUrl(key, { filename: 'a.html', contentType: 'text/html', expiresInS: 60 })
  }

  test('is never displayed by a browser, nor cached', async () => {
    const { headers } = await fetch(await blobWith('<script>'))
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('content-disposition')).toMatch(/^attachment;/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('cache-control')).toContain('no-store')
  })

  test.each([
    ['bytes=0-0', 206, '0'],
    ['bytes=7-', 206, '789'],
    ['bytes=-3', 206, '789'],
    ['bytes=5-100', 206, '56789'],
    ['bytes=10-', 416, ''],
    ['bytes=0-1,4-5', 200, '0123456789'],
    ['bytes=5-2', 200, '0123456789'],
    ['lines=1-2', 200, '0123456789'],
  ])('with range %s is answered with %i', async (range, status, body) => {
    const answer = await fetch(await blobWith('0123456789'), { headers: { range } })
    expect([answer.status, await answer.text()]).toEqual([status, body])
  })

  test('answers HEAD with the size', async () => {
    const answer = await fetch(await blobWith('0123456789'), { method: 'HEAD' })
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, '10'])
  })

  test.each(['filename=b.html', 'type=text%2Fplain'])(
    'is refused when the address was tampered with: %s',
    async (part) => {
      const [name] = part.split('=')
      const url = (await blobWith('x')).replace(new RegExp(`${name}=[^&]*`), part)
      expect((await fetch(url)).status).toBe(403)
    },
  )
})
