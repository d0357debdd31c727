import { describe, expect, test } from 'vitest'
import { scanChunks, scanText } from './testing/scan.ts'

const calls = (text: string) => {
  const scanned = scanText(text)
  expect(scanned.refusal).toBeUndefined()
  return scanned.calls
}
const refusal = (text: string | Uint8Array) => scanText(text).refusal

describe('a manifest', () => {
  test('is delivered field by field and ticket by ticket, in order', () => {
    expect(
      calls(' {"version" : "1.0",\r\n\t"tickets":[{"a":[1,{"b":null}]} , 2,"x" ,true], "exportedAt":-1.5e3 }\n'),
    ).toEqual([
      ['field', 'version', '1.0'],
      ['ticket', 0, { a: [1, { b: null }] }],
      ['ticket', 1, 2],
      ['ticket', 2, 'x'],
      ['ticket', 3, true],
      ['ticketsEnd', 4],
      ['field', 'exportedAt', -1500],
    ])
  })

  test('may be empty or have no tickets', () => {
    expect(calls('{}')).toEqual([])
    expect(calls('{"tickets":[]}')).toEqual([['ticketsEnd', 0]])
  })

  test('delivers `tickets` as a field if it is not an array, and other arrays as fields', () => {
    expect(calls('{"tickets":{"tickets":[1]}}')).toEqual([['field', 'tickets', { tickets: [1] }]])
    expect(calls('{"Tickets":[1],"":[[]]}')).toEqual([
      ['field', 'Tickets', [1]],
      ['field', '', [[]]],
    ])
  })

  test('has tickets under that name even if it is written with escapes', () => {
    expect(calls('{"\\u0074ickets":[1]}')).toEqual([
      ['ticket', 0, 1],
      ['ticketsEnd', 1],
    ])
  })

  test.each(['[1,{"tickets":[2]}]', '"text"', '-12.5', '0', 'null', 'true', '[]', ' 1e400 '])(
    'may be something other than an object: %s',
    (text) => {
      expect(calls(text)).toEqual([['root', JSON.parse(text)]])
    },
  )

  test('may start with one byte-order mark, even split into chunks', () => {
    const bytes = Buffer.from('\ufeff{"version":"1.0"}')
    expect(scanChunks([bytes.subarray(0, 1), bytes.subarray(1, 2), bytes.subarray(2)]).calls).toEqual([
      ['field', 'version', '1.0'],
    ])
    expect(refusal('\ufeff\ufeff{}')).toBe('expected a value, found the byte 0xef at byte 3 (line 1, column 1)')
    expect(refusal('\n\ufeff{}')).toBe('expected a value, found the byte 0xef at byte 1 (line 2, column 1)')
    expect(refusal(Buffer.from([0xef, 0xbb]))).toBe(
      'expected a byte-order mark, found the end of the file at byte 2 (line 1, column 3)',
    )
  })

  test('may contain `__proto__` as a name, lone surrogates and infinite numbers', () => {
    const [field] = calls('{"__proto__":{"__proto__":1}}')
    expect(field?.[1]).toBe('__proto__')
    expect(Object.entries(field?.[2] as object)).toEqual([['__proto__', 1]])
    expect(calls('{"a":"\\ud83d","b":1e400}')).toEqual([
      ['field', 'a', '\ud83d'],
      ['field', 'b', Number.POSITIVE_INFINITY],
    ])
  })

  test('is delivered up to the first syntax error', () => {
    expect(scanText('{"tickets":[1,2,}').calls).toEqual([
      ['ticket', 0, 1],
      ['ticket', 1, 2],
    ])
  })
})

