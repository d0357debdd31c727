import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parsePath, valueAt, wrapping } from './json-path.ts'

describe('a path', () => {
  test.each([
    ['value', ['value']],
    ['a.b.c', ['a', 'b', 'c']],
    ['sensors[0].temp', ['sensors', 0, 'temp']],
    ['[12]', [12]],
    ['matrix[1][2]', ['matrix', 1, 2]],
    ['meters["1.8.0"].kWh', ['meters', '1.8.0', 'kWh']],
    ['Room 1.temp-out', ['Room 1', 'temp-out']],
    ['$.value', ['value']],
    ['$[0]', [0]],
    ['__proto__.x', ['__proto__', 'x']],
  ])('%s has the steps %j', (text, steps) => {
    expect(parsePath(text)).toEqual({ text, steps })
  })

  test.each([
    '',
    'a..b',
    'a.',
    'a[',
    'a[x]',
    'a[-1]',
    'a[1',
    'a]',
    '[0]x',
    '[""]',
    '["a]',
    'a"b',
    `${'x.'.repeat(32)}x`,
  ])('%s is invalid', (text) => {
    expect(parsePath(text)).toBeUndefined()
  })

  const path = (text: string) => parsePath(text) ?? expect.fail(text)

  test.each([
    ['a.b', { a: { b: 1 } }, 1],
    ['a[1].b', { a: [{}, { b: null }] }, null],
    ['a', {}, undefined],
    ['a.b', { a: 1 }, undefined],
    ['a.b', { a: null }, undefined],
    ['a[1]', { a: [1] }, undefined],
    ['a.length', { a: [1] }, undefined],
    ['a.length', { a: 'text' }, undefined],
    ['a[0]', { a: { '0': 5 } }, 5],
    ['toString', {}, undefined],
    ['__proto__', {}, undefined],
    ['constructor.name', {}, undefined],
    ['value', 7, undefined],
  ])('%s in %j is %j', (text, document, value) => {
    expect(valueAt(document, path(text))).toEqual(value)
  })

  test('of keys creates a document with the value at that place', () => {
    const name = fc.stringMatching(/^[^.[\]"$]+$/)
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.integer(), (names, value) => {
        const parsed = path(names.join('.'))
        const [before, after] = wrapping(parsed) ?? expect.fail('no list in it')
        expect(valueAt(JSON.parse(`${before}${value}${after}`), parsed)).toBe(value)
      }),
    )
  })

  test('with a list index creates none', () => {
    expect(wrapping(path('a[0].b'))).toBeUndefined()
  })
})
