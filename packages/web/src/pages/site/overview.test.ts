import type { Hold, LiveDevice, PlacedOverride } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { NOTHING_HEARD } from '../../live/live-view.ts'
import { heldDatapoints, queuedOverrides } from './held-datapoints.ts'
import { byUrgency, connectionsOf, type DeviceOverview, devicesWithoutState, overviewOf } from './overview.ts'

const hold = (datapointId: string, change: Partial<Hold> = {}): Hold => ({
  datapointId,
  state: 'holding',
  by: 'demand-response',
  value: 18,
  overrideId: null,
  until: null,
  next: { by: 'plain', value: 21.5 },
  beneath: { by: 'plain', value: 21.5 },
  trouble: null,
  troubleReason: null,
  ...change,
})

const queued = (id: string, from: string): PlacedOverride & { placedByName: null } => ({
  id,
  datapointId: 'a',
  value: 1,
  from,
  to: '2026-11-16T00:00:00.000Z',
  reqId: 'r',
  placedBy: 'k',
  placedByName: null,
  state: 'queued',
})

const systems = [
  {
    id: 's1',
    name: 'Heating',
    connections: [{ id: 'c1', name: 'Boiler', datapoints: [{ id: 'a', name: 'Supply setpoint', unit: '°C' }] }],
  },
] as unknown as TechnicalSystem[]

function seen(
  id: string,
  live?: Partial<LiveDevice>,
  change: { isOffline?: boolean; online?: boolean } = {},
): DeviceOverview {
  const device: LiveDevice | undefined = live && {
    at: '2026-11-15T10:00:00.000Z',
    clockSuspect: false,
    connections: [],
    holds: [],
    overrides: [],
    ...live,
  }
  return {
    device: {
      ...{ id, name: id, siteId: 'site', online: change.online ?? true, createdAt: '2026-01-01T00:00:00.000Z' },
      software: null,
    },
    view: { ...NOTHING_HEARD, device, isOffline: change.isOffline ?? false, stream: 'open' },
    systems,
    ...{ freshness: change.isOffline ? 'offline' : 'live', ageMs: 0, now: 0, controllerNow: 0 },
  }
}

describe('what is held', () => {
  test('includes names, across all controllers', () => {
    const held = heldDatapoints([seen('one', { holds: [hold('a')] }), seen('two', { holds: [hold('gone')] })])
    expect(held.map(({ name, connection, seen }) => [seen.device.id, connection, name])).toEqual([
      ['one', 'Boiler', 'Supply setpoint'],
      ['two', undefined, undefined],
    ])
  })

  test('is sorted by what a person has to do, then trouble, then writer, then end', () => {
    const held = heldDatapoints([
      seen('one', {
        holds: [
          hold('schedule', { by: 'deviation' }),
          hold('late', { until: '2026-11-15T20:00:00.000Z' }),
          hold('soon', { until: '2026-11-15T18:00:00.000Z' }),
          hold('back', { by: 'plain' }),
          hold('peak', { by: 'peak-shaving' }),
          hold('refused', { by: 'deviation', trouble: 'not-taken' }),
          hold('stuck', { by: 'plain', state: 'stuck' }),
        ],
      }),
    ])
    expect(held.map(({ hold: { datapointId } }) => datapointId)).toEqual([
      'stuck',
      'refused',
      'soon',
      'late',
      'peak',
      'schedule',
      'back',
    ])
  })

  test('has what the equipment is at beside what it is held at', () => {
    const at = '2026-11-15T10:00:00.000Z'
    const values = { a: { value: 21, timestamp: at } }
    const connections = [{ connectionId: 'c1', status: 1 as const, error: null, timestamp: at, values }]
    const [held] = heldDatapoints([seen('one', { holds: [hold('a', { trouble: 'not-taken' })], connections })])
    expect(held).toMatchObject({ hold: { value: 18 }, actual: { value: 21 }, unit: '°C' })
  })

  test('says how old a reading is that no longer shows what the equipment is at', () => {
    const at = '2026-11-15T10:00:00.000Z'
    const connections = [
      {
        connectionId: 'c1',
        status: 1 as const,
        error: null,
        timestamp: at,
        values: { a: { value: 18, timestamp: at } },
      },
    ]
    const oldMs = (ageMs: number) => {
      const one = { ...seen('one', { holds: [hold('a')], connections }), controllerNow: Date.parse(at) + ageMs }
      return heldDatapoints([one])[0]?.oldMs
    }
    expect(oldMs(2_000)).toBeUndefined()
    expect(oldMs(3_600_000)).toBe(3_600_000)
  })

  test('knows the failsafe of the equipment', () => {
    const failsafe = { datapointId: 'a', kind: 'reversion', registerId: 'r', seconds: 60 } as const
    const [system] = systems
    const guarded = {
      ...seen('one', { holds: [hold('a')] }),
      systems: system ? [{ ...system, failsafes: [failsafe] }] : [],
    }
    expect(heldDatapoints([guarded])[0]?.failsafe).toEqual(failsafe)
  })

  test('keeps the last known state of a controller that does not answer', () => {
    expect(heldDatapoints([seen('one', { holds: [hold('a')] }, { isOffline: true })])).toHaveLength(1)
  })
})

