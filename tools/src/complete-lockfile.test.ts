import { describe, expect, test } from 'vitest'
import { completeLockfile, type Lockfile } from './complete-lockfile.ts'

describe('a completed lockfile', () => {
  const optionalDependencies = { 'bundler-linux-x64-gnu': '1.0.0', '@bundler/binding-darwin-arm64': '1.0.0' }
  const made: Lockfile = {
    packages: {
      'node_modules/bundler': { version: '1.0.0', dev: true, optionalDependencies },
      'node_modules/bundler-linux-x64-gnu': { version: '1.0.0', integrity: 'sha512-here', optional: true },
    },
  }
  const MAC = 'node_modules/@bundler/binding-darwin-arm64'
  const previous = (version: string): Lockfile => ({ packages: { [MAC]: { version, integrity: 'sha512-mac' } } })

  test('has the binaries of other platforms that the registry lacks, in order', () => {
    const { packages } = completeLockfile(made, { packages: {} })
    expect(Object.keys(packages)).toEqual([MAC, 'node_modules/bundler', 'node_modules/bundler-linux-x64-gnu'])
    expect(packages[MAC]).toEqual({ version: '1.0.0', os: ['darwin'], cpu: ['arm64'], optional: true, dev: true })
  })

  test('keeps a hash that an earlier one has for the same version, and for no other', () => {
    expect(completeLockfile(made, previous('1.0.0')).packages[MAC]?.integrity).toBe('sha512-mac')
    expect(completeLockfile(made, previous('0.9.0')).packages[MAC]).not.toHaveProperty('integrity')
  })

  test('takes what npm found as it is', () => {
    const path = 'node_modules/bundler-linux-x64-gnu'
    const forged: Lockfile = { packages: { [path]: { version: '1.0.0', integrity: 'sha512-other' } } }
    expect(completeLockfile(made, forged).packages[path]?.integrity).toBe('sha512-here')
  })
})
