import { expect, test } from 'vitest'
import { embeddedProblem } from './binaries.ts'

test.each([
  ['linux', 'x64', undefined],
  ['linux', 'arm64', undefined],
  ['darwin', 'arm64', /for macOS: install PostgreSQL 15 or newer, and set DATABASE_URL/],
  ['linux', 'riscv64', /for linux on riscv64: install PostgreSQL/],
])('on %s %s the embedded database says whether there is one', (platform, arch, expected) => {
  const problem = embeddedProblem(platform, arch)
  if (expected === undefined) expect(problem).toBeUndefined()
  else expect(problem).toMatch(expected)
})
