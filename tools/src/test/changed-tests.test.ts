import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { affectedTests, baseCommit, changedFiles } from './changed-tests.ts'

const TESTS = [
  'e2e/browser/pages.test.ts',
  'e2e/cli.test.ts',
  'e2e/import-kills.test.ts',
  'e2e/overrides.test.ts',
  'e2e/package-contract.test.ts',
]
const affectedBy = (...changed: string[]) => affectedTests(changed, TESTS)
const ALL = { e2e: TESTS.slice(1), browser: TESTS.slice(0, 1) }

describe('the end-to-end tests that a change affects', () => {
  test.each([
    'packages/cloud/src/wire.ts',
    'packages/contract/src/topics.ts',
    'packages/base/src/clock.ts',
    'e2e/support/stack.ts',
    'package-lock.json',
    'plantroom',
  ])('are all of them for %s', (path) => {
    expect(affectedBy(path)).toEqual(ALL)
  })

  test.each(['README.md', 'docs/guide/demo.md', 'bench/main.ts', 'tools/src/test.ts', 'packages/edge/src/a.test.ts'])(
    'are none for %s',
    (path) => {
      expect(affectedBy(path)).toEqual({ e2e: [], browser: [] })
    },
  )

  test('are the package tests for the package format', () => {
    const e2e = ['e2e/import-kills.test.ts', 'e2e/package-contract.test.ts']
    expect(affectedBy('packages/fpl/src/read.ts')).toEqual({ e2e, browser: [] })
  })

  test('are the tests of the controller for the edge', () => {
    const e2e = ['e2e/cli.test.ts', 'e2e/overrides.test.ts']
    expect(affectedBy('packages/edge/src/wire.ts')).toEqual({ e2e, browser: [] })
  })

  test('are the browser tests for the console', () => {
    expect(affectedBy('packages/web/src/main.tsx')).toEqual({ e2e: [], browser: ALL.browser })
  })

  test('are the changed tests themselves', () => {
    expect(affectedBy('e2e/overrides.test.ts')).toEqual({ e2e: ['e2e/overrides.test.ts'], browser: [] })
  })

  test('add up over all changed files', () => {
    const e2e = ['e2e/cli.test.ts', 'e2e/overrides.test.ts']
    expect(affectedBy('packages/cli/src/main.ts', 'e2e/overrides.test.ts', 'README.md')).toEqual({ e2e, browser: [] })
  })
})

describe('the changed files', () => {
  test('include committed, uncommitted and new ones since the base', () => {
    const root = mkdtempSync(join(tmpdir(), 'plantroom-changed-'))
    onTestFinished(() => rmSync(root, { recursive: true, force: true }))
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']
    const git = (...args: string[]) => execFileSync('git', [...identity, ...args], { cwd: root, stdio: 'ignore' })
    const write = (name: string, text: string) => writeFileSync(join(root, name), text)
    git('init', '--initial-branch=main')
    for (const name of ['kept', 'committed', 'edited']) write(name, 'before')
    git('add', '.')
    git('commit', '-m', 'First')
    git('switch', '-c', 'topic')
    write('committed', 'after')
    git('commit', '-am', 'Second')
    write('edited', 'after')
    write('new', 'new')

    expect(changedFiles(root, baseCommit(root, undefined))).toEqual(['committed', 'edited', 'new'])
    expect(changedFiles(root, baseCommit(root, 'HEAD'))).toEqual(['edited', 'new'])
    expect(() => baseCommit(root, 'no-such-branch')).toThrow()
  })
})
