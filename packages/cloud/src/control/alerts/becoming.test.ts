import { ALERT_KINDS, type AlertKind, DEFAULT_ALERT_RULES } from '@plantroom/contract/alerts'
import { describe, expect, test } from 'vitest'
import { becomingOf } from './becoming.ts'
import { type Condition, keyOf } from './conditions.ts'

const NOW = Date.UTC(2030, 0, 1)
const condition = (kind: AlertKind, since: number): Condition => ({
  ...{ organizationId: 'org_1', siteId: 'site_1', deviceId: 'dev_1', deviceName: 'A', kind, details: {}, since },
  subject: { kind: 'device', id: 'dev_1', name: 'A' },
})
/** Every alert opens after a minute, but for those that are switched off. */
const rules = (off: readonly AlertKind[] = []) => {
  const rule = { openAfterSeconds: 60, closeAfterSeconds: 60 }
  const each = ALERT_KINDS.map((kind) => [kind, { ...rule, enabled: !off.includes(kind) }])
  return { ...DEFAULT_ALERT_RULES, rules: Object.fromEntries(each) as typeof DEFAULT_ALERT_RULES.rules }
}
const becoming = (conditions: readonly Condition[], known: readonly Condition[] = [], off: readonly AlertKind[] = []) =>
  becomingOf(new Map(conditions.map((one) => [keyOf(one), one])), new Set(known.map(keyOf)), rules(off))

const [disk, clock, lost] = [
  condition('disk-low', NOW - 5),
  condition('clock-wrong', NOW - 7),
  condition('connection-lost', NOW - 5),
]

describe('what is becoming an alert', () => {
  test('is listed with the time at which it opens, the earliest first, then in the order of the kinds', () => {
    const kinds = ALERT_KINDS.filter((kind) => [disk.kind, lost.kind].includes(kind))
    const expected = [
      ['clock-wrong', '2030-01-01T00:00:59.993Z'],
      ...kinds.map((kind) => [kind, '2030-01-01T00:00:59.995Z']),
    ]
    for (const order of [
      [disk, clock, lost],
      [lost, disk, clock],
    ]) {
      expect(becoming(order).map(({ kind, opensAt }) => [kind, opensAt])).toEqual(expected)
    }
  })

  test('is no alert yet, and none that is switched off', () => {
    const kinds = becoming([disk, clock, lost], [lost], ['clock-wrong']).map(({ kind }) => kind)
    expect(kinds).toEqual(['disk-low'])
  })
})
