import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, test } from 'vitest'
import { openFolder, problemOfPath } from './folder.ts'

const MIB = 1024 * 1024
const signal = new AbortController().signal
const fileOf = (text: string, size = text.length) => ({ size, open: async () => Readable.from([Buffer.from(text)]) })

function open({ path = 'weekly', free = 1e12 } = {}) {
  const root = temporaryFolder()
  const folder = join(root, 'org_a/site_a', path)
  const target = openFolder({ root, organizationId: 'org_a', siteId: 'site_a', path }, { freeBytes: async () => free })
  let moved = 0
  const progress = () => {
    moved += 1
  }
  const put = (text: string, { attempt = 2, size = text.length, own = signal } = {}) =>
    target.put('a.fpl', fileOf(text, size), { signal: own, attempt, progress })
  return { root, folder, target, put, moved: () => moved }
}

describe('a path below the folder of a site', () => {
  test.each(['', 'a', 'Weekly (new)/õhtu_2-b.c', 'a/b/c/d/e/f/g/h', 'x'.repeat(100), 'o\u0303htu'])(
    'may be %j',
    (path) => {
      expect(problemOfPath(path)).toBeUndefined()
    },
  )

  test.each(['.', '..', 'a/..', 'a//b', '/a', 'a/', ' a', 'a ', 'a.', '.a', 'a\\b', 'a\0', 'x'.repeat(101), 'ж'])(
    'may not be %j',
    (path) => {
      expect(problemOfPath(path)).toMatch(
        /^path may have letters.* and no level may begin or end with a dot or a space$/,
      )
    },
  )

  test('has at most eight levels', () => {
    expect(problemOfPath('a/b/c/d/e/f/g/h/i')).toBe('path has more than 8 levels')
  })
})

describe('a folder', () => {
  test('gets a file that only the service and its group can read, and nothing else', async () => {
    const { folder, put, moved } = open()
    await put('first')
    await put('second')
    expect(readdirSync(folder)).toEqual(['a.fpl'])
    expect(readFileSync(join(folder, 'a.fpl'), 'utf8')).toBe('second')
    expect([statSync(join(folder, 'a.fpl')).mode & 0o137, statSync(folder).mode & 0o027]).toEqual([0, 0])
    expect(moved()).toBe(2)
  })

  test('may be that of the site itself', async () => {
    const { root, put } = open({ path: '' })
    await put('x')
    expect(readdirSync(join(root, 'org_a/site_a'))).toEqual(['a.fpl'])
  })

  test('is read and cleaned, also of what is not there', async () => {
    const { folder, target, put } = open()
    await put('text')
    expect((await target.read('a.fpl', signal)).toString()).toBe('text')
    await target.remove('a.fpl', signal)
    await target.remove('a.fpl', signal)
    expect(readdirSync(folder)).toEqual([])
    await expect(target.read('a.fpl', signal)).rejects.toThrow(
      'the export folder cannot be used (ENOENT): ask the operator',
    )
  })

  test('loses what the attempt before left behind', async () => {
    const { folder, put } = open()
    await put('x')
    writeFileSync(join(folder, '.a.fpl.2.part'), 'half')
    await put('y', { attempt: 3 })
    expect(readdirSync(folder)).toEqual(['a.fpl'])
  })

  test('keeps what it has when the file is not as long as it should be', async () => {
    const { folder, put } = open()
    await put('first')
    await expect(put('second', { size: 7 })).rejects.toThrow(`the file in ${folder} has 6 bytes instead of 7`)
    expect(readdirSync(folder)).toEqual(['a.fpl'])
    expect(readFileSync(join(folder, 'a.fpl'), 'utf8')).toBe('first')
  })

  test('is full when less than 128 MiB would be left', async () => {
    await open({ free: 128 * MIB + 4 }).put('text')
    const message = 'the disk of the export folder is full: ask the operator to free space'
    await expect(open({ free: 128 * MIB + 3 }).put('text')).rejects.toThrow(message)
  })

  test('asks the disk for its free space', async () => {
    const root = temporaryFolder()
    const target = openFolder({ root, organizationId: 'org_a', siteId: 'site_a', path: '' })
    const put = (size: number) => target.put('a.fpl', fileOf('x', size), { signal, attempt: 1, progress() {} })
    await expect(put(Number.MAX_SAFE_INTEGER)).rejects.toThrow('is full')
  })

  test('that leads elsewhere is refused', async () => {
    const { root, target } = open()
    mkdirSync(join(root, 'org_a'))
    symlinkSync(temporaryFolder(), join(root, 'org_a/site_a'))
    const message = 'site_a is a link or a file, not a folder: ask the operator to replace it'
    await expect(target.remove('a.fpl', signal)).rejects.toThrow(message)
  })

  test('that is not there, or not allowed, is refused', async () => {
    const place = { root: '/nowhere', organizationId: 'org_a', siteId: 'site_a', path: '' }
    const reading = (changes: Partial<typeof place>) => openFolder({ ...place, ...changes }).read('x', signal)
    await expect(reading({})).rejects.toThrow('ask the operator to create PLANTROOM_EXPORT_FOLDER')
    await expect(reading({ path: '../x' })).rejects.toThrow('the path of the folder is not allowed: correct it')
  })

  test('never opens a link in place of a file', async () => {
    const { folder, target, put } = open()
    await put('x')
    symlinkSync('/etc/passwd', join(folder, 'link'))
    await expect(target.read('link', signal)).rejects.toThrow('the export folder cannot be used (ELOOP)')
  })

  test('is left when the delivery is aborted, with the reason of that', async () => {
    const { folder, put } = open()
    const own = AbortSignal.abort(new Error('the process is stopping'))
    await expect(put('x', { own })).rejects.toThrow('the process is stopping')
    expect(readdirSync(folder)).toEqual([])
  })

  test.each([
    ['ENOSPC', 'the disk of the export folder is full'],
    ['EDQUOT', 'the disk of the export folder is full'],
    ['EACCES', 'cannot be written: ask the operator to allow it for this service'],
    ['EPERM', 'cannot be written'],
    ['EROFS', 'cannot be written'],
    ['EIO', 'the export folder cannot be used (EIO): ask the operator'],
  ])('explains %s', async (code, message) => {
    const failing = { size: 1, open: () => Promise.reject(Object.assign(new Error('failed'), { code })) }
    const putting = open().target.put('a.fpl', failing, { signal, attempt: 1, progress() {} })
    await expect(putting).rejects.toThrow(message)
  })

  test('does not explain a mistake of ours', async () => {
    const failing = { size: 1, open: () => Promise.reject(new TypeError('x is not a function')) }
    const putting = open().target.put('a.fpl', failing, { signal, attempt: 1, progress() {} })
    await expect(putting).rejects.toThrow(TypeError)
  })
})
