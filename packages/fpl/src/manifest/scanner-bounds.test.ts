import { describe, expect, test } from 'vitest'
import { BOUNDS } from '../limits.ts'
import { createManifestScanner } from './scanner.ts'
import { scanChunks, scanText } from './testing/scan.ts'

const CUT = { cutTextsOver: 65_536 }
const MEGABYTE = 1_000_000

function* around(before: string, filling: string, times: number, after: string) {
  yield Buffer.from(before)
  const chunk = Buffer.from(filling)
  for (let count = 0; count < times; count++) yield chunk
  yield Buffer.from(after)
}

/** Measures the peak growth of memory outside the heap, where a buffer that retains everything would show. */
function peakOf(action: (look: () => void) => void): number {
  const before = process.memoryUsage().arrayBuffers
  let peak = before
  action(() => {
    peak = Math.max(peak, process.memoryUsage().arrayBuffers)
  })
  return peak - before
}

describe('nesting', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)

  test('is accepted up to the bound, counted from the root', () => {
    expect(scanText(nested(BOUNDS.manifestDepth)).refusal).toBeUndefined()
    expect(scanText(nested(BOUNDS.manifestDepth + 1)).refusal).toBe(
      'more than 64 levels of nesting at byte 64 (line 1, column 65)',
    )
    expect(scanText(`{"tickets":[${nested(BOUNDS.manifestDepth - 1)}]}`).refusal).toBe(
      'more than 64 levels of nesting at byte 74 (line 1, column 75) in tickets[0]',
    )
  })

  test('of a million brackets is rejected at the first excess bracket', () => {
    expect(scanText('['.repeat(1e6)).refusal).toContain('more than 64 levels of nesting at byte 64 ')
    expect(scanText('{"a":'.repeat(1e6)).refusal).toContain('more than 64 levels of nesting at byte 320 ')
  })
})

describe('the number of values', () => {
  const bound = BOUNDS.valuesParsedAtOnce
  const numbers = (count: number) => `[${Array(count).fill(1).join()}]`

  function deliveredOf(text: string) {
    const delivered: string[] = []
    const scanner = createManifestScanner({
      field: (name, value) => delivered.push(`${name} ${(value as unknown[]).length}`),
      root: (value) => delivered.push(`root ${(value as unknown[]).length}`),
      ticket: (_index, value) => delivered.push(`ticket ${(value as unknown[]).length}`),
      largeTicket: (_index, source, values) => delivered.push(`${values} values in ${source.size} bytes`),
    })
    scanner.push(Buffer.from(text))
    scanner.end()
    return delivered
  }

  test('in a ticket that is parsed at once is bounded; a larger one is delivered as its source', () => {
    expect(deliveredOf(`{"tickets":[${numbers(bound - 1)}]}`)).toEqual([`ticket ${bound - 1}`])
    expect(deliveredOf(`{"tickets":[${numbers(bound)}]}`)).toEqual([`${bound + 1} values in ${2 * bound + 1} bytes`])
  })

  test('does not matter to the reader of a checked manifest, which takes every ticket as a value', () => {
    expect(scanText(`{"tickets":[${numbers(bound)}]}`).calls[0]).toEqual(['ticket', 0, Array(bound).fill(1)])
  })

  test.each([
    ['a field', (value: string) => `{"notes":${value}}`, 'notes'],
    ['a root that is not an object', (value: string) => value, 'root'],
  ])('in %s beyond the bound leaves its start, which is enough for a message', (_, inside, name) => {
    expect(deliveredOf(inside(numbers(bound - 1)))).toEqual([`${name} ${bound - 1}`])
    expect(deliveredOf(inside(numbers(bound)))).toEqual([expect.stringMatching(`^${name} \\d{3,4}$`)])
  })

  test('is bounded per ticket, not for all tickets together', () => {
    let seen = 0
    const scanner = createManifestScanner({ field() {}, root() {}, ticket: () => void seen++ })
    for (const chunk of around('{"tickets":[{}', ',{}'.repeat(1000), 1000, ']}')) scanner.push(chunk)
    scanner.end()
    expect(seen).toBe(1_000_001)
  })

  test('of the manifest itself is not bounded, but only the first names are compared', () => {
    const fields = (count: number) => Array.from({ length: count }, (_, index) => `"${index}":0`)
    const twice = (count: number) => scanText(`{${[...fields(count), `"${count - 1}":0`].join()}}`).refusal
    expect(twice(BOUNDS.fieldNames)).toMatch(/^the name `199999` is used twice at byte \d+ /)
    expect(twice(BOUNDS.fieldNames + 1)).toBeUndefined()
  })
})

describe('the size', () => {
  test('of one text may be that of the whole manifest, because the scanner never retains it', () => {
    const chunk = 'x'.repeat(MEGABYTE)
    const peak = peakOf((look) => {
      const lengths: number[] = []
      const scanner = createManifestScanner(
        { field() {}, root() {}, ticket: (_index, value) => void lengths.push((value as string).length) },
        CUT,
      )
      for (const each of around('{"tickets":["', chunk, 100, '"]}')) {
        scanner.push(each)
        look()
      }
      scanner.end()
      expect(lengths).toEqual([65_536])
    })
    expect(peak).toBeLessThan(4 * MEGABYTE)
  })

  test('of one ticket may be that of the whole manifest; a checker gets its source', () => {
    const sizes: number[] = []
    const scanner = createManifestScanner(
      {
        field() {},
        root() {},
        ticket: () => void sizes.push(0),
        largeTicket: (_index, source) => void sizes.push(source.size),
      },
      CUT,
    )
    const texts = `"${'x'.repeat(60_000)}",`
    for (const chunk of around('{"tickets":[0,[', texts, 300, '0]]}')) scanner.push(chunk)
    scanner.end()
    expect(sizes).toEqual([0, 300 * 60_003 + 3])
  })

  test('excludes the bytes that were cut', () => {
    let delivered = 0
    const visitor = { field() {}, root() {}, ticket: () => void delivered++, largeTicket() {} }
    const scanner = createManifestScanner(visitor, CUT)
    for (const chunk of around('{"tickets":[[', `"${'x'.repeat(MEGABYTE)}",`, 50, '0]]}')) scanner.push(chunk)
    scanner.end()
    expect(delivered).toBe(1)
  })

  test('of a number is unbounded: ten million digits parse as with JSON.parse', () => {
    const { calls } = scanChunks(around('{"tickets":[0.', '3'.repeat(MEGABYTE), 10, ']}'), CUT)
    expect(calls[0]).toEqual(['ticket', 0, 1 / 3])
  })
})
