import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { ROOT } from '../../../steps.ts'
import { createTestRunner } from '../test-runner.ts'

/** A folder with these files in the place of the copy of a checkout, and a runner of its tests. */
export function createSmallCopy(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-runner-'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('package.json', '{ "type": "module" }')
  write('vitest.config.ts', `export default { test: { pool: 'forks', isolate: false, maxWorkers: 1 } }`)
  for (const [name, text] of Object.entries(files)) write(name, text)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const dispose = () => rmSync(folder, { recursive: true, force: true })
  const copy = { folder, config: join(folder, 'vitest.config.ts'), [Symbol.dispose]: dispose }
  const { signal } = new AbortController()
  const runner = createTestRunner(copy, { database: false }, signal)
  onTestFinished(async () => {
    await runner[Symbol.asyncDispose]()
    dispose()
  })
  return { copy, runner, signal, write }
}
