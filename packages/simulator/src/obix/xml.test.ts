import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { childNamed, type Element, element, parseXml, renderXml } from './xml.ts'

describe('XML', () => {
  test('is parsed with or without a prefix', () => {
    const plain =
      '<obj xmlns="http://obix.org/ns/schema/1.0" is="obix:WatchIn"><list name="hrefs"><uri val="/a&amp;b/"/></list></obj>'
    const prefixed =
      '<o:obj xmlns:o="http://obix.org/ns/schema/1.0" is="obix:WatchIn"><o:list name="hrefs"><o:uri val="/a&#38;b/"/></o:list></o:obj>'
    for (const text of [plain, prefixed]) {
      const read = parseXml(text)
      expect(read).toMatchObject({ tag: 'obj', attributes: { is: 'obix:WatchIn' } })
      expect(childNamed(read, 'hrefs')?.children).toEqual([{ tag: 'uri', attributes: { val: '/a&b/' }, children: [] }])
    }
  })

  test.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['an open end', '<real val="1">'],
    ['two roots', '<real/><real/>'],
    ['an entity of its own', '<!DOCTYPE real [<!ENTITY a "1">]><real val="&a;"/>'],
    ['an unknown entity', '<real val="&a;"/>'],
    ['no end of depth', `${'<a>'.repeat(1000)}${'</a>'.repeat(1000)}`],
  ])('is rejected if it has %s', (_name, text) => {
    expect(() => parseXml(text)).toThrow()
  })

  const elementWith = (children: fc.Arbitrary<Element[]>) =>
    fc.record<Element>({
      tag: fc.constantFrom('obj', 'real', 'list'),
      attributes: fc.dictionary(
        fc.constantFrom('val', 'href', 'display'),
        fc.string({ unit: fc.constantFrom('a', '<', '>', '&', '"', "'", '\n', '\t', '°', ']]>', '\u{1F321}') }),
        { noNullPrototype: true },
      ),
      children,
    })
  const leaf = elementWith(fc.constant([]))
  const anyElement = elementWith(fc.array(elementWith(fc.array(leaf))))

  test('survives a round trip', () => {
    fc.assert(
      fc.property(anyElement, (written) => {
        const { attributes, ...read } = parseXml(renderXml(written))
        const { xmlns, ...own } = attributes
        expect({ ...read, attributes: own }).toEqual(written)
        expect(xmlns).toBe('http://obix.org/ns/schema/1.0')
      }),
    )
  })

  test('omits missing attributes', () => {
    expect(element('real', { val: undefined, href: '/' }).attributes).toEqual({ href: '/' })
  })
})
