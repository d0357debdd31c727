import { REPORT_CODES, REPORT_PHASES, REPORT_REASONS, type ReportEntry } from '@plantroom/contract/reports'
import { describe, expect, test } from 'vitest'
import { phases } from '../../texts/reports.ts'
import { changeText, readBackText, reasonText } from './report-words.ts'

const entry: ReportEntry = {
  id: 'rep_1',
  code: 4005,
  ...REPORT_CODES[4005],
  group: 'optimization',
  level: 'INFO',
  at: '2026-11-15T10:00:00Z',
  deviceId: 'dev_1',
  technicalSystemId: 'ts_1',
  connectionId: 'conn_1',
  datapointId: 'dp_1',
  overrideId: 'ovr_1',
  reqId: null,
  phase: 'applied',
  reason: 'window',
  valueBefore: 21,
  value: 18.5,
  readBack: 18.5,
  seq: 1,
}
const of = (changed: Partial<ReportEntry>) => ({ ...entry, ...changed })

describe('what happened', () => {
  test('has words for every phase and reason', () => {
    for (const phase of REPORT_PHASES) {
      expect(phases[phase]).toMatch(/\w/)
      for (const reason of REPORT_REASONS) expect(reasonText(of({ phase, reason }))).toMatch(/\w/)
    }
  })

  test('began as the writer does', () => {
    expect(reasonText(of({ code: 4005 }))).toBe('Its window began')
    expect(reasonText(of({ code: 4001 }))).toBe('Its time in the schedule began')
    expect(reasonText(of({ code: 4000 }))).toBe('The meter was above the limit')
  })

  test.each([
    ['ended', 'Its window ended'],
    ['cancelled', 'It was cancelled'],
    ['superseded', 'It ended while a later override held the datapoint'],
    ['restart', 'It ended while the device was down'],
    ['window', 'It was its time'],
  ] as const)('was released because of %s: %s', (reason, text) => {
    expect(reasonText(of({ phase: 'released', reason }))).toBe(text)
  })

  test('was released by a schedule because a higher writer took over', () => {
    expect(reasonText(of({ code: 4001, phase: 'released', reason: 'superseded' }))).toBe('Another one took over')
  })

  test('was cancelled before anything was done', () => {
    const cancelled = of({ phase: 'released', reason: 'cancelled', valueBefore: null, value: null, readBack: null })
    expect(reasonText(cancelled)).toBe('It was cancelled before it held the datapoint')
    expect(changeText(cancelled)).toBe('Nothing was written')
  })

  test('failed while it was held, or while it was handed back: then the other value may still be there', () => {
    for (const phase of ['write-failed', 'not-taken'] as const) {
      expect(reasonText(of({ phase, reason: 'window' }))).toBe('While it was to be held at this value')
      expect(reasonText(of({ phase, reason: 'ended' }))).toContain('handed back')
      expect(reasonText(of({ phase, reason: 'cancelled' }))).toContain('may still be at the other value')
    }
  })
})

describe('the value', () => {
  test('goes from what was there to what it was given', () => {
    expect(changeText(entry)).toBe('21 → 18.5')
    expect(changeText(of({ valueBefore: null }))).toBe('not known → 18.5')
    expect(changeText(of({ value: null }))).toBe('21 → not known')
    expect(changeText(of({ valueBefore: '9007199254740993', value: 0 }))).toBe('9007199254740993 → 0')
  })

  test('comes back, or goes on to the next', () => {
    expect(changeText(of({ phase: 'released', value: 21 }))).toBe('Back to 21')
    expect(changeText(of({ phase: 'released', value: 15 }))).toBe('Now 15 (21 before it took over)')
    expect(changeText(of({ phase: 'released', reason: 'superseded', value: 21 }))).toBe(
      'Now 21 (21 before it took over)',
    )
    expect(changeText(of({ phase: 'released', value: null }))).toBe('Nothing was written')
  })

  test('was only wanted where it could not be written', () => {
    expect(changeText(of({ phase: 'write-failed', readBack: null }))).toBe('Wanted: 18.5 (21 before it took over)')
    expect(changeText(of({ phase: 'not-taken', readBack: 20 }))).toBe('Wanted: 18.5 (21 before it took over)')
  })

  test('that is read back is told where it differs', () => {
    expect(readBackText(entry)).toBeUndefined()
    expect(readBackText(of({ readBack: null }))).toBeUndefined()
    expect(readBackText(of({ readBack: 18.500_04 }))).toBeUndefined()
    expect(readBackText(of({ readBack: 20 }))).toBe('Read back: 20')
    expect(readBackText(of({ value: null, readBack: 20 }))).toBe('Read back: 20')
  })
})