describe('controllers without a live state', () => {
  test('may still answer, or are silent', () => {
    const devices = [
      seen('heard', {}),
      seen('asked'),
      seen('silent', undefined, { isOffline: true }),
      seen('offline', undefined, { online: false }),
    ]
    const { asked, silent } = devicesWithoutState(devices)
    expect(asked.map(({ device }) => device.id)).toEqual(['asked'])
    expect(silent.map(({ device }) => device.id)).toEqual(['silent', 'offline'])
  })
})

describe('queued overrides', () => {
  test('are counted across all controllers, with the first of them', () => {
    const { count, next, name } = queuedOverrides([
      seen('one', { overrides: [queued('later', '2026-11-15T20:00:00.000Z')] }),
      seen('two', { overrides: [queued('first', '2026-11-15T19:00:00.000Z')], overridesLeftOut: 40 }),
    ])
    expect([count, next?.id, name]).toEqual([42, 'first', 'Supply setpoint'])
  })

  test('can be none', () => {
    expect(queuedOverrides([seen('one', {}), seen('two')])).toMatchObject({ count: 0, next: undefined })
  })
})

describe('a controller', () => {
  const { device, view } = seen('one', {})
  const known = { device, view: view && { ...view, receivedAt: 1000 }, systems }

  test('is live while it is heard, however many take turns', () => {
    expect(overviewOf(known, { now: 3000, silentSince: undefined, count: 1 }).freshness).toBe('live')
    expect(overviewOf(known, { now: 61_000, silentSince: undefined, count: 1 }).freshness).toBe('slow')
    expect(overviewOf(known, { now: 61_000, silentSince: undefined, count: 60 })).toMatchObject({
      ...{ freshness: 'live', ageMs: 60_000 },
    })
  })

  test('is not live while the service is silent', () => {
    expect(overviewOf(known, { now: 8000, silentSince: 3000, count: 1 }).freshness).toBe('lost')
    expect(overviewOf({ ...known, view: undefined }, { now: 8000, silentSince: 3000, count: 1 }).freshness).toBe('lost')
  })

  test('comes first when it does not answer', () => {
    const devices = [seen('well', {}), seen('clock', { clockSuspect: true }), seen('gone', {}, { isOffline: true })]
    expect(byUrgency(devices).map(({ device }) => device.id)).toEqual(['gone', 'clock', 'well'])
  })
})

test('lists the connections that are not connected', () => {
  const connection = (connectionId: string, status: 1 | 2 | 0 | -1, error: string | null = null) => ({
    connectionId,
    status,
    error,
    timestamp: '2026-11-15T10:00:00.000Z',
    values: {},
  })
  const { total, troubles } = connectionsOf(
    seen('one', { connections: [connection('c1', -1, 'refused'), connection('c2', 1), connection('c3', 2)] }),
  )
  expect(total).toBe(3)
  expect(troubles).toEqual([
    { id: 'c1', name: 'Boiler', status: -1, error: 'refused' },
    { id: 'c3', name: undefined, status: 2, error: null },
  ])
})
