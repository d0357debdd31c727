import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { bytesSource } from './archive/byte-source.ts'
import { verifyArchive } from './archive/verify.ts'
import { randomBytesOf } from './testing/random.ts'
import { readArchive } from './testing/read-archive.ts'
import { type PackageContent, packageBytes, writePackage } from './write-package.ts'

const TICKETS = [
  { externalId: 'A-1', title: 'Õhuklapp "kinni"', state: 'open' },
  { externalId: 'A-2', title: 'Draught', state: 'new', tags: [] },
]
const BLOCK = 65_536
const noise = randomBytesOf(3 * BLOCK, 7)
const prose = Buffer.from('The radiator is cold again. '.repeat(8_000))

function content(more: Partial<PackageContent> = {}): PackageContent {
  return { tickets: [], attachments: [], ...more }
}
const attached = (files: Record<string, Uint8Array>, inPiecesOf = Number.POSITIVE_INFINITY) =>
  content({
    attachments: Object.entries(files).map(([path, bytes]) => ({ path, content: piecesOf(bytes, inPiecesOf) })),
  })
function* piecesOf(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
const manifestOf = async (package_: Buffer) => String((await readArchive(package_)).get('manifest.json'))
const written = (of: PackageContent) => buffer(packageBytes(of))

describe('the manifest of a written package', () => {
  test('contains the tickets in order, one per line', async () => {
    const manifest = await manifestOf(await written(content({ tickets: TICKETS })))
    expect(JSON.parse(manifest)).toEqual({ version: '1.0', tickets: TICKETS })
    expect(manifest.split('\n')).toHaveLength(TICKETS.length + 3)
  })

  test('contains the schema and the time if they are given', async () => {
    const given = { schema: 'https://example.org/ticket-export-v1.json', exportedAt: '2026-01-05T10:00:00.000Z' }
    expect(JSON.parse(await manifestOf(await written(content(given))))).toEqual({
      $schema: given.schema,
      version: '1.0',
      exportedAt: given.exportedAt,
      tickets: [],
    })
  })

  test('requests one ticket at a time', async () => {
    let asked = 0
    async function* tickets() {
      for (; asked < 1_000_000; asked += 1) yield { externalId: String(asked), title: noise.toString('base64') }
    }
    for await (const _block of packageBytes(content({ tickets: tickets() }))) break
    expect(asked).toBeLessThan(10)
  })
})

describe('an attachment', () => {
  const lengths = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 2 * BLOCK + 1]
  const kinds = { noise, prose }
  test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
    'of any length is read back byte by byte: %s',
    async (kind) => {
      const files = Object.fromEntries(lengths.map((n) => [`attachments/${n}.bin`, kinds[kind].subarray(0, n)]))
      const { 'manifest.json': _manifest, ...found } = Object.fromEntries(
        await readArchive(await written(attached(files))),
      )
      expect(Object.keys(found)).toEqual(Object.keys(files))
      for (const [path, bytes] of Object.entries(files)) expect(found[path]?.equals(bytes), path).toBe(true)
    },
  )

  test('is deflated if that saves space, and stored otherwise', async () => {
    const files = { 'attachments/a': prose, 'attachments/b': noise, 'attachments/c': prose.subarray(0, 500) }
    const { find } = verifyArchive(bytesSource(await written(attached(files))))
    expect(Object.keys(files).map((path) => find(path)?.method)).toEqual(['deflated', 'stored', 'deflated'])
  })

  test('may come through one buffer that its source reuses', async () => {
    function* reusing() {
      const own = Buffer.alloc(1_000)
      for (const piece of piecesOf(noise, own.length)) {
        own.set(piece)
        yield own.subarray(0, piece.length)
      }
    }
    const package_ = await written(content({ attachments: [{ path: 'attachments/a', content: reusing() }] }))
    expect((await readArchive(package_)).get('attachments/a')?.equals(noise)).toBe(true)
  })
})

test('outside the attachments folder is rejected, because the manifest could not mention it', async () => {
  await expect(written(attached({ 'notes/a': noise }))).rejects.toThrow(
    new Error('The package cannot be written: notes/a: must start with attachments/'),
  )
})

