import { REPORT_CODES, REPORT_PHASES, REPORT_REASONS, type ReportEntry } from '@plantroom/contract/reports'
import { describe, expect, test } from 'vitest'
import { phases } from '../../texts/reports.ts'
import { describeCaller, describeChange, describeInCharge, describeReadBack, describeReason } from './describe-entry.ts'

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
  placedBy: null,
  cancelledBy: null,
}
const of = (changed: Partial<ReportEntry>) => ({ ...entry, ...changed })

describe('the reason of an entry', () => {
  test('has a text for every phase and reason', () => {
    for (const phase of REPORT_PHASES) {
      expect(phases[phase]).toMatch(/\w/)
      for (const reason of REPORT_REASONS) expect(describeReason(of({ phase, reason }))).toMatch(/\w/)
    }
  })

  test('says that a new controller took over', () => {
    expect(describeReason(of({ reason: 'replaced' }))).toContain('A new controller took the override over')
  })

  test('depends on the writer at the start', () => {
    expect(describeReason(of({ code: 4005 }))).toBe('The override started')
    expect(describeReason(of({ code: 4001 }))).toBe('The schedule slot started')
    expect(describeReason(of({ code: 4000 }))).toBe('The meter was above the limit')
  })

  test.each([
    ['ended', 'The override ended'],
    ['cancelled', 'The override was cancelled'],
    ['superseded', 'The override ended while a later one was active'],
    ['restart', 'The override ended while the controller was down'],
    ['window', 'The override started'],
    ['differs', 'The equipment shows neither the setpoint nor the value from before'],
    ['restored-by-hand', 'A person set the equipment back by hand and closed the hold'],
    ['abandoned', 'A person closed the hold without restoring the equipment'],
  ] as const)('of a release with reason %s: %s', (reason, text) => {
    expect(describeReason(of({ phase: 'released', reason }))).toBe(text)
  })

  test('of a schedule names the writer that took over', () => {
    expect(describeReason(of({ code: 4001, phase: 'released', reason: 'superseded' }))).toBe('Another writer took over')
  })

  test('covers an override cancelled before it became active', () => {
    const cancelled = of({ phase: 'released', reason: 'cancelled', valueBefore: null, value: null, readBack: null })
    expect(describeReason(cancelled)).toBe('The override was cancelled before it became active')
    expect(describeChange(cancelled)).toBe('Nothing was written')
  })

  test('of a failed write depends on whether the datapoint was being held or released', () => {
    for (const phase of ['write-failed', 'not-taken'] as const) {
      expect(describeReason(of({ phase, reason: 'window' }))).toBe('While holding the datapoint at this value')
      expect(describeReason(of({ phase, reason: 'ended' }))).toContain('releasing')
      expect(describeReason(of({ phase, reason: 'cancelled' }))).toContain('may still have the other value')
    }
  })
})

