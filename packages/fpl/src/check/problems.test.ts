import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BOUNDS } from '../limits.ts'
import { parseJson } from '../manifest/parse-json.ts'
import { createProblemList, invalidManifest, problemAt, show, showName } from './problems.ts'

test('a problem list describes only the problems it keeps', () => {
  const list = createProblemList()
  let described = 0
  for (let index = 0; index < BOUNDS.problemsInReport + 5; index += 1) {
    list.add(() => {
      described += 1
      return problemAt(`tickets[${index}]`, 'must be an object', null)
    })
  }
  expect(list.count).toBe(10_005)
  expect(list.kept.length).toBe(10_000)
  expect(described).toBe(10_000)
  expect(list.kept.at(-1)?.message).toBe('tickets[9999]: null must be an object')
})

test('a semicolon in a name or value cannot fake another problem of the message', () => {
  const faked = 'x; tickets[1].title: must not be blank;'
  const problems = [
    problemAt('manifest', `must not have unknown field ${show(faked)}`),
    problemAt('version', 'is', faked),
  ]
  const parts = invalidManifest(problems).slice('Invalid manifest: '.length).split(/;\s*/)
  expect(parts).toEqual([
    String.raw`manifest: must not have unknown field x\u003b tickets[1].title: must not be blank\u003b`,
    String.raw`version: x\u003b tickets[1].title: must not be blank\u003b is`,
  ])
  // The report has its own columns, so it shows the value as it is.
  expect(problems[1]?.value).toBe(faked)
})

describe('a value in a message', () => {
  test.each([
    ['text as it is', 'not an email', 'not an email'],
    ['text with quotes and backslashes too', 'a "b" \\n', 'a "b" \\n'],
    ['blank text in quotes, to make it visible', '  ', '"  "'],
    ['empty text in quotes', '', '""'],
    ['a number', 7, '7'],
    ['an infinite number', Number.POSITIVE_INFINITY, 'Infinity'],
    ['null', null, 'null'],
    ['nothing in it', [[], {}], '[[],{}]'],
    [
      'other JSON as JSON',
      { a: [1, 'x', null, true], 'b"': { c: '\n' } },
      '{"a":[1,"x",null,true],"b\\"":{"c":"\\n"}}',
    ],
    ['lines and tabs escaped', 'a\r\n\tb', 'a\\r\\n\\tb'],
    ['the bell, DEL and C1 escaped', '\u0007x\u007f\u009b', '\\u0007x\\u007f\\u009b'],
    ['direction marks escaped', 'a\u202eb\u2066\u200f\u061c', 'a\\u202eb\\u2066\\u200f\\u061c'],
    ['line separators escaped', 'a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['a lone surrogate escaped', 'a\ud83d', 'a\\ud83d'],
  ])('is %s', (_, value, shown) => {
    expect(show(value)).toBe(shown)
  })

  test.each(['1.0', '4.50', '1E2', '-0', '1e400', '9007199254740993', '[1.0,{"a":1e2}]', '12', 'true'])(
    'is a number as the author wrote it: %s',
    (json) => {
      expect(show(parseJson(json, { spelled: true }))).toBe(json)
    },
  )

  test('shows characters that take no room or look like a space, and spaces at the ends of a name', () => {
    expect(show('a\u200bb\u00ad\ufeff\u00a0\u2003\u3164\u2800c d')).toBe(
      'a\\u200bb\\u00ad\\ufeff\\u00a0\\u2003\\u3164\\u2800c d',
    )
    expect(show('\u{e0061}')).toBe('\\udb40\\udc61')
    expect([' a', 'a ', 'a b', 'a\u00a0'].map(showName)).toEqual(['" a"', '"a "', 'a b', 'a\\u00a0'])
  })

  test('is truncated after 100 characters, however many UTF-16 units they take', () => {
    expect(show('x'.repeat(100))).toBe('x'.repeat(100))
    expect(show('x'.repeat(101))).toBe(`${'x'.repeat(100)}…`)
    expect(show('😀'.repeat(100))).toBe('😀'.repeat(100))
    expect(show('😀'.repeat(101))).toBe(`${'😀'.repeat(100)}…`)
    expect(show(Array.from({ length: 200_000 }, () => 1))).toBe(`${'[1,1'.padEnd(100, ',1')}…`)
    expect(show({ text: '😀'.repeat(300) })).toBe(`{"text":"${'😀'.repeat(91)}…`)
    expect(show(' '.repeat(1000))).toBe(`"${' '.repeat(99)}…`)
  })

  test('is shown as JSON unless it is text', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        fc.pre(typeof value !== 'string' && !JSON.stringify(value).includes('e-'))
        const json = JSON.stringify(JSON.parse(JSON.stringify(value)))
        fc.pre(/^[ -~]*$/.test(json))
        expect(show(value)).toBe(json.length > 100 ? `${json.slice(0, 100)}…` : json)
      }),
    )
  })
})
