import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { keptMeasurements } from './kept-measurements.ts'

test('measurements are kept for the same sources of the same commit', () => {
  const root = mkdtempSync(join(tmpdir(), 'plantroom-kept-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root })
  const commit = () => {
    git('add', '-A')
    git('commit', '-qm', 'change')
  }
  const one = { hits: new Set([1, 7]), ms: 5 }
  const kept = (files = ['a.ts']) => keptMeasurements(root, files).get('a.test.ts')
  git('init', '-q')
  writeFileSync(join(root, '.gitignore'), 'node_modules\n')
  commit()
  expect(kept()).toBeUndefined()
  keptMeasurements(root, ['a.ts']).set('a.test.ts', one)
  expect(kept()).toEqual(one)
  expect(kept(['a.ts', 'b.ts'])).toBeUndefined()
  writeFileSync(join(root, 'a.ts'), '')
  expect(kept()).toBeUndefined()
  commit()
  expect(kept()).toBeUndefined()
})
