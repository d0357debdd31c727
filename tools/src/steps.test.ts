import { expect, test } from 'vitest'
import { describeOutcome, runSteps, type Step } from './steps.ts'

const never = new AbortController().signal
const step = (name: string, ok: boolean, output = ''): Step => ({ name, run: async () => ({ ok, output }) })

test('a step that passed is one line', () => {
  const outcome = { name: 'types', ok: true, seconds: 1.24, output: 'chatter\n' }
  expect(describeOutcome(outcome)).toBe('ok types (1.2 s)')
})

test('a step that failed shows what it said, then its name', () => {
  const outcome = { name: 'lint', ok: false, seconds: 0.5, output: 'a.ts: wrong\n' }
  expect(describeOutcome(outcome)).toBe('a.ts: wrong\nFAILED lint (0.5 s)')
})

test('every step is run and told of, also after one that failed', async () => {
  const told: string[] = []
  const outcomes = await runSteps([step('types', false, 'wrong'), step('lint', true)], never, ({ name }) =>
    told.push(name),
  )
  expect(outcomes).toMatchObject([
    { name: 'types', ok: false, output: 'wrong' },
    { name: 'lint', ok: true },
  ])
  expect(told).toEqual(['types', 'lint'])
})