describe('equal content', () => {
  test('gives equal bytes, however its sources split them', async () => {
    const files = { 'attachments/a': prose, 'attachments/b': noise, 'attachments/küte': prose.subarray(0, 500) }
    const whole = await written(attached(files))
    for (const size of [1_000, 4_099, BLOCK]) expect((await written(attached(files, size))).equals(whole)).toBe(true)
  })

  test('needs no zip64 below 4 GB', async () => {
    const bytes = await written(attached({ 'attachments/a': prose }))
    expect(bytes.includes('PK\x06\x06', 0, 'latin1') || bytes.includes('PK\x06\x07', 0, 'latin1')).toBe(false)
  })
})

describe('a slow output', () => {
  test('applies back pressure to the sources', async () => {
    let given = 0
    function* chunks() {
      for (; given < 90; given += 1) yield noise.subarray(0, BLOCK)
    }
    const released = Promise.withResolvers<void>()
    const slow = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => void released.promise.then(() => done()),
    })
    const attachments = [{ path: 'attachments/a', content: chunks() }]
    const writing = pipeline(packageBytes(content({ attachments })), slow)

    for (let turn = 0; turn < 200; turn += 1) await setImmediate()
    expect(given).toBeLessThan(30)
    released.resolve()
    await writing
    expect(given).toBe(90)
  })
})

describe('a package file', () => {
  const place = () => {
    const folder = temporaryFolder()
    return { folder, path: join(folder, 'site.fpl') }
  }
  const broken = new Error('the disk of the attachments is gone')
  /** Yields this many chunks and then throws. */
  async function* failing(chunks: number, chunk = noise) {
    for (let index = 0; index < chunks; index += 1) yield chunk
    throw broken
  }

  test('appears under its name, without leftovers beside it', async () => {
    const { folder, path } = place()
    await writePackage(path, content({ tickets: TICKETS }))
    expect(readdirSync(folder)).toEqual(['site.fpl'])
    expect(readFileSync(path).equals(await written(content({ tickets: TICKETS })))).toBe(true)
  })

  const attachment = (bytes: AsyncIterable<Uint8Array>) => ({
    attachments: [{ path: 'attachments/a', content: bytes }],
  })
  test.each<[string, () => Partial<PackageContent>]>([
    ['a ticket', () => ({ tickets: failing(3, Buffer.from('a')) })],
    ['the list of attachments', () => ({ attachments: failing(0) as AsyncIterable<never> })],
    ['the start of an attachment', () => attachment(failing(0))],
    ['the rest of a stored attachment', () => attachment(failing(9))],
    ['the rest of a deflated attachment', () => attachment(failing(9, prose))],
  ])('is removed when %s cannot be read, and an existing file stays', async (_what, more) => {
    const { folder, path } = place()
    writeFileSync(path, 'of yesterday')
    await expect(writePackage(path, content(more()))).rejects.toBe(broken)
    expect(readdirSync(folder)).toEqual(['site.fpl'])
    expect(readFileSync(path, 'utf8')).toBe('of yesterday')
  })

  test('is removed when writing is aborted, even if a source never answers', async () => {
    const { folder, path } = place()
    const given = new AbortController()
    async function* silent(): AsyncGenerator<Uint8Array, void> {
      yield noise
      given.abort()
      await new Promise<never>(() => {})
    }
    const attachments = [{ path: 'attachments/a', content: silent() }]
    const writing = writePackage(path, content({ attachments }), { signal: given.signal })
    await expect(writing).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect(readdirSync(folder)).toEqual([])
  })

  test('leaves nothing behind if it cannot be renamed into place', async () => {
    const { folder, path } = place()
    mkdirSync(path)
    await expect(writePackage(path, content())).rejects.toThrow('EISDIR')
    expect(readdirSync(folder)).toEqual(['site.fpl'])
  })

  test('closes its sources when it ends early', async () => {
    const { path } = place()
    const closed: string[] = []
    async function* held(name: string, chunk: Buffer) {
      try {
        for (;;) yield chunk
      } finally {
        closed.push(name)
      }
    }
    async function* attachments() {
      try {
        yield { path: 'attachments/a', content: held('file', noise) }
      } finally {
        closed.push('list')
      }
    }
    await expect(writePackage(path, content({ attachments: attachments() }))).rejects.toThrow('exceeds 100 MB')
    expect(closed).toEqual(['file', 'list'])
  })
})
