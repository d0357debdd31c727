import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { addRequests } from './add-requests.ts'
import { ArchiveRefused, openArchive } from './read-archive.ts'
import { readArchive } from './testing/read-archive.ts'
import { buildZip } from './testing/zip-builder.ts'
import { writePackage } from './write-package.ts'

const ticket = (externalId: string, rest: object = {}) => ({ externalId, title: 'Radiator', state: 'new', ...rest })

async function packageWith(...tickets: object[]): Promise<string> {
  const path = join(temporaryFolder(), 'site.fpl')
  const attachments = [{ path: 'attachments/a.bin', content: [Buffer.alloc(3_000_000, 'xyz')] }]
  await writePackage(path, { schema: 'https://x/s.json', exportedAt: '2026-01-01T00:00:00Z', tickets, attachments })
  return path
}

describe('adding to a package', () => {
  test('keeps what is there, in order', async () => {
    const path = await packageWith(ticket('1', { attachments: [{ path: 'attachments/a.bin' }] }))
    const files = [{ path: 'attachments/b.txt', content: [Buffer.from('b')] }]
    const report = await addRequests(path, {
      tickets: [ticket('2', { attachments: [{ path: 'attachments/b.txt' }] })],
      files,
    })
    expect(report).toMatchObject({ valid: true, tickets: 2, attachments: 2 })
    const archive = await readArchive(readFileSync(path))
    const manifest = JSON.parse(String(archive.get('manifest.json')))
    expect(manifest).toMatchObject({ $schema: 'https://x/s.json', exportedAt: '2026-01-01T00:00:00Z' })
    expect(manifest.tickets.map(({ externalId }: { externalId: string }) => externalId)).toEqual(['1', '2'])
    expect(archive.get('attachments/a.bin')).toEqual(Buffer.alloc(3_000_000, 'xyz'))
  })

  test('changes nothing if the result were invalid', async () => {
    const path = await packageWith(ticket('1'))
    const before = readFileSync(path)
    const report = await addRequests(path, { tickets: [ticket('1'), ticket('2', { state: 'done' })] })
    expect(report.message).toContain(
      'tickets[1] (externalId 1): duplicate externalId; tickets[2].state: done must be one of',
    )
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(existsSync(`${path}.lock`)).toBe(false)
  })

  test('of two commands at once loses nothing: one of them is refused', async () => {
    const path = await packageWith()
    const results = await Promise.allSettled(['1', '2'].map((id) => addRequests(path, { tickets: [ticket(id)] })))
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(String(results.find((result) => result.status === 'rejected')?.reason)).toContain(
      'is being changed by another command',
    )
  })
})

describe('any ZIP file', () => {
  test('can be read file by file, and left early', async () => {
    const path = join(temporaryFolder(), 'a.zip')
    const data = Buffer.alloc(5_000_000, 'abc')
    writeFileSync(
      path,
      buildZip([
        { name: 'x/large', data, method: 8 },
        { name: 'empty', data: '' },
      ]),
    )
    using archive = openArchive(path)
    const [large, empty] = ['x/large', 'empty'].map((name) => archive.find(name))
    if (!large || !empty) throw new Error('missing')
    const pieces: Buffer[] = []
    for await (const bytes of archive.content(large)) pieces.push(Buffer.from(bytes))
    expect(Buffer.concat(pieces).equals(data)).toBe(true)
    for await (const _ of archive.content(empty)) throw new Error('not empty')
    for await (const _ of archive.content(large)) break
  })

  test('that is damaged or none is refused without speaking of packages', async () => {
    const path = join(temporaryFolder(), 'a.zip')
    writeFileSync(path, buildZip([{ name: 'a', data: 'text', central: { crc32: 1 }, local: { crc32: 1 } }]))
    using archive = openArchive(path)
    const entry = archive.find('a')
    if (!entry) throw new Error('missing')
    await expect(archive.content(entry).next()).rejects.toThrow(ArchiveRefused)
    await expect(archive.content(entry).next()).rejects.toThrow(/^entry 0 \(a\): its content does not match/)
    writeFileSync(path, 'no archive')
    expect(() => openArchive(path)).toThrow(/^no end record was found/)
  })
})
