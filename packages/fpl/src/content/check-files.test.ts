import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Entry } from '../archive/archive.ts'
import { PackageRefused } from '../refusal.ts'
import { checkFiles, startHelper } from './check-files.ts'
import { type FileParts, layOut, textOf } from './testing/lay-out.ts'

/** Enough content to make a second thread worthwhile. */
const FILES = 60
const content = textOf(600_000)
const good: FileParts = { content, method: 'deflated', data: deflateRawSync(content) }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plantroom-check-files-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function archiveWith(bad: readonly number[]): Promise<{ path: string; entries: Entry[] }> {
  const files = Array.from({ length: FILES }, (_, index) =>
    bad.includes(index) ? { ...good, declared: { crc32: 1 } } : good,
  )
  const { bytes, entries } = layOut(files)
  const path = join(folder, `${bad.join('-')}.fpl`)
  await writeFile(path, bytes)
  return { path, entries }
}

describe.each([1, 3])('with %d threads', (workers) => {
  test('accepts intact files and counts every byte', async () => {
    const { path, entries } = await archiveWith([])
    const progress: number[] = []
    await checkFiles(path, entries, { workers, onProgress: (bytes) => progress.push(bytes) })
    expect(progress.at(-1)).toBe(FILES * content.length)
    expect(progress).toEqual(progress.toSorted((a, b) => a - b))
    expect(progress.length).toBeGreaterThan(2)
  })

  test.each([[[0, 59]], [[59]], [[31, 33, 58]], [[7, 8]]])('names the first of the damaged files %j', async (bad) => {
    const { path, entries } = await archiveWith(bad)
    await expect(checkFiles(path, entries.toReversed(), { workers })).rejects.toThrow(
      new PackageRefused(
        `The package is not a valid .fpl archive: entry ${bad[0]} (attachments/${bad[0]}.txt): its content does not match its checksum (CRC-32)`,
      ),
    )
  })

  test('stops when its signal is aborted', async () => {
    const { path, entries } = await archiveWith([])
    const stop = new AbortController()
    const reason = new Error('enough')
    const checking = checkFiles(path, entries, { workers, onProgress: () => stop.abort(reason), signal: stop.signal })
    await expect(checking).rejects.toBe(reason)
    await expect(checkFiles(path, entries, { workers, signal: stop.signal })).rejects.toBe(reason)
  })

  test('rejects a file that was truncated after opening', async () => {
    const { path, entries } = await archiveWith([])
    const last = entries.at(-1) as Entry
    const moved = [...entries.slice(0, -1), { ...last, offset: last.offset + 1000 }]
    await expect(checkFiles(path, moved, { workers })).rejects.toThrow('the file became shorter while it was read')
  })

  test('accepts an empty list of files', async () => {
    const { path } = await archiveWith([])
    const progress: number[] = []
    await checkFiles(path, [], { workers, onProgress: (bytes) => progress.push(bytes) })
    expect(progress).toEqual([0])
  })

  test('passes on the system error for a missing file', async () => {
    const missing = checkFiles(join(folder, 'missing.fpl'), [], { workers })
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

const program = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`)

describe('a helper thread', () => {
  test('resolves with its result', async () => {
    const code = `import { parentPort, workerData } from 'node:worker_threads'; parentPort.postMessage(workerData.a + 1)`
    expect(await startHelper<number>(program(code), { a: 1 }).answer).toBe(2)
  })

  test('rejects when it dies', async () => {
    const dead = startHelper(program('process.exit(3)'), {}).answer
    await expect(dead).rejects.toThrow('A thread ended with exit code 3 and without a result')
  })

  test('rejects when it ends without a result', async () => {
    await expect(startHelper(program(''), {}).answer).rejects.toThrow(
      'A thread ended with exit code 0 and without a result',
    )
  })

  test('rejects with the error it throws', async () => {
    await expect(startHelper(program(`throw new Error('bad disk')`), {}).answer).rejects.toThrow('bad disk')
  })

  test('can be stopped while it runs in an endless loop', async () => {
    const endless = startHelper(program('for (;;) {}'), {})
    const ended = expect(endless.answer).rejects.toThrow('without a result')
    await endless.stop()
    await ended
  })
})
