import { describe, expect, test } from 'vitest'
import type { Problem } from './driver.ts'
import { fieldsOf, refuseProblems } from './fields.ts'

function problemsOf(record: Record<string, unknown>): readonly Problem[] {
  const problems: Problem[] = []
  const fields = fieldsOf(record, 'settings', problems)
  fields.text('url')
  fields.rejectUnknown()
  return problems
}

describe('a problem in a commissioned record', () => {
  test('shows the invalid value', () => {
    expect(problemsOf({ url: 'a b' })).toEqual([{ path: 'settings.url', message: '"a b" must be text without spaces' }])
    expect(problemsOf({ url: 3 })).toEqual([{ path: 'settings.url', message: '3 must be text without spaces' }])
  })

  test('truncates a long value to one line, and escapes invisible characters', () => {
    const [problem] = problemsOf({ url: ['x'.repeat(1_000_000)] })
    expect(problem?.message.length).toBeLessThan(150)
    expect(problemsOf({ url: `${'x'.repeat(1_000_000)} ` })[0]?.message.length).toBeLessThan(150)
    expect(problemsOf({ url: 'a \u202e\u0085b' })[0]?.message).toBe(
      String.raw`"a \u202e\u0085b" must be text without spaces`,
    )
  })

  test('formats the name of an unknown field the same way', () => {
    expect(problemsOf({ url: 'a', ['y'.repeat(5000)]: 1 })[0]?.path).toBe(`settings.${'y'.repeat(100)}…`)
    expect(problemsOf({ url: 'a', 'b\nc\u001b': 1 })[0]?.path).toBe(String.raw`settings.b c\u001b`)
  })
})

describe('refusing the problems of a connection', () => {
  const problems = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ path: `settings.a${index}`, message: 'is wrong' }))

  test('accepts a connection without problems', () => {
    expect(() => refuseProblems([])).not.toThrow()
  })

  test('lists the problems, and counts those after the first 20', () => {
    expect(() => refuseProblems(problems(2))).toThrow(
      expect.objectContaining({ kind: 'invalid', message: 'settings.a0: is wrong; settings.a1: is wrong' }),
    )
    expect(() => refuseProblems(problems(20))).toThrow(/settings\.a19: is wrong$/)
    expect(() => refuseProblems(problems(50_000))).toThrow(/settings\.a19: is wrong; and 49980 more$/)
  })
})
