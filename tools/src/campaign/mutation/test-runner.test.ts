import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../../steps.ts'
import { createTestRunner } from './test-runner.ts'

const PLENTY_MS = 120_000
const SOURCE = 'export const value = 1'
const TESTS = ['first.test.ts', 'second.test.ts']

/** A folder with one source and two tests, of which only the second one imports it. */
function createCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'plantroom-runner-'))
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('package.json', '{ "type": "module" }')
  write('source.ts', SOURCE)
  write('first.test.ts', `import { test } from 'vitest'\ntest('passes', () => {})`)
  write(
    'second.test.ts',
    `import { expect, test } from 'vitest'\nimport { value } from './source.ts'\ntest('is one', () => expect(value).toBe(1))`,
  )
  write('vitest.config.ts', `export default { test: { pool: 'forks', isolate: false, maxWorkers: 1 } }`)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const dispose = () => rmSync(folder, { recursive: true, force: true })
  return { folder, config: join(folder, 'vitest.config.ts'), write, [Symbol.dispose]: dispose }
}

test('the runner sees changed sources, ends at the first failure and starts again after tests that hang', {
  timeout: 2 * PLENTY_MS,
}, async () => {
  const copy = createCopy()
  const runner = createTestRunner(copy, { database: false }, new AbortController().signal)
  onTestFinished(async () => {
    await runner[Symbol.asyncDispose]()
    copy[Symbol.dispose]()
  })
  const run = (tests: string[], limitMs = PLENTY_MS, changed = ['source.ts']) => runner.run({ changed, tests }, limitMs)

  const passed = await run(TESTS)
  expect(passed?.failure).toBeUndefined()
  expect(passed?.durations.map(([file]) => file)).toEqual(TESTS)

  copy.write('source.ts', 'export const value = 2')
  const failed = await run(TESTS.toReversed())
  expect(failed?.failure).toEqual({
    file: 'second.test.ts',
    message: expect.stringMatching(/^is one: expected 2 to be 1/),
  })

  // The next mutant is in another file: this one must be gone.
  copy.write('source.ts', SOURCE)
  expect(await run(TESTS, PLENTY_MS, ['other.ts'])).not.toHaveProperty('failure')

  copy.write('source.ts', 'for (;;) {}')
  expect(await run(TESTS, 3_000)).toBeUndefined()

  copy.write('source.ts', SOURCE)
  expect(await run(TESTS)).not.toHaveProperty('failure')
})
