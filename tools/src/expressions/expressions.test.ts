import { MEDIA_TYPE, NOT_BLANK } from '@plantroom/contract/patterns'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../steps.ts'
import { findExpressions, inSource } from './find-expressions.ts'
import { slowText } from './slow-text.ts'

/** Patterns that the contract puts together from parts. */
const COMPOSED = [MEDIA_TYPE, NOT_BLANK].map((source) => ({ place: 'contract/patterns', source, flags: 'u' }))

test('every regular expression needs linear time for 100,000 hostile characters', { timeout: 120_000 }, () => {
  const all = [...findExpressions(ROOT), ...COMPOSED]
  expect(all.length).toBeGreaterThan(400)
  const distinct = new Map(all.map((found) => [`/${found.source}/${found.flags}`, found]))
  const slow = [...distinct].flatMap(([expression, { place, source, flags }]) => {
    const text = slowText(source, flags)
    return text ? [`${place} ${expression}: try ${JSON.stringify(text)}`] : []
  })
  expect(slow).toEqual([])
})

describe('a regular expression that was in this repository is recognised as slow', () => {
  test.each([
    ['spaces around the end of a line', /\s*\n\s*/g],
    ['slashes at the end', /\/+$/],
    ['dashes at both ends', /^-+|-+$/g],
    ['a named mail address', /^\s*"?([^"<>]*?)"?\s*<\s*(?:mailto:)?([^<>\s]+)\s*>\s*$/i],
    ['a place in brackets', /^(.+) \((.+)\)$/],
    ['brackets of a number format', /\[[^\]]*\]/g],
    ['base64', /^[A-Za-z0-9+/\s]*={0,2}\s*$/],
    ['a long random text', /(?<![\w-])(?!\w{1,12}_[0-9a-hjkmnp-tv-z]{20}(?![\w-]))[\w-]*(?=[\w-]*\d)[\w-]{24,}/g],
  ])('%s', { timeout: 30_000 }, (_what, { source, flags }) => {
    expect(slowText(source, flags)).toBeDefined()
  })
})

test('literals and patterns of schemas are found, with their place', () => {
  const source = ['const a = /b+/gi', "const c = { pattern: '^[a-z]+$' }", "const d = 'text'"].join('\n')
  expect(inSource('x.ts', source)).toEqual([
    { place: 'x.ts:1', source: 'b+', flags: 'gi' },
    { place: 'x.ts:2', source: '^[a-z]+$', flags: 'u' },
  ])
})
