import { expect, test } from 'vitest'
import { describeOutcome, runSteps, type Step } from './steps.ts'

const never = new AbortController().signal
const step = (name: string, ok: boolean, output = ''): Step => ({ name, run: async () => ({ ok, output }) })

test('describes a step that passed in one line', () => {
  const outcome = { name: 'types', ok: true, seconds: 1.24, output: 'chatter\n' }
  expect(describeOutcome(outcome)).toBe('ok types (1.2 s)')
})

test('describes a step that failed by its output and its name', () => {
  const outcome = { name: 'lint', ok: false, seconds: 0.5, output: 'a.ts: wrong\n' }
  expect(describeOutcome(outcome)).toBe('a.ts: wrong\nFAILED lint (0.5 s)')
})

test('runs and reports every step, even after one that failed', async () => {
  const reported: string[] = []
  const outcomes = await runSteps([step('types', false, 'wrong'), step('lint', true)], never, ({ name }) =>
    reported.push(name),
  )
  expect(outcomes).toMatchObject([
    { name: 'types', ok: false, output: 'wrong' },
    { name: 'lint', ok: true },
  ])
  expect(reported).toEqual(['types', 'lint'])
})
