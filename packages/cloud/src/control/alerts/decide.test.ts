import { ALERT_KINDS, type AlertKind, DEFAULT_ALERT_RULES } from '@plantroom/contract/alerts'
import { describe, expect, test } from 'vitest'
import { type Condition, keyOf } from './conditions.ts'
import { decide, type OpenAlert } from './decide.ts'

const NOW = Date.UTC(2030, 0, 1)
const DAY_MS = 86_400_000
const OPEN_S = 120
const CLOSE_S = 30
const NOTHING = { open: [], clear: [], back: [], close: [] }

const rules = (enabled: boolean, openAfterSeconds = OPEN_S) => ({
  ...DEFAULT_ALERT_RULES,
  rules: Object.fromEntries(
    ALERT_KINDS.map((kind) => [kind, { enabled, openAfterSeconds, closeAfterSeconds: CLOSE_S }]),
  ) as typeof DEFAULT_ALERT_RULES.rules,
})
const about = {
  organizationId: 'org_1',
  deviceId: 'dev_1',
  subject: { kind: 'device', id: 'dev_1', name: 'A' },
} as const
const condition = (kind: AlertKind, forMs: number, details: Condition['details'] = {}): Condition => ({
  ...about,
  kind,
  siteId: 'site_1',
  deviceName: 'A',
  details,
  since: NOW - forMs,
})
const alert = (kind: AlertKind, clearFor?: number, openFor = 0): OpenAlert => ({
  ...about,
  kind,
  id: 'alt_1',
  beganAt: NOW - openFor,
  openedAt: NOW - openFor,
  clearSince: clearFor === undefined ? undefined : NOW - clearFor,
})
const decided = (
  conditions: readonly Condition[],
  open: readonly OpenAlert[],
  { state = 'online' as 'online' | 'offline' | 'removed', of = rules(true), recovered = [] as string[] } = {},
) =>
  decide({
    now: NOW,
    conditions: new Map(conditions.map((one) => [keyOf(one), one])),
    open,
    rulesOf: () => of,
    isOnline: () => (state === 'removed' ? undefined : state === 'online'),
    recovered: new Set(recovered),
  })

describe('an alert opens', () => {
  test.each(ALERT_KINDS)('%s when the trouble has lasted for the delay of its rule', (kind) => {
    const due = condition(kind, OPEN_S * 1_000)
    expect(decided([due], [])).toEqual({ ...NOTHING, open: [due] })
    expect(decided([condition(kind, OPEN_S * 1_000 - 1)], [])).toEqual(NOTHING)
  })

  test('once, and not at all while its rule is off', () => {
    const due = condition('disk-low', OPEN_S * 1_000)
    expect(decided([due], [alert('disk-low')])).toEqual(NOTHING)
    expect(decided([due], [], { of: rules(false) })).toEqual(NOTHING)
  })

  test('about a controller that is offline after a minute at the earliest', () => {
    const of = rules(true, 0)
    expect(decided([condition('controller-offline', 59_999)], [], { of })).toEqual(NOTHING)
    expect(decided([condition('controller-offline', 60_000)], [], { of }).open).toHaveLength(1)
    expect(decided([condition('disk-low', 0)], [], { of }).open).toHaveLength(1)
  })

  test('about dropped measurements immediately', () => {
    expect(decided([condition('telemetry-gap', 0, { dropped: 3 })], []).open).toHaveLength(1)
  })
})

describe('an open alert', () => {
  test('begins to end when the trouble is over, and ends after the delay of its rule', () => {
    expect(decided([], [alert('disk-low')])).toEqual({ ...NOTHING, clear: ['alt_1'] })
    expect(decided([], [alert('disk-low', CLOSE_S * 1_000 - 1)])).toEqual(NOTHING)
    const ended = { id: 'alt_1', at: NOW - CLOSE_S * 1_000 }
    expect(decided([], [alert('disk-low', CLOSE_S * 1_000)])).toEqual({ ...NOTHING, close: [ended] })
  })

  test('goes on when the trouble is back before that', () => {
    expect(decided([condition('disk-low', 0)], [alert('disk-low', 5)])).toEqual({ ...NOTHING, back: ['alt_1'] })
    expect(decided([condition('disk-low', 0)], [alert('disk-low')])).toEqual(NOTHING)
  })

  test('ends now when its rule is switched off or its controller is removed', () => {
    const ended = { ...NOTHING, close: [{ id: 'alt_1', at: NOW }] }
    const standing = [condition('disk-low', 0)]
    expect(decided(standing, [alert('disk-low')], { of: rules(false) })).toEqual(ended)
    expect(decided(standing, [alert('disk-low')], { state: 'removed' })).toEqual(ended)
    expect(decided([], [{ ...alert('disk-low'), deviceId: null }], { state: 'removed' }).clear).toEqual(['alt_1'])
  })

  test.each(ALERT_KINDS)('%s waits for a controller that is offline if only that knows', (kind) => {
    const waits: AlertKind[] = [
      ...(['connection-lost', 'setpoint-not-taken', 'not-restored', 'clock-wrong', 'disk-low', 'disk-failed'] as const),
      ...(['telemetry-gap', 'import-failed'] as const),
    ]
    const decisions = decided([], [alert(kind)], { state: 'offline', recovered: ['dev_1'] })
    expect(decisions).toEqual(waits.includes(kind) ? NOTHING : { ...NOTHING, clear: ['alt_1'] })
  })

  test('about an import ends after a week', () => {
    expect(decided([], [alert('import-failed', 0, 7 * DAY_MS - 1)])).toEqual(NOTHING)
    const ended = [{ id: 'alt_1', at: NOW }]
    expect(decided([], [alert('import-failed', undefined, 7 * DAY_MS)])).toEqual({ ...NOTHING, close: ended })
  })

  test('about an automatic export ends when one has worked, and not before', () => {
    expect(decided([], [alert('export-failed')])).toEqual(NOTHING)
    expect(decided([], [alert('export-failed', 0)])).toEqual({ ...NOTHING, back: ['alt_1'] })
    expect(decided([], [alert('export-failed')], { recovered: ['dev_1'] })).toEqual({ ...NOTHING, clear: ['alt_1'] })
  })

  test('about missing measurements lasts while the silence is as long as its rule says', () => {
    const gap = [alert('telemetry-gap')]
    expect(decided([condition('telemetry-gap', OPEN_S * 1_000)], gap)).toEqual(NOTHING)
    expect(decided([condition('telemetry-gap', OPEN_S * 1_000 - 1)], gap)).toEqual({ ...NOTHING, clear: ['alt_1'] })
    expect(decided([condition('telemetry-gap', 0, { dropped: 1 })], gap)).toEqual(NOTHING)
  })
})
