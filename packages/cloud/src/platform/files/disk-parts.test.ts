import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PART_BYTES } from '@plantroom/contract/uploads'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { packageKey } from './keys.ts'
import type { PartUpload } from './part-store.ts'
import { openDiskRig } from './testing/disk-rig.ts'
import { partOf, partStoreContract, sumOf } from './testing/part-store-contract.ts'

partStoreContract('on disk', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-parts-'))
  const { files, close } = await openDiskRig(folder)
  return {
    files,
    async close() {
      await close()
      rmSync(folder, { recursive: true })
    },
  }
})

const KEY = packageKey('org_a', 'site_a', 'tickets.fpl')
const BYTES = Buffer.alloc(PART_BYTES + 500, 'plantroom')
const SUMS = [1, 2].map((number) => sumOf(partOf(BYTES, number)))

async function rigWith(options: Parameters<typeof openDiskRig>[1] = {}) {
  const folder = temporaryFolder()
  const rig = await openDiskRig(folder, options)
  onTestFinished(() => rig.close())
  const { files } = rig
  const upload = { key: KEY, size: BYTES.length, storeId: await files.parts.begin(KEY, BYTES.length) }
  const urlOf = (number: number) =>
    files.parts.url(upload, { number, sha256: SUMS[number - 1] ?? '' }, { expiresInS: 60 })
  const send = async (number: number, body: Uint8Array = partOf(BYTES, number)) => {
    const answer = await fetch(await urlOf(number), { method: 'PUT', body: Buffer.from(body) })
    return { status: answer.status, text: await answer.text() }
  }
  const stored = async () => [...(await files.parts.stored(upload))]
  return { ...rig, upload, urlOf, send, stored, place: placeOf(folder, upload) }
}

const placeOf = (folder: string, { key, storeId }: Pick<PartUpload, 'key' | 'storeId'>) =>
  join(folder, 'files/parts', ...key.split('/').slice(1), storeId)

describe('a part on disk', () => {
  test('with other bytes is refused and does not touch what is stored', async () => {
    const { send, stored, files, upload } = await rigWith()
    const other = Buffer.alloc(500, 'x')
    expect(await send(2, other)).toMatchObject({ status: 400, text: expect.stringContaining('not those of part 2') })
    expect(await stored()).toEqual([])
    await send(2)
    expect((await send(2, other)).status).toBe(400)
    await send(1)
    await files.parts.finish({ ...upload, startedAt: new Date() }, SUMS)
    const path = await files.fetch(KEY, (await files.stat(KEY))?.version ?? '', temporaryFolder())
    expect(readFileSync(path).equals(BYTES)).toBe(true)
  })

  test('has the version that one PUT of the same bytes has', async () => {
    const { send, files, upload } = await rigWith()
    for (const number of [1, 2]) await send(number)
    await files.parts.finish({ ...upload, startedAt: new Date() }, SUMS)
    const inParts = await files.stat(KEY)
    await fetch(await files.uploadUrl(KEY, { expiresInS: 60 }), { method: 'PUT', body: BYTES })
    expect(await files.stat(KEY)).toEqual(inParts)
  })

  test('that is cut off or stalls leaves nothing behind, and is sent again', async () => {
    const clock = createManualClock()
    const { urlOf, send, stored, scratch } = await rigWith({ clock })
    const unfinished = () => readdirSync(scratch.folder).filter((name) => name.startsWith('tmp_'))
    const sending = async () => {
      const sender = request(await urlOf(1), { method: 'PUT', headers: { 'content-length': PART_BYTES } })
      sender.on('error', () => {})
      sender.write(Buffer.alloc(200_000))
      await eventually(() => expect(unfinished()).toHaveLength(1))
      return sender
    }
    ;(await sending()).destroy()
    await eventually(() => expect(unfinished()).toEqual([]))
    const slow = await sending()
    const answered = new Promise((resolve) => slow.once('response', ({ statusCode }) => resolve(statusCode)))
    await eventually(async () => {
      await clock.advance(60_000)
      expect(unfinished()).toEqual([])
    })
    expect(await answered).toBe(408)
    slow.destroy()
    expect(await stored()).toEqual([])
    expect((await send(1)).status).toBe(200)
    expect(await stored()).toEqual([1])
  })

  test('finds no room on a full disk: 507, until there is', async () => {
    let free = 1e12
    const { send, stored } = await rigWith({ freeBytes: async () => free })
    free = 256 * 1024 * 1024
    expect(await send(1)).toMatchObject({ status: 507, text: expect.stringContaining('too full') })
    free = 1e12
    expect((await send(1)).status).toBe(200)
    expect(await stored()).toEqual([1])
  })
})

describe('an unfinished upload on disk', () => {
  test('counts with its whole size against what its organization may store', async () => {
    const { files } = await rigWith({ maxPackageBytes: BYTES.length + 10 })
    expect(await files.packageBytes('org_a')).toBe(BYTES.length)
    const url = await files.uploadUrl(packageKey('org_a', 'site_b', 'more.fpl'), { expiresInS: 60 })
    expect((await fetch(url, { method: 'PUT', body: 'x'.repeat(11) })).status).toBe(507)
    expect((await fetch(url, { method: 'PUT', body: 'x'.repeat(10) })).status).toBe(200)
  })

  test('keeps the parts before and after a line that a power cut spoiled', async () => {
    const { send, stored, place } = await rigWith()
    await send(1)
    appendFileSync(join(place, 'sums'), `\n2 ${SUMS[1]?.slice(0, 20)}`)
    expect(await stored()).toEqual([1])
    await send(2)
    expect(await stored()).toEqual([1, 2])
  })

  test('that a process had finished but not reported is finished', async () => {
    const { send, files, upload, place } = await rigWith()
    for (const number of [1, 2]) await send(number)
    const sums = readFileSync(join(place, 'sums'))
    const finish = () => files.parts.finish({ ...upload, startedAt: new Date() }, SUMS)
    await finish()
    // As if the process had ended right after it gave the file its name.
    await files.parts.abort(upload)
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, 'sums'), sums)
    await finish()
    expect(statSync(place, { throwIfNoEntry: false })).toBeUndefined()
    await fetch(await files.uploadUrl(KEY, { expiresInS: 60 }), { method: 'PUT', body: 'another package' })
    await expect(finish()).rejects.toMatchObject({ kind: 'notFound' })
    expect((await files.stat(KEY))?.size).toBe(15)
  })
})
