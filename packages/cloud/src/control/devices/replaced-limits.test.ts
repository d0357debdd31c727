import type { ControlState, Hold } from '@plantroom/contract/control-state'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { type KnownOfDevice, OLDEST_STATE_MS, planReplacement } from './replacement-plan.ts'

const NOW = Date.parse('2030-01-01T12:00:00.000Z')
const at = (hours: number) => new Date(NOW + hours * 3_600_000).toISOString()

const POWER_LIMIT = {
  meterId: 'meter',
  meterKwPerUnit: 1,
  guaranteedKw: 4.2,
  loads: [
    {
      datapointId: 'boiler',
      kind: 'switching',
      priority: 1,
      shedValue: 0,
      ratedKw: 9,
      minOnSeconds: 0,
      minOffSeconds: 0,
    },
  ],
} as const
const datapoints = [aDatapoint({ id: 'meter', name: 'Grid' }), aDatapoint({ id: 'boiler', name: 'Boiler' })]
const SYSTEM = { ...aSystem('sys', [aConnection({ datapoints })]), powerLimit: POWER_LIMIT }

const limit = (id: string, from: number, to: number) => ({
  ...{ id, direction: 'import' as const, kw: 60, from: at(from), to: at(to), averagingSeconds: 900 as const },
  ...{ reqId: `req_${id}`, placedBy: 'key_1', state: from > 0 ? ('queued' as const) : ('active' as const) },
})

/** The boiler is off for a limit, and runs without it. */
const HOLD: Hold = {
  ...{ datapointId: 'boiler', state: 'holding', by: 'demand-response', value: 0, overrideId: null, until: null },
  ...{
    next: { by: 'plain', value: 1 },
    beneath: { by: 'demand-response', value: 0 },
    trouble: null,
    troubleReason: null,
  },
} as const

function plan(limits: ReturnType<typeof limit>[], about: Partial<KnownOfDevice> & { ageMs?: number } = {}) {
  const { ageMs = 60_000, ...rest } = about
  const document: ControlState = {
    ...{ at: at(0), clockSuspect: false, connections: [], holds: [HOLD], overrides: [] },
    powerLimit: {
      ...{ meterId: 'meter', state: 'limited', importKw: 60, exportKw: null, meterKw: 58, meanKw: 57 },
      ...{ limits, moved: [{ datapointId: 'boiler', atMostKw: 0 }] },
    },
    notes: {
      ...{ plain: {}, overrides: {}, limits: { a: { seq: 9, placedByName: 'Grid company', reason: 'feeder' } } },
      moved: { boiler: { atMostKw: 0, since: NOW, relapses: 0 } },
    },
  }
  const none = { released: new Set<string>(), cancelled: new Set<string>(), cancelledCallers: new Set<string>() }
  const known = { systems: [SYSTEM], state: { document, receivedAt: NOW - ageMs }, ...none, accepted: [], ...rest }
  return planReplacement(known, NOW)
}

describe('the power limits of a controller that is replaced', () => {
  test('continue with id, owner and reason, and hold what they moved', () => {
    const { control, summary } = plan([limit('a', -1, 1), limit('q', 2, 3)])
    expect(control.limits).toMatchObject([
      { id: 'a', seq: 9, kw: 60, applied: true, placedBy: 'key_1', placedByName: 'Grid company', reason: 'feeder' },
      { id: 'q', applied: false, from: at(2), to: at(3), reqId: 'req_q' },
    ])
    expect(control.moved).toEqual({ boiler: { atMostKw: 0, since: NOW, relapses: 0 } })
    expect(control.holds).toMatchObject([{ datapointId: 'boiler', overrideId: null, value: 0, plainValue: 1 }])
    expect(summary.limits).toMatchObject([
      { id: 'a', datapoint: 'Grid', direction: 'import', kw: 60, state: 'active' },
      { id: 'q', state: 'queued' },
    ])
    expect([summary.releases, summary.leftOut]).toEqual([[], []])
  })

  const over: [string, Partial<KnownOfDevice>, number, string][] = [
    ['have ended', {}, -1, 'ended'],
    ['were released', { cancelled: new Set(['a']) }, 1, 'cancelled'],
    ['are of a revoked key', { cancelledCallers: new Set(['key_1']) }, 1, 'cancelled'],
  ]
  test.each(over)('that %s are only closed in the audit, and give back what they moved', (_what, about, to, reason) => {
    const { control, summary } = plan([limit('a', -2, to)], about)
    expect(summary).toMatchObject({
      ...{ limits: [], leftOut: [{ id: 'a', datapoint: 'Grid', reason }] },
      releases: [{ datapoint: 'Boiler', value: 1 }],
    })
    expect(Date.parse(control.limits?.[0]?.to ?? '')).toBeLessThanOrEqual(NOW)
  })

  test('that the old controller has closed are not closed again', () => {
    expect(plan([limit('a', -2, 1)], { released: new Set(['a']) }).control.limits).toBeUndefined()
  })

  test('are left out when no power limit is commissioned', () => {
    const { control, summary } = plan([limit('a', -1, 1)], { systems: [aSystem('sys', [aConnection({ datapoints })])] })
    expect([control.limits, summary.leftOut]).toMatchObject([undefined, [{ id: 'a', reason: 'not-commissioned' }]])
  })

  test('that run keep their loads at any age; without one, an old state says nothing about the loads', () => {
    const old = { ageMs: OLDEST_STATE_MS + 1 }
    expect(plan([limit('a', -1, 1)], old).control.holds).toHaveLength(1)
    expect(plan([limit('q', 2, 3)], old).control.holds).toHaveLength(1)
    expect(plan([limit('a', -2, -1)], old).summary.untouched).toMatchObject([{ datapoint: 'Boiler' }])
  })

  test('are known: they do not count as accepted and unknown', () => {
    const { summary } = plan([limit('a', -1, 1)], { accepted: ['a', 'b'] })
    expect(summary.unknownOverrides).toBe(1)
  })
})
