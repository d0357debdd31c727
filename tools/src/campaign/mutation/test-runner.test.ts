import { expect, test } from 'vitest'
import { createSmallCopy } from './testing/small-copy.ts'

const PLENTY_MS = 120_000
const SOURCE = 'export const value = 1'
const TESTS = ['first.test.ts', 'second.test.ts']

test('the runner sees changed sources, ends at the first failure and starts again after tests that hang', {
  timeout: 2 * PLENTY_MS,
}, async () => {
  // Only the second test imports the source.
  const { runner, write } = createSmallCopy({
    'source.ts': SOURCE,
    'first.test.ts': `import { test } from 'vitest'\ntest('passes', () => {})`,
    'second.test.ts': `import { expect, test } from 'vitest'\nimport { value } from './source.ts'\ntest('is one', () => expect(value).toBe(1))`,
  })
  const run = (tests: string[], limitMs = PLENTY_MS, changed = ['source.ts']) => runner.run({ changed, tests }, limitMs)

  const passed = await run(TESTS)
  expect(passed?.failure).toBeUndefined()
  expect(passed?.durations.map(([file]) => file)).toEqual(TESTS)

  write('source.ts', 'export const value = 2')
  const failed = await run(TESTS.toReversed())
  expect(failed?.failure).toEqual({
    file: 'second.test.ts',
    message: expect.stringMatching(/^is one: expected 2 to be 1/),
  })

  // The next mutant is in another file: this one must be gone.
  write('source.ts', SOURCE)
  expect(await run(TESTS, PLENTY_MS, ['other.ts'])).not.toHaveProperty('failure')

  write('source.ts', 'for (;;) {}')
  expect(await run(TESTS, 3_000)).toBeUndefined()

  write('source.ts', SOURCE)
  expect(await run(TESTS)).not.toHaveProperty('failure')
})
