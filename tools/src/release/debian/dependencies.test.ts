import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { copyLocked, placesFor } from './dependencies.ts'

const LOCKED = {
  'node_modules/hash': {
    optionalDependencies: { 'hash-x64': '1', 'hash-x64-musl': '1', 'hash-arm64': '1', 'hash-windows': '1' },
    dependencies: { helper: '1' },
  },
  'node_modules/hash-x64': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'node_modules/hash-x64-musl': { os: ['linux'], cpu: ['x64'], libc: ['musl'] },
  'node_modules/hash-arm64': { os: 'linux', cpu: 'arm64' },
  'node_modules/hash-windows': { os: ['win32'], cpu: ['x64'] },
  'node_modules/helper': { version: '2' },
  'node_modules/hash/node_modules/helper': { version: '1' },
  'node_modules/unrelated': {},
}

test('a processor gets its own native code, and the versions that the lockfile chose', () => {
  expect(placesFor(LOCKED, { hash: 'cloud' }, 'x64')).toEqual([
    'node_modules/hash',
    'node_modules/hash-x64',
    'node_modules/hash/node_modules/helper',
  ])
  expect(placesFor(LOCKED, { hash: 'cloud' }, 'arm64')).toContain('node_modules/hash-arm64')
  expect(() => placesFor(LOCKED, { missing: 'cloud' }, 'x64')).toThrow('package-lock.json has no missing')
})

test('an installed package is copied without those below it', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'node_modules/hash/node_modules/helper'), { recursive: true })
  writeFileSync(join(root, 'node_modules/hash/index.js'), '')
  await copyLocked(root, LOCKED, 'node_modules/hash', join(root, 'copy/hash'))
  expect(existsSync(join(root, 'copy/hash/index.js'))).toBe(true)
  expect(existsSync(join(root, 'copy/hash/node_modules'))).toBe(false)
})

test('a fetched package must be the one that the lockfile names', async () => {
  const root = temporaryFolder()
  const fetched = async (_: string, folder: string) => {
    writeFileSync(join(folder, 'forged.tgz'), 'forged')
    return join(folder, 'forged.tgz')
  }
  const place = 'node_modules/hash-x64'
  const copy = (integrity?: string) =>
    copyLocked(root, { [place]: { version: '1', ...(integrity && { integrity }) } }, place, join(root, 'copy'), fetched)
  await expect(copy('sha512-AAAA')).rejects.toThrow('hash-x64@1 is not what the lockfile names')
  await expect(copy()).rejects.toThrow('the lockfile has no checksum of hash-x64')
  expect(existsSync(join(root, 'copy'))).toBe(false)
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-debian-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
