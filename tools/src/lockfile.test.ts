import { describe, expect, test } from 'vitest'
import { lockfileProblems, looseVersions, problemsIn } from './lockfile.ts'
import { ROOT } from './steps.ts'

describe('a lockfile', () => {
  test('may link to our own folders', () => {
    const packages = {
      'node_modules/@plantroom/base': { resolved: 'packages/base', link: true },
      'node_modules/pino': { integrity: 'sha512-x' },
    }
    expect(problemsIn('package-lock.json', { packages })).toEqual([])
  })

  test('must not name the place that a package came from', () => {
    const resolved = 'https://packages.example/pino-10.4.0.tgz'
    const packages = { 'node_modules/pino': { resolved, integrity: 'sha512-x' } }
    expect(problemsIn('package-lock.json', { packages })).toEqual([
      'package-lock.json: node_modules/pino is bound to https://packages.example/pino-10.4.0.tgz; recreate the file with tools/src/relock.ts',
    ])
  })

  test('must hold a hash for each binary of x64 and arm64, or npm leaves it out without a word', () => {
    const linux = (cpu: string, libc: string) => ({ os: ['linux'], cpu: [cpu], libc: [libc] })
    const packages = {
      'node_modules/bundler-arm64-gnu': linux('arm64', 'glibc'),
      'node_modules/bundler-x64-gnu': { ...linux('x64', 'glibc'), integrity: 'sha512-x' },
      'node_modules/bundler-x64-musl': { ...linux('x64', 'musl'), optional: true },
      'node_modules/bundler-darwin-x64': { os: ['darwin'], cpu: ['x64'], optional: true },
    }
    expect(problemsIn('package-lock.json', { packages })).toEqual([
      'package-lock.json: node_modules/bundler-arm64-gnu has no hash, so npm skips it; choose a version that is published for x64 and arm64',
    ])
  })

  test('must hold a hash for everything that is installed, or npm accepts any bytes', () => {
    const packages = {
      '': {},
      'packages/base': {},
      'node_modules/@plantroom/base': { resolved: 'packages/base', link: true },
      'node_modules/pino': {},
      'packages/web/node_modules/react': { optional: true },
      'node_modules/forced-darwin': { os: ['darwin'] },
      'node_modules/glob': { integrity: 'sha512-x' },
    }
    const problem = (folder: string) =>
      `package-lock.json: ${folder} has no hash, so npm installs whatever it gets; run tools/src/relock.ts`
    expect(problemsIn('package-lock.json', { packages })).toEqual(
      ['node_modules/pino', 'packages/web/node_modules/react', 'node_modules/forced-darwin'].map(problem),
    )
  })

  test('must not hold a deprecated package', () => {
    const packages = { 'node_modules/glob': { deprecated: 'no longer supported', integrity: 'sha512-x' } }
    expect(problemsIn('package-lock.json', { packages })).toEqual([
      'package-lock.json: node_modules/glob is deprecated: no longer supported',
    ])
  })
})

describe('a manifest', () => {
  const ours = new Map([['@plantroom/base', '0.1.0']])
  const problems = (version: string) => looseVersions('package.json', { dependencies: { pino: version } }, ours)

  test.each(['10.4.0', '18.4.0-beta.17'])('may ask for %s', (version) => {
    expect(problems(version)).toEqual([])
  })

  test.each(['^10.4.0', '~10.4.0', '10', '*', 'latest', '>=1.0.0 <2.0.0', 'file:../pino'])(
    'must not ask for %s',
    (version) => {
      expect(problems(version)).toEqual([`package.json: pino needs an exact version, not ${version}`])
    },
  )

  test('is read to the last kind of dependency', () => {
    const loose = { devDependencies: { a: '*' }, optionalDependencies: { b: '*' } }
    expect(looseVersions('package.json', loose, ours)).toHaveLength(2)
  })

  test('asks for our own packages in the version that they have', () => {
    expect(looseVersions('package.json', { dependencies: { '@plantroom/base': '0.1.0' } }, ours)).toEqual([])
    expect(looseVersions('package.json', { dependencies: { '@plantroom/base': '0.2.0' } }, ours)).toEqual([
      'package.json: @plantroom/base must be 0.1.0, not 0.2.0',
    ])
  })
})

test('this repository keeps to all of it', () => {
  expect(lockfileProblems(ROOT)).toEqual([])
})
