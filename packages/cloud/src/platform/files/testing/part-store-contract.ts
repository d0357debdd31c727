import { createHash, randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileStore } from '../file-store.ts'
import { packageKey } from '../keys.ts'
import type { PartUpload } from '../part-store.ts'

const HOUR = { expiresInS: 3600 }
export const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A whole part and a short one. */
const BYTES = randomBytes(PART_BYTES + 1000)
export const partOf = (bytes: Uint8Array, number: number) =>
  bytes.subarray((number - 1) * PART_BYTES, number * PART_BYTES)
const SUMS = [1, 2].map((number) => sumOf(partOf(BYTES, number)))

/** The contract of every store about uploads in parts. */
export function partStoreContract(
  name: string,
  open: () => Promise<{ files: FileStore; close(): Promise<void> }>,
): void {
  describe(`parts ${name}`, () => {
    let files: FileStore
    let close: () => Promise<void>
    let made = 0
    beforeAll(async () => {
      const rig = await open()
      files = rig.files
      close = rig.close
    })
    afterAll(() => close())

    async function begin(size = BYTES.length): Promise<PartUpload & { startedAt: Date }> {
      const key = packageKey('org_a', 'site_a', `parts ${++made}.fpl`)
      return { key, size, storeId: await files.parts.begin(key, size), startedAt: new Date() }
    }
    async function send(
      upload: PartUpload,
      number: number,
      bytes = partOf(BYTES, number),
      from = BYTES,
    ): Promise<number> {
      const url = await files.parts.url(upload, { number, sha256: sumOf(partOf(from, number)) }, HOUR)
      const answer = await fetch(url, { method: 'PUT', body: Buffer.from(bytes) })
      await answer.arrayBuffer()
      return answer.status
    }
    const stored = async (upload: PartUpload) => [...(await files.parts.stored(upload))].toSorted((a, b) => a - b)

    test('sent in any order, twice and at once, become the package, which is invisible before', async () => {
      const upload = await begin()
      expect(await stored(upload)).toEqual([])
      expect(await Promise.all([send(upload, 2), send(upload, 2)])).toEqual([200, 200])
      expect(await stored(upload)).toEqual([2])
      expect(await files.stat(upload.key)).toBeUndefined()
      expect(await send(upload, 1)).toBe(200)
      await files.parts.finish(upload, SUMS)
      expect((await files.stat(upload.key))?.size).toBe(BYTES.length)
      expect((await buffer(await files.read(upload.key))).equals(BYTES)).toBe(true)
      await files.parts.finish(upload, SUMS)
      expect(await stored(upload)).toEqual([])
      expect([403, 404]).toContain(await send(upload, 2))
      expect((await buffer(await files.read(upload.key))).equals(BYTES)).toBe(true)
    })

    test('replace an earlier package only when they are complete', async () => {
      const upload = await begin(1000)
      const bytes = BYTES.subarray(0, 1000)
      await fetch(await files.uploadUrl(upload.key, HOUR), { method: 'PUT', body: 'earlier' })
      expect(await send(upload, 1, bytes, bytes)).toBe(200)
      expect(await buffer(await files.read(upload.key))).toEqual(Buffer.from('earlier'))
      await files.parts.finish(upload, [sumOf(bytes)])
      expect((await files.stat(upload.key))?.size).toBe(1000)
    })

    test.each([
      ['too many bytes', Buffer.alloc(1001)],
      ['too few bytes', Buffer.alloc(999)],
    ])('with %s are not stored, and the upload cannot be finished', async (_what, bytes) => {
      const upload = await begin()
      await send(upload, 2, bytes)
      expect(await send(upload, 1)).toBe(200)
      expect(await stored(upload)).toEqual([1])
      await expect(files.parts.finish(upload, SUMS)).rejects.toMatchObject({ kind: 'notFound' })
      expect(await files.stat(upload.key)).toBeUndefined()
    })

    test('are gone after an abort, which can be repeated', async () => {
      const upload = await begin()
      await send(upload, 2)
      await files.parts.abort(upload)
      await files.parts.abort(upload)
      expect(await stored(upload)).toEqual([])
      expect(await send(upload, 2)).toBe(404)
      await expect(files.parts.finish(upload, SUMS)).rejects.toMatchObject({ kind: 'notFound' })
    })

    test('are listed while they are unfinished, those begun before a time', async () => {
      const upload = await begin()
      const listed = async (before: Date) => {
        const ids: string[] = []
        for await (const { key, storeId } of files.parts.list(before)) if (key === upload.key) ids.push(storeId)
        return ids
      }
      expect(await listed(new Date(Date.now() + 60_000))).toEqual([upload.storeId])
      expect(await listed(new Date(Date.now() - 60_000))).toEqual([])
      await files.parts.abort(upload)
      expect(await listed(new Date(Date.now() + 60_000))).toEqual([])
    })

    test.each([
      ['another part', /\/2\?|partNumber=2/, (text: string) => text.replace('2', '1')],
      ['the whole file', /\/parts_[^?]*|&uploadId=[^&]*|&partNumber=\d/gi, () => ''],
      ['another organization', /org_a/, () => 'org_b'],
    ])('have addresses that give no right to %s', async (_what, pattern, change) => {
      const upload = await begin()
      const url = await files.parts.url(upload, { number: 2, sha256: SUMS[1] ?? '' }, HOUR)
      const changed = url.replace(pattern, change)
      expect(changed).not.toBe(url)
      expect((await fetch(changed, { method: 'PUT', body: Buffer.from(partOf(BYTES, 2)) })).status).toBe(403)
      expect((await fetch(url)).ok).toBe(false)
      expect((await fetch(url, { method: 'DELETE' })).ok).toBe(false)
      expect(await stored(upload)).toEqual([])
      expect(await files.stat(upload.key)).toBeUndefined()
    })
  })
}