describe('invalid JSON is rejected with the error and its position', () => {
  test.each([
    ['', 'expected a value, found the end of the file at byte 0 (line 1, column 1)'],
    [' \n ', 'expected a value, found the end of the file at byte 3 (line 2, column 2)'],
    ['{"a":1,}', 'expected a name in quotes, found `}` at byte 7 (line 1, column 8)'],
    ['{,}', 'expected a name in quotes or `}`, found `,` at byte 1 (line 1, column 2)'],
    ['{"a" 1}', 'expected a colon, found `1` at byte 5 (line 1, column 6)'],
    ['{"a":}', 'expected a value, found `}` at byte 5 (line 1, column 6)'],
    ['{"a":1 "b"', 'expected a comma or `}`, found `"` at byte 7 (line 1, column 8)'],
    ['{"a":1]', 'expected a comma or `}`, found `]` at byte 6 (line 1, column 7)'],
    ['{"a":1', 'expected a comma or `}`, found the end of the file at byte 6 (line 1, column 7) in a'],
    ['{} {}', 'expected nothing more, found `{` at byte 3 (line 1, column 4)'],
    ['1 1', 'expected nothing more, found `1` at byte 2 (line 1, column 3)'],
    ['01', 'expected nothing more, found `1` at byte 1 (line 1, column 2)'],
    ['{"a":[1,]}', 'expected a value, found `]` at byte 8 (line 1, column 9) in a'],
    ['{"tickets":[1,]}', 'expected a value, found `]` at byte 14 (line 1, column 15)'],
    ['{"tickets":[[1 2]]}', 'expected a comma or `]`, found `2` at byte 15 (line 1, column 16) in tickets[0]'],
    ['{"tickets":[0,\n{"õ":tru}]}', 'expected `true`, found `}` at byte 24 (line 2, column 9) in tickets[1]'],
    ['{"a":falsy}', 'expected `false`, found `y` at byte 9 (line 1, column 10) in a'],
    ['{"a":nul', 'expected `null`, found the end of the file at byte 8 (line 1, column 9) in a'],
    ['{"a":NaN}', 'expected a value, found `N` at byte 5 (line 1, column 6)'],
    ['{"a":-}', 'expected a digit, found `}` at byte 6 (line 1, column 7) in a'],
    ['{"a":1.}', 'expected a digit, found `}` at byte 7 (line 1, column 8) in a'],
    ['{"a":1e+}', 'expected a digit, found `}` at byte 8 (line 1, column 9) in a'],
    ['{"a":"\\x"}', 'expected a valid JSON escape, found `x` at byte 7 (line 1, column 8) in a'],
    ['{"a":"\\u00g0"}', 'expected four hexadecimal digits, found `g` at byte 10 (line 1, column 11) in a'],
    ['{"a":"\n"}', 'expected an escape for a control character, found the byte 0x0a at byte 6 (line 1, column 7) in a'],
    ['{"a', 'expected a closing quote, found the end of the file at byte 3 (line 1, column 4)'],
    ['{\u00a0}', 'expected a name in quotes or `}`, found the byte 0xc2 at byte 1 (line 1, column 2)'],
    [
      '{"a\u0001\n\u0001":1}',
      'expected an escape for a control character, found the byte 0x01 at byte 3 (line 1, column 4)',
    ],
  ])('%j', (text, expected) => {
    expect(refusal(text)).toBe(expected)
  })

  test.each([
    ['a continuation alone', [0x80], 2, 3],
    ['an overlong form', [0xc0, 0x80], 2, 3],
    ['an overlong form of three bytes', [0xe0, 0x9f, 0xbf], 3, 4],
    ['a surrogate', [0xed, 0xa0, 0x80], 3, 4],
    ['past the last character', [0xf4, 0x90, 0x80, 0x80], 3, 4],
    ['a truncated character, which is one column', [0xe2, 0x82, 0x22], 4, 4],
  ])('invalid UTF-8: %s', (_name, bytes, at, column) => {
    const text = Buffer.concat([Buffer.from('["'), Buffer.from(bytes), Buffer.from('"]')])
    expect(refusal(text)).toContain('expected valid UTF-8, found ')
    expect(refusal(text)).toContain(` at byte ${at} (line 1, column ${column})`)
  })

  test('counts columns in characters', () => {
    expect(refusal('["õ€😀"x]')).toBe('expected a comma or `]`, found `x` at byte 12 (line 1, column 7)')
  })
})

describe('a duplicate name in one object is rejected', () => {
  test.each([
    ['{"version":1,\n "version":1}', 'the name `version` is used twice at byte 15 (line 2, column 2)'],
    ['{"tickets":[],"tickets":[]}', 'the name `tickets` is used twice at byte 14 (line 1, column 15)'],
    ['{"tickets":[{"a":1},{"a":1,"\\u0061":2}]}', 'the name `a` is used twice in tickets[1]'],
    ['{"tickets":[{"c":[0,{"d":[],"e,\\"":[1],"d":2}]}]}', 'the name `d` is used twice in tickets[0].c[1]'],
    ['{"a":{"b":{"__proto__":1,"__proto__":1}}}', 'the name `__proto__` is used twice in a.b'],
    ['[{"a":{},"b":"\\"","a":{}}]', 'the name `a` is used twice in manifest[0]'],
    ['{"a":{"\\n":1,"\\n":1}}', 'the name `\\n` is used twice in a'],
    [
      `{"${'x'.repeat(101)}":1,"${'x'.repeat(101)}":1}`,
      `the name \`${'x'.repeat(100)}…\` is used twice at byte 107 (line 1, column 108)`,
    ],
  ])('%s', (text, expected) => {
    expect(refusal(text)).toBe(expected)
  })

  test('but the same name in two objects, or as a text, is accepted', () => {
    expect(refusal('{"a":{"a":["a",{"a":"a"},{"a":"a"}]},"tickets":[{"a":1},{"a":1}]}')).toBeUndefined()
  })
})
