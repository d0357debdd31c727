import { describe, expect, test } from 'vitest'
import type { Problem } from './driver.ts'
import { fieldsOf } from './fields.ts'

function problemsOf(record: Record<string, unknown>): readonly Problem[] {
  const problems: Problem[] = []
  const fields = fieldsOf(record, 'settings', problems)
  fields.text('url')
  fields.rejectUnknown()
  return problems
}

describe('a mistake in a commissioned record', () => {
  test('shows the offending value', () => {
    expect(problemsOf({ url: 'a b' })).toEqual([
      { path: 'settings.url', message: '"a b" must be a text without spaces' },
    ])
    expect(problemsOf({ url: 3 })).toEqual([{ path: 'settings.url', message: '3 must be a text without spaces' }])
  })

  test('shows no more of it than fits a line, and nothing invisible', () => {
    const [problem] = problemsOf({ url: ['x'.repeat(1_000_000)] })
    expect(problem?.message.length).toBeLessThan(150)
    expect(problemsOf({ url: `${'x'.repeat(1_000_000)} ` })[0]?.message.length).toBeLessThan(150)
    expect(problemsOf({ url: 'a \u202e\u0085b' })[0]?.message).toBe(
      String.raw`"a \u202e\u0085b" must be a text without spaces`,
    )
  })

  test('names an unknown field the same way', () => {
    expect(problemsOf({ url: 'a', ['y'.repeat(5000)]: 1 })[0]?.path).toBe(`settings.${'y'.repeat(100)}…`)
    expect(problemsOf({ url: 'a', 'b\nc\u001b': 1 })[0]?.path).toBe(String.raw`settings.b c\u001b`)
  })
})