describe('the value', () => {
  test('changes from the previous to the new one', () => {
    expect(describeChange(entry)).toBe('21 → 18.5')
    expect(describeChange(of({ valueBefore: null }))).toBe('unknown → 18.5')
    expect(describeChange(of({ value: null }))).toBe('21 → unknown')
    expect(describeChange(of({ valueBefore: '9007199254740993', value: 0 }))).toBe('9,007,199,254,740,993 → 0')
  })

  test('returns to the previous one, or to that of the next writer', () => {
    expect(describeChange(of({ phase: 'released', value: 21 }))).toBe('Back to 21')
    expect(describeChange(of({ phase: 'released', value: 15 }))).toBe('Now 15 (21 before this hold)')
    expect(describeChange(of({ phase: 'released', reason: 'superseded', value: 21 }))).toBe(
      'Now 21 (21 before this hold)',
    )
    expect(describeChange(of({ phase: 'released', value: null }))).toBe('Nothing was written')
  })

  test('is only requested when it could not be written', () => {
    expect(describeChange(of({ phase: 'write-failed', readBack: null }))).toBe('Requested: 18.5 (21 before this hold)')
    expect(describeChange(of({ phase: 'not-taken', readBack: 20 }))).toBe('Requested: 18.5 (21 before this hold)')
  })

  test('of a release that equipment took differently is what was written, beside what was read', () => {
    const differs = of({ phase: 'released', reason: 'differs', value: 21, readBack: 20.5 })
    expect([describeChange(differs, '°C'), describeReadBack(differs, '°C')]).toEqual([
      'Written: 21\u00A0°C',
      'Read back: 20.5\u00A0°C',
    ])
  })

  test('of a hold that a person closed is not said to be restored, and was read last as it says', () => {
    const closed = (reason: 'restored-by-hand' | 'abandoned', readBack: number | null, value: number | null = 21) => {
      const entry = of({ phase: 'released', reason, value, readBack })
      return [describeChange(entry), describeReadBack(entry)]
    }
    expect(closed('restored-by-hand', 21)).toEqual(['Set back by hand', 'Last read: 21'])
    expect(closed('abandoned', 18.5)).toEqual(['Left as it is', 'Last read: 18.5'])
    expect(closed('abandoned', null, null)).toEqual(['Left as it is', undefined])
  })

  test('that limits changed is what is written since', () => {
    const limited = of({ phase: 'limited', value: 19, readBack: null })
    expect(describeReason(limited)).toBe('The limits of the datapoint changed what is written')
    expect(describeChange(limited)).toBe('Now 19 (21 before this hold)')
  })

  test('comes with what the equipment follows instead', () => {
    const text = (priority: number, value: number | null, outranks: boolean) =>
      describeInCharge(of({ inCharge: { priority, value, outranks } }), '°C')
    expect(describeInCharge(entry)).toBeUndefined()
    expect(text(8, 21.5, true)).toBe('Priority 8 of the equipment holds 21.5\u00A0°C and outranks this controller')
    expect(text(1, null, true)).toBe('Priority 1 of the equipment outranks this controller')
    expect(text(16, 19, false)).toBe('The equipment now follows priority 16, which holds 19\u00A0°C')
  })

  test('read back is shown when it differs', () => {
    expect(describeReadBack(entry)).toBeUndefined()
    expect(describeReadBack(of({ readBack: null }))).toBeUndefined()
    expect(describeReadBack(of({ readBack: 18.500_04 }))).toBeUndefined()
    expect(describeReadBack(of({ readBack: 20 }))).toBe('Read back: 20')
    expect(describeReadBack(of({ value: null, readBack: 20 }))).toBe('Read back: 20')
  })
})

describe('the caller of an entry', () => {
  const market = { id: 'key_1', name: 'Market', reason: null }
  const ann = { id: 'user:usr_1', name: 'ann@example.com', reason: 'too cold' }

  test('is who placed the override, with the reason that they gave', () => {
    expect(describeCaller(of({ placedBy: market }))).toBe('Placed by Market')
    expect(describeCaller(of({ placedBy: { ...market, reason: 'peak price' } }))).toBe('Placed by Market: peak price')
    expect(describeCaller(of({ placedBy: { ...market, name: null } }))).toBe('Placed by key_1')
  })

  test('is who cancelled it where somebody did', () => {
    expect(describeCaller(of({ placedBy: market, cancelledBy: ann }))).toBe('Cancelled by ann@example.com: too cold')
    expect(describeCaller(of({ placedBy: market, cancelledBy: market }))).toBe('Cancelled by Market')
  })

  test('is who closed the hold, rather than who cancelled the override', () => {
    const closed = { phase: 'released', placedBy: market, cancelledBy: ann } as const
    for (const reason of ['restored-by-hand', 'abandoned'] as const) {
      expect(describeCaller(of({ ...closed, reason }))).toBe('Closed by ann@example.com: too cold')
    }
    const hidden = { ...ann, id: null, name: null }
    expect(describeCaller(of({ ...closed, reason: 'abandoned', cancelledBy: hidden }))).toBe('Closed: too cold')
    const operator = { id: 'operator', name: '', reason: 'gone' }
    expect(describeCaller(of({ ...closed, reason: 'abandoned', cancelledBy: operator }))).toBe(
      'Closed by operator: gone',
    )
    // What failed before belongs to the release, which somebody cancelled.
    expect(describeCaller(of({ ...closed, phase: 'write-failed', reason: 'cancelled' }))).toMatch(/^Cancelled by/)
  })

  test('is missing where it is unknown or hidden', () => {
    expect(describeCaller(entry)).toBeUndefined()
    expect(describeCaller(of({ cancelledBy: { id: null, name: null, reason: null } }))).toBeUndefined()
    expect(describeCaller(of({ cancelledBy: { ...ann, id: null, name: null } }))).toBe('Cancelled: too cold')
  })
})
