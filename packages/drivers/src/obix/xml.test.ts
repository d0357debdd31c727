import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeXml, parseXml } from './xml.ts'

describe('a document', () => {
  test('is parsed into its elements, with the attributes that matter', () => {
    const text = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>
      <?xml-stylesheet type='text/xsl' href='/obix/xsl'?>
      <!-- a station -->
      <real val="21.5" href="/obix/p/" unit="obix:units/celsius" xmlns="http://obix.org/ns/schema/1.0"
        xsi:schemaLocation="http://obix.org/ns/schema/1.0 /obix/xsd"
        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
        <str name="facets" val="a&amp;b&#x20;&lt;c&gt;"/>words<![CDATA[<more/>]]>
      </real>`
    expect(parseXml(text)).toEqual({
      tag: 'real',
      attributes: { val: '21.5', href: '/obix/p/' },
      children: [{ tag: 'str', attributes: { name: 'facets', val: 'a&b <c>' }, children: [] }],
    })
  })

  test('may use a namespace prefix', () => {
    expect(parseXml('<o:int xmlns:o="http://obix.org/ns/schema/1.0" val="1"/>').tag).toBe('int')
  })

  test('cannot change built-in object properties', () => {
    const { attributes } = parseXml('<obj __proto__="1" constructor="2" toString="3"/>')
    expect(attributes).toEqual({})
    expect(String(attributes)).toBe('[object Object]')
  })
})

const BOMB = `<!DOCTYPE obj [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]><str val="&b;"/>`
const OUTSIDE = '<!DOCTYPE obj [<!ENTITY x SYSTEM "file:///etc/passwd">]><str val="&x;"/>'

describe('the parser rejects', () => {
  test.each([
    ['a bomb of entities', BOMB, 'it has a document type, which is not accepted'],
    ['an entity that is a file', OUTSIDE, 'it has a document type, which is not accepted'],
    ['a document type alone', '<!DOCTYPE obj SYSTEM "http://evil/"><obj/>', 'it has a document type'],
    ['an unknown entity', '<str val="&nbsp;"/>', 'undefined entity'],
    ['an entity by the name of a property', '<str val="&constructor;"/>', 'undefined entity'],
    ['depth', '<obj>'.repeat(65) + '</obj>'.repeat(65), 'it is more than 64 elements deep'],
    ['breadth', `<list>${'<obj/>'.repeat(50_000)}</list>`, 'it has more than 50000 elements'],
    ['a long attribute', `<str val="${'x'.repeat(16_385)}"/>`, 'an attribute is longer than 16384 characters'],
    [
      'an element of attributes',
      `<obj ${Array.from({ length: 65 }, (_, index) => `a${index}="1"`).join(' ')}/>`,
      'an element has more than 64 attributes',
    ],
    ['a duplicate attribute', '<real val="1" val="2"/>', 'duplicate attribute'],
    ['nothing', '', 'document must contain a root element'],
    ['a second root', '<obj/><obj/>', 'documents may contain only one root'],
    ['what breaks off', '<list><real val="1"/>', 'unclosed tag'],
    ['a page', '<html><br></html>', 'unexpected close tag'],
    ['JSON', '{"val": 1}', 'text data outside of root node'],
    ['a bell', '<str val="\u0007"/>', 'disallowed character'],
  ])('%s', (_, text, reason) => {
    expect(() => parseXml(text)).toThrow(reason)
  })

  test('nothing that is just within the limits', () => {
    expect(parseXml('<obj>'.repeat(64) + '</obj>'.repeat(64)).children).toHaveLength(1)
    expect(parseXml(`<list>${'<obj/>'.repeat(49_999)}</list>`).children).toHaveLength(49_999)
  })
})

test('any text survives a round trip through an attribute', () => {
  // Characters that XML does not allow or normalizes cannot occur in the path of an address.
  const text = fc.string({ unit: fc.constantFrom(...`<>&"'/?=%#;$ äö漢😀abcXYZ019._-`) })
  fc.assert(
    fc.property(text, (value) => {
      expect(parseXml(`<uri val="${escapeXml(value)}"/>`).attributes.val).toBe(value)
    }),
  )
})

test('any input gives a document or a one-line reason', () => {
  const pieces = fc.constantFrom(
    '<',
    '>',
    '/',
    '"',
    '=',
    ' ',
    '&',
    ';',
    '<!',
    '<?',
    '?>',
    '<![CDATA[',
    ']]>',
    '--',
    'val',
    'obj',
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 40 }), (parts) => {
      try {
        expect(typeof parseXml(parts.join('')).tag).toBe('string')
      } catch (error) {
        expect((error as Error).message).not.toBe('')
      }
    }),
  )
})
