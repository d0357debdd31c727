import { describe, expect, test } from 'vitest'
import { isTooDeep } from './json-depth.ts'

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

describe('a body', () => {
  test.each([
    ['of 100 levels', nested(100), false],
    ['of 101 levels', nested(101), true],
    ['of objects', '{"a":'.repeat(101), true],
    ['of many lists side by side', `[${nested(1)},`.repeat(99), false],
    ['with brackets in a text', `"${'['.repeat(500)}"`, false],
    ['with an escaped quotation mark', `"\\"${'['.repeat(500)}"`, false],
    ['with an escaped backslash', `["\\\\",${nested(101)}]`, true],
  ])('%s', (_what, json, isRefused) => {
    expect(isTooDeep(json)).toBe(isRefused)
  })
})
