import { describe, expect, test } from 'vitest'
import { readReportBatch } from './report-batch.ts'
import { entriesOf, entryOf } from './testing/entries.ts'

const DEVICE = 'dev_1'
/** Reads a batch as it arrives, after JSON. */
const read = (batch: unknown) => readReportBatch(DEVICE, JSON.parse(JSON.stringify(batch)))

describe('a batch of reports', () => {
  test('is accepted as a whole and confirmed up to its last entry', () => {
    const entries = entriesOf(DEVICE, 3)
    expect(read({ entries })).toEqual({ items: entries, upTo: 3, rejected: [] })
  })

  test('may contain values as exact digits in text, or null', () => {
    const entry = entryOf(DEVICE, 1, { valueBefore: '9007199254740993', value: null, readBack: null })
    expect(read({ entries: [entry] })?.items).toEqual([entry])
  })

  test('may contain entries without an override or reqId, as from peak shaving', () => {
    const entry = entryOf(DEVICE, 1, { code: 4000, overrideId: null, reqId: null })
    expect(read({ entries: [entry] })?.items).toEqual([entry])
  })

  test.each([
    ['null', null],
    ['text', 'entries'],
    ['a list', []],
    ['without entries', {}],
    ['with entries that are not a list', { entries: { length: 1 } }],
    ['without any entry', { entries: [] }],
    ['without any valid seq', { entries: [null, 5, {}, { seq: '7' }, { seq: -1 }, { seq: 1.5 }, { seq: 1e300 }] }],
  ])('that is %s is not a batch', (_what, batch) => {
    expect(read(batch)).toBeUndefined()
  })

  test.each([
    ['of another device', { deviceId: 'dev_2' }, 'deviceId'],
    ['of no device', { deviceId: undefined }, 'deviceId'],
    ['without an id', { id: undefined }, 'id'],
    ['with an empty id', { id: '' }, 'id'],
    ['with an id that is not text', { id: 5 }, 'id'],
    ['with a very long id', { id: 'x'.repeat(256) }, 'id'],
    ['with U+0000 in a text', { datapointId: 'a\0b' }, 'datapointId'],
    ['with half a character in a text', { connectionId: 'a\ud800' }, 'connectionId'],
    ['of an unknown code', { code: 4002 }, 'code'],
    ['of a code that is text', { code: '4005' }, 'code'],
    ['of a code that is a property of every object', { code: 'toString' }, 'code'],
    ['of no time', { at: 'yesterday' }, 'at'],
    ['of a time without a zone', { at: '2026-01-31T12:00:00' }, 'at'],
    ['of a time before 1970', { at: '0000-01-01T00:00:00Z' }, 'at'],
    ['without a technical system', { technicalSystemId: null }, 'technicalSystemId'],
    ['with an override that is not text', { overrideId: 1 }, 'overrideId'],
    ['without an override field', { overrideId: undefined }, 'overrideId'],
    ['with a reqId that is not text', { reqId: {} }, 'reqId'],
    ['of an unknown phase', { phase: 'begun' }, 'phase'],
    ['of an unknown reason', { reason: 'why not' }, 'reason'],
    ['with a value that is a list', { value: [1] }, 'value'],
    ['with a value of very many digits', { readBack: '1'.repeat(101) }, 'readBack'],
    ['without the value before', { valueBefore: undefined }, 'valueBefore'],
    ['with a seq that is text', { seq: '2' }, 'seq'],
  ])('rejects an entry %s with the reason, and is confirmed', (_what, changes, field) => {
    const [first, last] = [entryOf(DEVICE, 1), entryOf(DEVICE, 3)]
    const batch = read({ entries: [first, { ...entryOf(DEVICE, 2), ...changes }, last] })
    expect(batch).toMatchObject({ items: [first, last], upTo: 3 })
    expect(batch?.rejected).toEqual([expect.stringMatching(new RegExp(`^seq (2|unknown): ${field} is (not|invalid)`))])
  })

  test('rejects a number beyond the range of a double', () => {
    const text = JSON.stringify({ entries: [entryOf(DEVICE, 1)] }).replace('"value":21.5', '"value":1e400')
    expect(readReportBatch(DEVICE, JSON.parse(text))).toMatchObject({ items: [], upTo: 1 })
  })

  test.each([[null], [5], ['text'], [[]]])('rejects %j as an entry', (entry) => {
    const good = entryOf(DEVICE, 1)
    expect(read({ entries: [good, entry] })).toMatchObject({ items: [good], upTo: 1, rejected: [expect.any(String)] })
  })

  test('is confirmed up to an invalid last entry, so that it is not sent again forever', () => {
    const invalid = { ...entryOf(DEVICE, 2), phase: 'begun' }
    expect(read({ entries: [entryOf(DEVICE, 1), invalid] })).toMatchObject({ upTo: 2 })
  })
})
