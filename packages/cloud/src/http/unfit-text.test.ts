import { describe, expect, test } from 'vitest'
import { hasHalfCharacter } from './half-characters.ts'

const judge = (text: string) => hasHalfCharacter(text, JSON.parse(text))

describe('half a character', () => {
  test.each([
    '"\\ud83d"',
    '"\\uDC00 after"',
    '"\\ud83d\\ud83d\\ude00"',
    '{"a":[1,{"b":"x\\udfff"}]}',
    '{"\\ud800":1}',
    '"\\\\\\ud800"',
  ])('is found in %s', (text) => expect(judge(text)).toBe(true))

  test.each(['"\\ud83d\\ude00"', '"😀"', '"\\\\ud800"', '"\\u00e4"', '{"a":null,"b":[true,1.5,""]}', '{}'])(
    'is not in %s',
    (text) => expect(judge(text)).toBe(false),
  )

  test('is found at a depth that no stack has', () => {
    const depth = 30_000
    const nested = (inner: string) => `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`
    expect(judge(nested('"\\ud800"'))).toBe(true)
    expect(judge(nested('"\\ud83d\\ude00"'))).toBe(false)
  })
})
