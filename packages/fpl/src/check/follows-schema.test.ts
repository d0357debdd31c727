import { parseTimestamp } from '@plantroom/contract/timestamp'
import { cases } from '@plantroom/testkit/repetitions'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { followsSchema, isDateTime } from './follows-schema.ts'

describe('a date-time', () => {
  const digits = (length: number) => fc.nat(10 ** length - 1).map((number) => String(number).padStart(length, '0'))
  const near = fc
    .tuple(
      fc.oneof(fc.constantFrom('0000', '0999', '8999', '9999'), digits(4)),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      fc.constantFrom('T', 't', ' '),
      fc.integer({ min: 0, max: 24 }),
      fc.integer({ min: 0, max: 60 }),
      fc.integer({ min: 0, max: 61 }),
      fc.constantFrom('', '.5', '.123456789', '.', '.1234567890'),
      fc.constantFrom('Z', 'z', '', '+02:00', '-23:59', '+24:00', '+00:60', '+0200'),
    )
    .map(([year, month, day, separator, hour, minute, second, fraction, zone]) => {
      const [mm, dd, hh, min, ss] = [month, day, hour, minute, second].map((part) => String(part).padStart(2, '0'))
      return `${year}-${mm}-${dd}${separator}${hh}:${min}:${ss}${fraction}${zone}`
    })

  test('follows the same rules as everywhere else in Plantroom', () => {
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        expect(isDateTime(text)).toBe(parseTimestamp(text) !== undefined)
      }),
      cases(2_000),
    )
  })

  test.each([
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01',
    '2026-01-01T00:00:00Z\n',
  ])('is not %j', (text) => {
    expect(isDateTime(text)).toBe(false)
  })
})

describe('the schema', () => {
  const ticket = { externalId: 'A-1', title: 'Leaking tap', state: 'new' }

  test('accepts a valid ticket and rejects an invalid one', () => {
    expect(followsSchema(ticket)).toBe(true)
    expect(followsSchema({ ...ticket, state: 'New' })).toBe(false)
  })

  test.each([
    ['assignee', `${'a'.repeat(100_000)}@`],
    ['assignee', `a@${'a.'.repeat(100_000)}`],
    ['assignee', `${'a@'.repeat(100_000)}b.ee`],
    ['path', `attachments/${'a/'.repeat(50_000)}/`],
    ['path', `attachments/${'.'.repeat(100_000)}\\`],
    ['name', `${' '.repeat(100_000)}\\`],
    ['name', `${'./'.repeat(50_000)}`],
  ])('rejects a hostile %s in linear time', (field, text) => {
    const refused =
      field === 'assignee' ? { assignee: text } : { attachments: [{ path: 'attachments/a', [field]: text }] }
    // A backtracking pattern would take minutes for one of these, and the test would time out.
    for (let time = 0; time < 50; time += 1) expect(followsSchema({ ...ticket, ...refused })).toBe(false)
  })
})
