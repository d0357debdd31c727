import { expect, test } from 'vitest'
import { addProbes, findParts, partAround } from './probes.ts'

const probed = (source: string) => addProbes('a.ts', source, findParts('a.ts', source)).split('\nimport ')[0]

test.each([
  ['a function', 'function f() { g() }', 'function f() {mutation_hit(0); g() }'],
  ['a short function', 'const f = (a) => a + 1', 'const f = (a) => (mutation_hit(0),a + 1)'],
  ['a statement of a condition', 'if (a) f()\nelse g()', 'if (a) {mutation_hit(0);f()}\nelse {mutation_hit(1);g()}'],
  ['sides of an expression', 'f(a ? b : c)', 'f(a ? (mutation_hit(0),b) : (mutation_hit(1),c))'],
  ['parts that end together', 'f(a && b && c)', 'f(a && (mutation_hit(1),b) && (mutation_hit(0),c))'],
  ['a part in a part', 'f(() => a ?? b)', 'f(() => (mutation_hit(0),a ?? (mutation_hit(1),b)))'],
])('%s reports that it runs', (_what, source, expected) => {
  expect(probed(source)).toBe(expected)
})

test('a source imports its probes from the root', () => {
  expect(addProbes('packages/a/src/a.ts', 'f()', [])).toContain(`from '../../../mutation-hits.mjs'`)
})

test('the smallest part around a place must run; none needs to where the module is loaded', () => {
  const source = 'const a = 1\nfunction f() { if (b) { g() } }'
  const parts = findParts('a.ts', source, 5)
  const idAt = (text: string) => {
    const start = source.indexOf(text)
    return partAround(parts, { start, end: start + text.length })?.id
  }
  expect([idAt('a = 1'), idAt('if (b)'), idAt('g()')]).toEqual([undefined, 5, 6])
})
