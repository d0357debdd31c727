import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { type CheckProgress, checkPackage } from './check-package.ts'
import { buildZip, type EntryParts } from './testing/zip-builder.ts'

const PHOTO = { name: 'attachments/photo.txt', data: 'a leaking tap' }
const TICKET = {
  externalId: 'A-1',
  title: 'Tap leaks',
  state: 'open',
  attachments: [{ path: PHOTO.name }],
  comments: [{ content: 'On my way' }, { content: '', attachments: [{ path: PHOTO.name }] }],
}

function manifest(content: unknown): EntryParts {
  return { name: 'manifest.json', data: typeof content === 'string' ? content : JSON.stringify(content), method: 8 }
}
const manifestOf = (...tickets: unknown[]) => manifest({ version: '1.0', tickets })

/** Writes a package with these files and returns its path. */
function packageOf(...entries: EntryParts[]): string {
  return fileOf(buildZip(entries))
}

function fileOf(bytes: string | Uint8Array): string {
  const path = join(temporaryFolder(), 'site.fpl')
  writeFileSync(path, bytes)
  return path
}

const NOTHING_FOUND = { problems: [], problemCount: 0, tickets: 0, comments: 0, attachments: 0 }

describe('a valid package', () => {
  test('is reported with its counts', async () => {
    expect(await checkPackage(packageOf(manifestOf(TICKET), PHOTO))).toEqual({
      valid: true,
      message: null,
      problems: [],
      problemCount: 0,
      tickets: 1,
      comments: 2,
      attachments: 2,
    })
  })

  test('may have no requests', async () => {
    expect(await checkPackage(packageOf(manifestOf()))).toEqual({ ...NOTHING_FOUND, valid: true, message: null })
  })

  test('may contain files the manifest does not mention, whatever their content', async () => {
    const damaged = { name: 'notes.txt', data: 'as it was', rawData: Buffer.from('as it is.') }
    expect(await checkPackage(packageOf(manifestOf(TICKET), PHOTO, damaged))).toMatchObject({ valid: true })
  })

  test('is valid with any number of threads', async () => {
    const path = packageOf(manifestOf(TICKET), PHOTO)
    const reports = await Promise.all([1, 2, 3].map((workers) => checkPackage(path, { workers })))
    expect(reports.map(({ valid }) => valid)).toEqual([true, true, true])
  })
})

describe('checkPackage reports', () => {
  const MISTAKE = { ...TICKET, title: '' }
  const DAMAGED = { ...PHOTO, rawData: Buffer.from('a leaking tub') }

  test('an invalid structure before anything else', async () => {
    const report = await checkPackage(fileOf(buildZip([manifest('{'), DAMAGED], { afterEnd: Buffer.from('more') })))
    expect(report).toEqual({
      ...NOTHING_FOUND,
      valid: false,
      message: expect.stringMatching(/^The package is not a valid \.fpl archive: /),
    })
  })

  test.each([
    ['', /^The package is not a valid \.fpl archive: /],
    ['not an archive', /^The package is not a valid \.fpl archive: /],
  ])('a file that is not an archive: %j', async (bytes, message) => {
    expect(await checkPackage(fileOf(bytes))).toEqual({
      ...NOTHING_FOUND,
      valid: false,
      message: expect.stringMatching(message),
    })
  })

  test.each(['folder/manifest.json', 'Manifest.json', 'attachments/manifest.json'])(
    'a manifest that is not %s next',
    async (name) => {
      expect(await checkPackage(packageOf({ ...manifestOf(TICKET), name }, DAMAGED))).toEqual({
        ...NOTHING_FOUND,
        valid: false,
        message: 'No manifest.json found in the package',
      })
    },
  )

  test('a damaged manifest before the problems in it', async () => {
    const stored = { ...manifestOf(TICKET), method: 0 }
    const rawData = Buffer.from(String(stored.data).replace('[', ']'))
    const { message } = await checkPackage(packageOf({ ...stored, rawData }))
    expect(message).toMatch(/^The package is not a valid \.fpl archive: entry 0 \(manifest\.json\): .*CRC/)
  })

  test('invalid JSON at the very end of the manifest before the problems in it', async () => {
    const { data } = manifestOf(MISTAKE)
    const report = await checkPackage(packageOf(manifest(`${data}]`), DAMAGED))
    expect(report).toEqual({
      ...NOTHING_FOUND,
      valid: false,
      message: 'manifest.json is not valid JSON',
      problems: [
        {
          ...{ path: 'manifest', value: null },
          rule: expect.stringMatching(/ at byte \d+ \(line 1, column \d+\)/),
          message: expect.stringMatching(/^manifest: /),
        },
      ],
      problemCount: 1,
    })
  })

  test.each<[string, string | Buffer]>([
    ['is empty', ''],
    ['is only white space', ' \n'],
    ['is truncated', '{"version":"1.0","tickets":[{"externalId":"A'],
    ['is half a byte order mark', Buffer.from([0xef, 0xbb])],
    ['has two byte order marks', '\ufeff\ufeff{"version":"1.0","tickets":[]}'],
    ['is UTF-16', Buffer.from('{"version":"1.0","tickets":[]}', 'utf16le')],
    ['is not UTF-8', Buffer.from('{"version":"1.0","tickets":[],"x":"\xff"}', 'latin1')],
    ['is a page of HTML', '<!doctype html>'],
  ])('a manifest that %s with the exact message of the contract, and the position in the report', async (_, data) => {
    const { message, problems } = await checkPackage(packageOf({ ...manifestOf(TICKET), data }))
    expect(message).toBe('manifest.json is not valid JSON')
    expect(problems).toEqual([expect.objectContaining({ path: 'manifest', rule: expect.stringMatching(/./) })])
  })

  test.each([
    ['a field twice', '{"version":"1.0","version":"1.0","tickets":[]}', 'the name `version` is used twice at byte 17'],
    ['more than 64 levels', '['.repeat(10_000), 'more than 64 levels of nesting at byte 64'],
  ])('a manifest with %s as an invalid manifest, not as invalid JSON', async (_, data, rule) => {
    const { message, problems } = await checkPackage(packageOf({ ...manifestOf(TICKET), data }))
    expect(message).toContain(`Invalid manifest: ${rule}`)
    expect(problems).toEqual([expect.objectContaining({ path: 'manifest', rule: expect.stringContaining(rule) })])
  })

  test.each([
    ['little-endian', Buffer.from('{"version":"1.0","tickets":[]}', 'utf16le')],
    ['with a byte-order mark', Buffer.from('\ufeff{"version":"1.0","tickets":[]}', 'utf16le')],
    ['big-endian', Buffer.from('{"version":"1.0","tickets":[]}', 'utf16le').swap16()],
    ['big-endian with a byte-order mark', Buffer.from('\ufeff{"version":"1.0","tickets":[]}', 'utf16le').swap16()],
  ])('how to save a manifest in UTF-16: %s', async (_, data) => {
    const { problems } = await checkPackage(packageOf({ ...manifestOf(TICKET), data }))
    expect(problems[0]?.rule).toContain('expected UTF-8, found UTF-16 (save the file as UTF-8)')
  })

  test('problems in the manifest before damaged files', async () => {
    const report = await checkPackage(packageOf(manifestOf(TICKET, MISTAKE), DAMAGED))
    expect(report).toMatchObject({ valid: false, problemCount: 2, tickets: 2, comments: 4, attachments: 4 })
    expect(report.message).toBe(
      'Invalid manifest: tickets[1] (externalId A-1): duplicate externalId; tickets[1].title: must not be blank',
    )
    expect(report.problems.map(({ path }) => path)).toEqual(['tickets[1]', 'tickets[1].title'])
  })

  test('damaged files that the manifest mentions last', async () => {
    const report = await checkPackage(packageOf(manifestOf(TICKET), DAMAGED))
    expect(report).toMatchObject({ valid: false, problems: [], tickets: 1, comments: 2, attachments: 2 })
    expect(report.message).toMatch(
      /^The package is not a valid \.fpl archive: entry 1 \(attachments\/photo\.txt\): .*CRC/,
    )
  })
})

