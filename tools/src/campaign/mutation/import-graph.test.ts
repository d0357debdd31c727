import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readImportGraph } from './import-graph.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plantroom-graph-'))
})
afterEach(() => rmSync(root, { recursive: true }))

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

test('the tests of a file reach it through imports, the ones named after it first, then those of its folder', () => {
  write({
    'packages/a/src/far/far.test.ts': `import { b } from '../b.ts'`,
    'packages/a/src/also.test.ts': `import { b } from './b.ts'`,
    'packages/a/src/b.test.ts': `import { c } from './c.ts'`,
    'packages/a/src/c.ts': `export { b } from './b.ts'`,
    'packages/a/src/b.ts': '',
    'packages/a/src/other.test.ts': `import { d } from './d.ts'`,
    'packages/a/src/d.ts': '',
  })
  expect(readImportGraph(root).testsOf('packages/a/src/b.ts')).toEqual([
    'packages/a/src/b.test.ts',
    'packages/a/src/also.test.ts',
    'packages/a/src/far/far.test.ts',
  ])
})

test('imports of another package lead through its doors', () => {
  write({
    'packages/a/package.json': `{ "name": "@plantroom/a", "exports": { "./limits": "./src/inner/limits.ts" } }`,
    'packages/a/src/inner/limits.ts': '',
    'packages/wild/package.json': `{ "name": "@plantroom/wild", "exports": { "./*": "./src/*.ts" } }`,
    'packages/wild/src/inner/thing.ts': '',
    'packages/b/package.json': `{ "name": "@plantroom/b" }`,
    'packages/b/src/b.test.ts': `import { limits } from '@plantroom/a/limits'\nimport '@plantroom/wild/inner/thing'`,
  })
  const graph = readImportGraph(root)
  expect(graph.testsOf('packages/a/src/inner/limits.ts')).toEqual(['packages/b/src/b.test.ts'])
  expect(graph.testsOf('packages/wild/src/inner/thing.ts')).toEqual(['packages/b/src/b.test.ts'])
})

test('a program that a test starts counts as imported', () => {
  write({
    'packages/a/src/start.test.ts': `spawn(new URL('./testing/program.ts', import.meta.url))`,
    'packages/a/src/testing/program.ts': `import { run } from '../run.ts'`,
    'packages/a/src/run.ts': '',
  })
  expect(readImportGraph(root).testsOf('packages/a/src/run.ts')).toEqual(['packages/a/src/start.test.ts'])
})
