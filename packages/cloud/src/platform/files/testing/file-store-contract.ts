import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileStore } from '../file-store.ts'
import { blobKey, exportKey, type FileKey, type PackageKey, packageKey } from '../keys.ts'

interface FileStoreRig {
  files: FileStore
  /** The same files through a server that does not check download signatures. */
  downloads?: FileStore
  /** True for a test server that keeps partial uploads, unlike real services. */
  keepsHalves?: boolean
  passTime(ms: number): Promise<void>
  close(): Promise<void>
}

const HOUR = { expiresInS: 3600 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()

/** The contract of every file store. */
export function fileStoreContract(name: string, open: () => Promise<FileStoreRig>): void {
  describe(`files ${name}`, () => {
    let rig: FileStoreRig
    let files: FileStore
    let downloads: FileStore
    let made = 0
    beforeAll(async () => {
      rig = await open()
      files = rig.files
      downloads = rig.downloads ?? files
    })
    afterAll(() => rig.close())

    const newKey = (filename = `package ${++made}.fpl`): PackageKey => packageKey('org_a', 'site_a', filename)

    async function upload(key: PackageKey, bytes: Uint8Array, headers: Record<string, string> = {}): Promise<number> {
      const url = await files.uploadUrl(key, HOUR)
      const response = await fetch(url, { method: 'PUT', body: Buffer.from(bytes), headers })
      await response.arrayBuffer()
      return response.status
    }
    async function versionOf(key: FileKey): Promise<string> {
      const found = await files.stat(key)
      if (!found) throw new Error('nothing is there')
      return found.version
    }
    const bytesOf = async (key: FileKey) => buffer(await files.read(key))

    test('packages are listed with their sizes and versions, by organization', async () => {
      const listed = async (organizationId?: string) => {
        const found = new Map<string, number>()
        for await (const { key, size, version, storedAt } of files.listPackages(organizationId)) {
          expect([version, storedAt > Date.UTC(2020)]).toEqual([await versionOf(key), true])
          found.set(key, size)
        }
        return found
      }
      const [own, other] = [packageKey('org_list', 'site_a', 'x.fpl'), packageKey('org_list2', 'site_a', 'x.fpl')]
      for (const key of [own, other]) await upload(key, Buffer.from('12345'))
      const path = join(temporaryFolder(), 'export')
      writeFileSync(path, 'export')
      await files.put(exportKey('site_a', 'job_listed'), path)
      expect([...(await listed('org_list'))]).toEqual([[own, 5]])
      expect([...(await listed('org_none'))]).toEqual([])
      const all = await listed()
      expect([all.get(own), all.get(other), all.has('exports/site_a/job_listed')]).toEqual([5, 5, false])
    })

    test.each([
      ['nothing', Buffer.alloc(0)],
      ['a byte', Buffer.from('x')],
      ['megabytes', randomBytes(5_000_001)],
    ])('an upload of %s is stored unchanged', async (_what, bytes) => {
      const key = newKey()
      expect(await upload(key, bytes)).toBe(200)
      expect((await files.stat(key))?.size).toBe(bytes.length)
      expect((await bytesOf(key)).equals(bytes)).toBe(true)
      const path = await files.fetch(key, await versionOf(key), temporaryFolder())
      expect(readFileSync(path).equals(bytes)).toBe(true)
    })

    test.each([
      'with spaces (1).fpl',
      'Hooldustööd õhtul ÄÖÜ.fpl',
      `${'õ'.repeat(251)}.fpl`,
      '../../../etc/passwd.fpl',
      '..',
      'a/b\\c\0d\n.fpl',
      '%2e%2e%2f?x=1&y#z.fpl',
      '__proto__.fpl',
    ])('accepts the name %j and keeps it apart from others', async (filename) => {
      const key = newKey(filename)
      const bytes = Buffer.from(`content of ${filename}`)
      expect(await upload(key, bytes)).toBe(200)
      expect(await bytesOf(key)).toEqual(bytes)
      expect(await files.stat(newKey(`${filename}x`))).toBeUndefined()
      expect(await files.stat(packageKey('org_a', 'site_b', filename))).toBeUndefined()
      expect(await files.stat(packageKey('org_b', 'site_a', filename))).toBeUndefined()
    })

    test.each(['application/json', 'text/html', 'application/x-www-form-urlencoded', 'no type at all'])(
      'takes an upload that calls itself %s',
      async (type) => {
        const key = newKey()
        expect(await upload(key, Buffer.from('{'), { 'content-type': type })).toBe(200)
        expect(await bytesOf(key)).toEqual(Buffer.from('{'))
      },
    )

    test('a second upload to an address replaces the first and has another version', async () => {
      const key = newKey()
      const url = await files.uploadUrl(key, HOUR)
      await fetch(url, { method: 'PUT', body: 'first' })
      const first = await versionOf(key)
      await fetch(url, { method: 'PUT', body: 'other' })
      expect(await versionOf(key)).not.toBe(first)
      expect(await bytesOf(key)).toEqual(Buffer.from('other'))
    })

    test.each([
      ['another file', /[0-9a-f](?=\?)/, (last: string) => (last === '0' ? '1' : '0')],
      ['another site', /site_a/, () => 'site_b'],
      ['another organization', /org_a/, () => 'org_b'],
      ['a later end', /(?<=expires=)\d+/i, (end: string) => String(Number(end) + 3600)],
      ['another signature', /(?<=signature=)./i, (first: string) => (first === 'a' ? 'b' : 'a')],
    ])('an address tampered with is refused: %s', async (_what, part, change) => {
      const key = newKey()
      const url = await files.uploadUrl(key, HOUR)
      const changed = url.replace(part, change)
      expect(changed).not.toBe(url)
      expect((await fetch(changed, { method: 'PUT', body: 'x' })).status).toBe(403)
      expect(await files.stat(key)).toBeUndefined()
    })

    test('an expired address is refused', async () => {
      const key = newKey()
      const url = await files.uploadUrl(key, { expiresInS: 1 })
      await rig.passTime(2000)
      expect((await fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403)
      expect(await files.stat(key)).toBeUndefined()
    })

    test('upload addresses do not download, and download addresses do not upload', async () => {
      const key = newKey()
      await upload(key, Buffer.from('x'))
      const upUrl = await files.uploadUrl(key, HOUR)
      expect((await fetch(upUrl)).ok).toBe(false)
      const blob = await stored(Buffer.from('for download'))
      const downUrl = await files.downloadUrl(blob, { filename: 'a', ...HOUR })
      expect((await fetch(downUrl, { method: 'PUT', body: 'y' })).ok).toBe(false)
      expect(await bytesOf(blob)).toEqual(Buffer.from('for download'))
    })

    test('an interrupted upload leaves nothing behind and keeps the earlier file', async ({ skip }) => {
      if (rig.keepsHalves) skip()
      const key = newKey()
      const cut = async () => {
        const sending = request(await files.uploadUrl(key, HOUR), {
          method: 'PUT',
          headers: { 'content-length': 1_000_000 },
        })
        sending.on('error', () => {})
        sending.write(Buffer.alloc(300_000), () => sending.destroy())
        await new Promise((resolve) => sending.once('close', resolve))
      }
      await cut()
      expect(await files.stat(key)).toBeUndefined()
      await upload(key, Buffer.from('whole'))
      await cut()
      expect(await bytesOf(key)).toEqual(Buffer.from('whole'))
    })

    test('a fetched file does not change with later uploads', async () => {
      const key = newKey()
      await upload(key, Buffer.from('accepted'))
      const path = await files.fetch(key, await versionOf(key), temporaryFolder())
      await upload(key, Buffer.from('replaced'))
      await files.remove(key)
      expect(readFileSync(path, 'utf8')).toBe('accepted')
    })

    test('fetching a replaced file rejects and leaves nothing in the folder', async () => {
      const key = newKey()
      await upload(key, Buffer.from('accepted'))
      const version = await versionOf(key)
      await upload(key, Buffer.from('another one'))
      const folder = temporaryFolder()
      await expect(files.fetch(key, version, folder)).rejects.toMatchObject({
        kind: 'conflict',
        message: expect.stringContaining('was replaced'),
      })
      expect(readdirSync(folder)).toEqual([])
    })

    test('a removed file is reported as gone', async () => {
      const key = newKey()
      await upload(key, Buffer.from('accepted'))
      const version = await versionOf(key)
      await files.remove(key)
      const folder = temporaryFolder()
      const gone = { kind: 'notFound', message: expect.stringContaining('is gone') }
      await expect(files.fetch(key, version, folder)).rejects.toMatchObject(gone)
      await expect(files.read(key)).rejects.toMatchObject(gone)
      expect(await files.stat(key)).toBeUndefined()
      expect(readdirSync(folder)).toEqual([])
    })

    test('remove deletes only the given version and can be repeated', async () => {
      const key = newKey()
      await upload(key, Buffer.from('first'))
      const first = await versionOf(key)
      await upload(key, Buffer.from('second'))
      await files.remove(key, first)
      expect(await bytesOf(key)).toEqual(Buffer.from('second'))
      await files.remove(key, await versionOf(key))
      await files.remove(key)
      expect(await files.stat(key)).toBeUndefined()
    })

    test('removing a site removes its files, and those of no other site', async () => {
      const put = async (key: FileKey) => {
        const path = join(temporaryFolder(), 'file')
        writeFileSync(path, 'content')
        await files.put(key, path)
        return key
      }
      const filesOf = async (siteId: string) => [
        await put(packageKey('org_a', siteId, 'x.fpl')),
        await put(exportKey(siteId, 'job_1')),
        await put(blobKey(siteId, sha256(Buffer.from('content')))),
      ]
      const removed = await filesOf('site_gone')
      const kept = [...(await filesOf('site_gone2')), await put(packageKey('org_b', 'site_gone', 'x.fpl'))]
      await files.removeSite('org_a', 'site_gone')
      for (const key of removed) expect([key, await files.stat(key)]).toEqual([key, undefined])
      for (const key of kept) expect((await files.stat(key))?.size).toBe(7)
      await files.removeSite('org_a', 'site_gone')
    })

    test('put stores an export, replaces an earlier one, and serves it under its name', async () => {
      const key = exportKey('site_a', 'job_1')
      const path = join(temporaryFolder(), 'made.fpl')
      for (const content of ['made before', 'made']) {
        writeFileSync(path, content)
        await files.put(key, path)
      }
      const url = await downloads.downloadUrl(key, {
        filename: 'Hooldustööd 1.fpl',
        contentType: 'application/zip',
        ...HOUR,
      })
      const answer = await fetch(url)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe('made')
      expect(answer.headers.get('content-type')).toBe('application/zip')
      expect(answer.headers.get('content-disposition')).toBe(
        `attachment; filename="Hooldustood 1.fpl"; filename*=UTF-8''Hooldust%C3%B6%C3%B6d%201.fpl`,
      )
    })

    test.each([
      ['text/plain', 'text/plain'],
      ['text/html', 'application/octet-stream'],
      ['text/javascript', 'application/octet-stream'],
      ['text/html\r\nx-evil: 1', 'application/octet-stream'],
      [null, 'application/octet-stream'],
    ])('an attachment of type %j is saved by browsers, never displayed', async (contentType, served) => {
      const key = await stored(Buffer.from('<script>alert(1)</script>'))
      const filename = 'photos/"x"\r\nset-cookie: a=b; .html'
      const answer = await fetch(await downloads.downloadUrl(key, { filename, contentType, ...HOUR }))
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')?.split(';')[0]).toBe(served)
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; /)
      expect(answer.headers.get('set-cookie')).toBeNull()
    })

    test('a range of a file can be downloaded', async () => {
      const key = await stored(Buffer.from('0123456789'))
      const url = await downloads.downloadUrl(key, { filename: 'x', ...HOUR })
      const answer = await fetch(url, { headers: { range: 'bytes=2-4' } })
      expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([
        206,
        'bytes 2-4/10',
        '234',
      ])
    })

    /** Stores one attachment and flushes it. */
    async function stored(bytes: Buffer) {
      const batch = files.openBlobBatch('site_a')
      await batch.add(sha256(bytes), bytes)
      await batch.flush()
      return blobKey('site_a', sha256(bytes))
    }

    describe('a batch of attachments', () => {
      test('is complete after the flush, even when the buffers were reused', async () => {
        const batch = files.openBlobBatch('site_a')
        const shared = Buffer.alloc(1000)
        const hashes: Buffer[] = []
        for (let index = 0; index < 60; index += 1) {
          shared.fill(index)
          hashes.push(sha256(shared))
          await batch.add(sha256(shared), shared)
        }
        const nothing = Buffer.alloc(0)
        await batch.add(sha256(nothing), nothing)
        await batch.flush()
        for (const [index, hash] of hashes.entries()) {
          expect(await bytesOf(blobKey('site_a', hash))).toEqual(Buffer.alloc(1000, index))
        }
        expect((await files.stat(blobKey('site_a', sha256(nothing))))?.size).toBe(0)
      })

      test('accepts the same content twice, in one batch and in a later one', async () => {
        const bytes = randomBytes(500)
        for (let round = 0; round < 2; round += 1) {
          const batch = files.openBlobBatch('site_a')
          await batch.add(sha256(bytes), bytes)
          await batch.add(sha256(bytes), bytes)
          const writer = batch.begin()
          writer.write(bytes)
          await writer.finish(sha256(bytes))
          await batch.flush()
          await batch.flush()
        }
        expect(await bytesOf(blobKey('site_a', sha256(bytes)))).toEqual(bytes)
      })

      test('accepts a large file in chunks, with the hash at the end', async () => {
        const bytes = randomBytes(3_000_000)
        const batch = files.openBlobBatch('site_a')
        const writer = batch.begin()
        for (let from = 0; from < bytes.length; from += 70_000) writer.write(bytes.subarray(from, from + 70_000))
        await writer.finish(sha256(bytes))
        await batch.flush()
        expect((await bytesOf(blobKey('site_a', sha256(bytes)))).equals(bytes)).toBe(true)
      })

      test('leaves nothing of a discarded file', async () => {
        const batch = files.openBlobBatch('site_a')
        const writer = batch.begin()
        writer.write(Buffer.from('half of'))
        writer.discard()
        batch.discard()
        await batch.flush()
        expect(await files.stat(blobKey('site_a', sha256(Buffer.from('half of'))))).toBeUndefined()
      })

      test('belongs to its site only', async () => {
        const bytes = randomBytes(100)
        await stored(bytes)
        expect(await files.stat(blobKey('site_b', sha256(bytes)))).toBeUndefined()
      })
    })
  })
}
