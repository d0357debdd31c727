import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isBalancedObject } from './balanced-json.ts'

const isClosed = (text: string) => isBalancedObject(Buffer.from(text))

describe('a closed object', () => {
  test('is every object that JSON can state', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), fc.nat(3), (object, indent) => {
        expect(isClosed(JSON.stringify(object, null, indent))).toBe(true)
      }),
      cases(300),
    )
  })

  test('cannot change what is around it', () => {
    // Mostly brackets and quotes, so that many of the texts nearly work.
    const token = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      '\\',
      ',',
      ':',
      '"reqId":',
      '"a":',
      '"x"',
      '1',
      '\n',
      "'",
      '/*',
    )
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        const text = `{${tokens.join('')}}`
        if (!isClosed(text)) return
        const wrapped = parse(`{"reqId":"own","data":${text}}`)
        if (wrapped !== undefined) expect([Object.keys(wrapped), wrapped.reqId]).toEqual([['reqId', 'data'], 'own'])
      }),
      cases(5000),
    )
  })

  test.each([
    '',
    '{',
    '}',
    '1',
    '"{}"',
    '[{}]',
    'nothing',
    ' {}',
    '{}\n',
    '{}{}',
    '{},"reqId":"forged","x":{}',
    '{}},"reqId":"forged"}',
    '{"a":"}',
    '{"a":"\\"}',
    '{"a":"\\\\"},"reqId":"forged","b":{"c":"\\\\"}',
    '{"a":"\n"}',
    // Readers that allow more than JSON see the end of the object elsewhere.
    `{'a':'"'},"reqId":"forged","b":{'c':'"'}`,
    '{/*"*/},"reqId":"forged","b":{/*"*/}',
    '{"a":1]',
  ])('is not %j', (text) => {
    expect(isClosed(text)).toBe(false)
  })
})

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