describe('a manifest with many problems', () => {
  const blanks = (count: number) =>
    manifestOf(...Array.from({ length: count }, (_, index) => ({ ...TICKET, externalId: `${index}`, title: ' ' })))

  test('lists 20 in the message and all of them in the report', async () => {
    const report = await checkPackage(packageOf(blanks(30), PHOTO))
    expect(report).toMatchObject({ problemCount: 30, tickets: 30 })
    expect(report.problems).toHaveLength(30)
    expect(report.message?.split('; ')).toHaveLength(20)
  })

  test('lists 10,000 in the report and counts all of them', async () => {
    const report = await checkPackage(packageOf(blanks(10_005), PHOTO))
    expect(report).toMatchObject({ problemCount: 10_005, tickets: 10_005 })
    expect(report.problems).toHaveLength(10_000)
  })
})

describe('a check', () => {
  test('reports progress up to the total of each stage', async () => {
    const reported: CheckProgress[] = []
    const entry = manifestOf(TICKET)
    const large = { ...PHOTO, data: Buffer.alloc(5_000_000, 'leak '), method: 8 }
    await checkPackage(packageOf(entry, large), { onProgress: (progress) => reported.push(progress) })
    expect(reported.findLast(({ stage }) => stage === 'manifest')).toEqual({
      stage: 'manifest',
      done: String(entry.data).length,
      total: String(entry.data).length,
    })
    const files = reported.filter(({ stage }) => stage === 'files')
    expect(files.at(-1)).toEqual({ stage: 'files', done: 5_000_000, total: 5_000_000 })
    expect(files.map(({ done }) => done)).toEqual(files.map(({ done }) => done).toSorted((a, b) => a - b))
  })

  test('stops when its signal is aborted', async () => {
    const path = packageOf(manifestOf(TICKET), PHOTO)
    await expect(checkPackage(path, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })

  test.each(['manifest', 'files'] as const)('stops in the middle of stage %s', async (stage) => {
    const large = { ...PHOTO, data: Buffer.alloc(20_000_000, 'leak '), method: 8 }
    const path = packageOf(manifestOf(TICKET), large)
    const ending = new AbortController()
    const reported: CheckProgress[] = []
    const onProgress = (progress: CheckProgress) => {
      reported.push(progress)
      if (progress.stage === stage) ending.abort(new Error('enough'))
    }
    await expect(checkPackage(path, { workers: 2, onProgress, signal: ending.signal })).rejects.toThrow('enough')
    expect(reported.at(-1)?.stage).toBe(stage)
  })

  test('throws for a path that is not a file', async () => {
    const folder = temporaryFolder()
    const [sub, pipe] = [join(folder, 'sub.fpl'), join(folder, 'pipe.fpl')]
    mkdirSync(sub)
    execFileSync('mkfifo', [pipe])
    await expect(checkPackage(join(folder, 'none.fpl'))).rejects.toThrow('ENOENT')
    await expect(checkPackage(sub)).rejects.toThrow('is a folder, not a file')
    await expect(checkPackage(pipe)).rejects.toThrow('is a pipe or a device, not a file')
    await expect(checkPackage('/dev/zero')).rejects.toThrow('is a pipe or a device, not a file')
  })
})
