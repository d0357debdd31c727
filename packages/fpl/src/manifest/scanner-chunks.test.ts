import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countNames } from './repeated-name.ts'
import { chunksOf, type Scanned, scanChunks } from './testing/scan.ts'

/** JSON with difficult parts: escapes, white space, long numbers, names that the manifest uses. */
const name = fc.oneof(fc.constantFrom('tickets', 'version', 'a', '', '__proto__', '\\'), fc.string({ unit: 'binary' }))
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(' ', '\t', 'õ', '€', '😀', '"', '\\', '\ud83d') }),
      fc.double(),
      fc.maxSafeInteger(),
      fc.constantFrom(null, true, false),
    ),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(name, tie('value'), { maxKeys: 5, noNullPrototype: true }),
  ),
})).value
const manifest = fc.oneof(
  value,
  fc.record({ version: value, tickets: fc.array(value, { maxLength: 6 }), rest: value }, { requiredKeys: [] }),
)

const source = fc
  .tuple(manifest, fc.constantFrom('', ' ', '\n', '\t'), fc.boolean(), fc.boolean())
  .map(([root, indent, isEscaped, hasMark]) => {
    let text = JSON.stringify(root, null, indent)
    if (isEscaped) text = text.replace(/[^\n -~]/gu, (all) => all.split('').map(escaped).join(''))
    return Buffer.from(hasMark ? `\ufeff${text}` : text)
  })
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

const mutation = fc.record({
  at: fc.nat(),
  bytes: fc.oneof(
    fc.constantFrom(...'{}[],:"\\ \n0-+.eEtu').map((each) => [...Buffer.from(each)]),
    fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 2 }),
  ),
  removed: fc.nat(2),
})
const mutated = fc.tuple(source, fc.array(mutation, { maxLength: 3 })).map(([bytes, mutations]) =>
  mutations.reduce((all, { at, bytes: added, removed }) => {
    const place = at % (all.length + 1)
    return Buffer.concat([all.subarray(0, place), Buffer.from(added), all.subarray(place + removed)])
  }, bytes),
)
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })

function parse(bytes: Uint8Array): { root: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    JSON.parse(text)
    return { root: withEscapesInNames(JSON.parse(withoutEscapesInNames(text))) }
  } catch {
    return undefined
  }
}

// JSON.parse misreads names with escapes (nodejs/node#63785), so it gets other characters in their place.
const MARK = '\ue000\ue001'
const withoutEscapesInNames = (text: string) =>
  text.replace(/("(?:[^"\\]|\\.)*")(\s*:)?/g, (all, name: string, colon?: string) => {
    if (colon === undefined) return all
    const marked = JSON.parse(name).replace(/["\\\p{Cc}\p{Cs}]/gu, (each: string) => MARK + moved(each, 0x1000))
    return `"${marked}"${colon}`
  })
const moved = (unit: string, by: number) => String.fromCharCode(unit.charCodeAt(0) + by)

function withEscapesInNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withEscapesInNames)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([marked, each]) => {
      const [first, ...rest] = marked.split(MARK)
      return [first + rest.map((part) => moved(part, -0x1000) + part.slice(1)).join(''), withEscapesInNames(each)]
    }),
  )
}

/** The calls that a scanner must make for this root. */
function owed(root: unknown): unknown[] {
  if (typeof root !== 'object' || root === null || Array.isArray(root)) return [['root', root]]
  return Object.entries(root).flatMap(([field, each]): unknown[] =>
    field === 'tickets' && Array.isArray(each)
      ? [...each.map((ticket, index) => ['ticket', index, ticket]), ['ticketsEnd', each.length]]
      : [['field', field, each]],
  )
}

/** The number of names, including duplicates. */
const colonsOutsideTexts = (bytes: Buffer) =>
  bytes
    .toString()
    .replace(/"(?:[^"\\]|\\.)*"/g, '')
    .split(':').length - 1

// An object moves names that are array indexes to its front. Another test compares the order of calls.
const sorted = (calls: readonly unknown[]) => calls.map((call) => stable(call)).sort()
const stable = (call: unknown) =>
  JSON.stringify(call, (_name, each) => (Object.is(each, -0) ? '-0' : each === Infinity ? 'Infinity' : each))

describe('the scanner', () => {
  test('accepts exactly what JSON.parse accepts, with equal values, except duplicate names', () => {
    let taken = 0
    fc.assert(
      fc.property(mutated, (bytes) => {
        const { calls, refusal } = scanChunks([bytes])
        const parsed = parse(bytes)
        if (!parsed) {
          expect(refusal).toBeDefined()
        } else if (colonsOutsideTexts(bytes) > countNames(parsed.root)) {
          expect(refusal).toContain('is used twice')
        } else {
          taken += 1
          expect(refusal).toBeUndefined()
          expect(sorted(calls)).toEqual(sorted(owed(parsed.root)))
        }
      }),
      cases(2_500),
    )
    expect(taken).toBeGreaterThan(200)
  })

  test('gives the same result however the bytes are split into chunks', () => {
    fc.assert(
      fc.property(
        mutated,
        sizes,
        fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
        (bytes, cuts, limit) => {
          const options = limit === undefined ? {} : { cutTextsOver: limit }
          const whole: Scanned = scanChunks([bytes], options)
          expect(scanChunks(chunksOf(bytes, cuts), options)).toEqual(whole)
          expect(scanChunks(chunksOf(bytes, [1]), options)).toEqual(whole)
        },
      ),
      cases(300),
    )
  })

  test('separates names that JSON.parse confuses', () => {
    scanChunks([Buffer.from(String.raw`{"tickets":[{"h":[],"\\":0}]}`)])
    const { calls } = scanChunks([
      Buffer.from(String.raw`{"tickets":[{"h":1,"\"":2,"\n":3,"__proto__":4,"b":[ {} , 1 ]}]}`),
    ])
    expect(Object.entries(calls[0]?.[2] as object)).toEqual([
      ['h', 1],
      ['"', 2],
      ['\n', 3],
      ['__proto__', 4],
      ['b', [{}, 1]],
    ])
  })

  test('does so for texts longer than its slices', () => {
    const text = Buffer.from(
      JSON.stringify({ tickets: [['õ😀\n'.repeat(40_000), 1], 'x'.repeat(70_000)], a: ' '.repeat(70_000) }),
    )
    for (const options of [{}, { cutTextsOver: 65_536 }, { cutTextsOver: 1000 }]) {
      const whole = scanChunks([text], options)
      expect(whole.refusal).toBeUndefined()
      for (const size of [997, 65_535, 65_537, 100_000])
        expect(scanChunks(chunksOf(text, [size]), options)).toEqual(whole)
    }
  })
})
