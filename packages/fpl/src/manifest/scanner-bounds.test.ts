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

/** Measures the peak growth of memory outside the heap, where a carry that retains everything would show. */
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
  const bound = BOUNDS.valuesInOneTicket
  const numbers = (count: number) => `[${Array(count).fill(1).join()}]`

  test.each([
    ['a ticket', (value: string) => `{"tickets":[${value}]}`, ' in tickets[0]'],
    ['a field', (value: string) => `{"notes":${value}}`, ' in notes'],
    ['a root that is not an object', (value: string) => value, ''],
  ])('in %s may reach the bound, including the container itself', (_name, inside, where) => {
    expect(scanText(inside(numbers(bound - 1))).refusal).toBeUndefined()
    const { calls, refusal } = scanText(inside(numbers(bound)))
    expect(refusal).toMatch(/^more than 200000 values at byte \d+ \(line 1, column \d+\)/)
    expect(refusal?.endsWith(`)${where}`)).toBe(true)
    expect(calls).toEqual([])
  })

  test('is bounded per ticket, not for all tickets together', () => {
    let seen = 0
    const scanner = createManifestScanner({ field() {}, root() {}, ticket: () => void seen++ })
    for (const chunk of around('{"tickets":[{}', ',{}'.repeat(1000), 1000, ']}')) scanner.push(chunk)
    scanner.end()
    expect(seen).toBe(1_000_001)
  })

  test('of the manifest itself is bounded, and so are its names', () => {
    const fields = (count: number) => `{${Array.from({ length: count }, (_, index) => `"${index}":0`).join()}}`
    expect(scanText(fields(bound)).refusal).toBeUndefined()
    expect(scanText(fields(bound + 1)).refusal).toMatch(/^too many fields at byte \d+ /)
    const long = Array.from({ length: 300 }, (_, index) => `"${index}${'x'.repeat(60_000)}":0`)
    expect(scanText(`{${long.join()}}`, CUT).refusal).toMatch(/^too many fields at byte \d+ /)
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

  test.each([
    ['texts that are each short enough', `"${'x'.repeat(60_000)}",`, 300],
    ['white space', ' '.repeat(MEGABYTE), 17],
    ['a number', '1'.repeat(MEGABYTE), 17],
  ])('of one ticket is bounded when texts are shortened: %s', (_name, filling, times) => {
    expect(scanChunks(around('{"tickets":[0,[', filling, times, '0]]}'), CUT).refusal).toBe(
      'more than 16 MB in tickets[1]',
    )
    expect(scanChunks(around('{"tickets":[0,[', filling, times, '0]]}')).refusal).toBeUndefined()
  })

  test('excludes the bytes that were cut', () => {
    const text = `"${'x'.repeat(MEGABYTE)}",`
    expect(scanChunks(around('{"tickets":[[', text, 50, '0]]}'), CUT).refusal).toBeUndefined()
  })

  test('of a number is unbounded: ten million digits parse as with JSON.parse', () => {
    expect(scanChunks(around('[0.', '3'.repeat(MEGABYTE), 10, ']'), CUT).calls).toEqual([['root', [1 / 3]]])
  })
})
