import { describe, expect, test } from 'vitest'
import { judgeReports } from './judge-reports.ts'
import { entriesOf, entryOf } from './testing/entries.ts'

const DEVICE = 'dev_1'
/** What a device would have sent, after its way through JSON. */
const judge = (batch: unknown) => judgeReports(DEVICE, JSON.parse(JSON.stringify(batch)))

describe('a batch of reports', () => {
  test('that is right is kept whole, and confirmed by the seq of its last entry', () => {
    const entries = entriesOf(DEVICE, 3)
    expect(judge({ entries })).toEqual({ kept: entries, upTo: 3, leftOut: [] })
  })

  test('may hold a value that is text of exact digits, or null', () => {
    const entry = entryOf(DEVICE, 1, { valueBefore: '9007199254740993', value: null, readBack: null })
    expect(judge({ entries: [entry] })?.kept).toEqual([entry])
  })

  test('may hold entries without an override or a reqId, as those of peak shaving are', () => {
    const entry = entryOf(DEVICE, 1, { code: 4000, overrideId: null, reqId: null })
    expect(judge({ entries: [entry] })?.kept).toEqual([entry])
  })

  test.each([
    ['null', null],
    ['text', 'entries'],
    ['a list', []],
    ['without entries', {}],
    ['with entries that are no list', { entries: { length: 1 } }],
    ['of no entry', { entries: [] }],
    [
      'of which no entry has a seq',
      { entries: [null, 5, {}, { seq: '7' }, { seq: -1 }, { seq: 1.5 }, { seq: 1e300 }] },
    ],
  ])('that is %s is none', (_what, batch) => {
    expect(judge(batch)).toBeUndefined()
  })

  test.each([
    ['of another device', { deviceId: 'dev_2' }, 'deviceId'],
    ['of no device', { deviceId: undefined }, 'deviceId'],
    ['without an id', { id: undefined }, 'id'],
    ['with an empty id', { id: '' }, 'id'],
    ['with an id that is no text', { id: 5 }, 'id'],
    ['with a very long id', { id: 'x'.repeat(256) }, 'id'],
    ['with U+0000 in a text', { datapointId: 'a\0b' }, 'datapointId'],
    ['with half a character in a text', { connectionId: 'a\ud800' }, 'connectionId'],
    ['of an unknown code', { code: 4002 }, 'code'],
    ['of a code that is text', { code: '4005' }, 'code'],
    ['of a code that every object has', { code: 'toString' }, 'code'],
    ['of no time', { at: 'yesterday' }, 'at'],
    ['of a time without a zone', { at: '2026-01-31T12:00:00' }, 'at'],
    ['of a time before 1970', { at: '0000-01-01T00:00:00Z' }, 'at'],
    ['without a technical system', { technicalSystemId: null }, 'technicalSystemId'],
    ['with an override that is no text', { overrideId: 1 }, 'overrideId'],
    ['without a word on the override', { overrideId: undefined }, 'overrideId'],
    ['with a reqId that is no text', { reqId: {} }, 'reqId'],
    ['of an unknown phase', { phase: 'begun' }, 'phase'],
    ['of an unknown reason', { reason: 'why not' }, 'reason'],
    ['with a value that is a list', { value: [1] }, 'value'],
    ['with a value of very many digits', { readBack: '1'.repeat(101) }, 'readBack'],
    ['without the value before', { valueBefore: undefined }, 'valueBefore'],
    ['with a seq that is text', { seq: '2' }, 'seq'],
  ])('leaves out an entry %s, says so, and is confirmed', (_what, changes, field) => {
    const [first, last] = [entryOf(DEVICE, 1), entryOf(DEVICE, 3)]
    const judged = judge({ entries: [first, { ...entryOf(DEVICE, 2), ...changes }, last] })
    expect(judged).toMatchObject({ kept: [first, last], upTo: 3 })
    expect(judged?.leftOut).toEqual([expect.stringMatching(new RegExp(`^seq (2|unknown): ${field} is not `))])
  })

  test('leaves out a number beyond what a double holds', () => {
    const text = JSON.stringify({ entries: [entryOf(DEVICE, 1)] }).replace('"value":21.5', '"value":1e400')
    expect(judgeReports(DEVICE, JSON.parse(text))).toMatchObject({ kept: [], upTo: 1 })
  })

  test.each([[null], [5], ['text'], [[]]])('leaves out %j as an entry', (entry) => {
    const good = entryOf(DEVICE, 1)
    expect(judge({ entries: [good, entry] })).toMatchObject({ kept: [good], upTo: 1, leftOut: [expect.any(String)] })
  })

  test('of which the last entry is poison is confirmed by its seq all the same, or it would come back for ever', () => {
    const poison = { ...entryOf(DEVICE, 2), phase: 'begun' }
    expect(judge({ entries: [entryOf(DEVICE, 1), poison] })).toMatchObject({ upTo: 2 })
  })
})
