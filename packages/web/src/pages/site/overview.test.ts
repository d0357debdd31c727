import type { Hold, LiveDevice, PlacedOverride } from '@plantroom/contract/control-state'
import type { TechnicalSystem } from '@plantroom/contract/datapoint'
import { describe, expect, test } from 'vitest'
import { connectionsOf, type DeviceOverview, devicesWithoutState, heldDatapoints, queuedOverrides } from './overview.ts'

const hold = (datapointId: string, change: Partial<Hold> = {}): Hold => ({
  datapointId,
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
    connections: [{ id: 'c1', name: 'Boiler', datapoints: [{ id: 'a', name: 'Supply setpoint' }] }],
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
    device: { id, name: id, siteId: 'site', online: change.online ?? true, createdAt: '2026-01-01T00:00:00.000Z' },
    view: { device, receivedAt: 0, isOffline: change.isOffline ?? false, stream: 'open' },
    systems,
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

  test('is sorted by trouble, then writer, then end', () => {
    const held = heldDatapoints([
      seen('one', {
        holds: [
          hold('schedule', { by: 'deviation' }),
          hold('late', { until: '2026-11-15T20:00:00.000Z' }),
          hold('soon', { until: '2026-11-15T18:00:00.000Z' }),
          hold('back', { by: 'plain' }),
          hold('peak', { by: 'peak-shaving' }),
          hold('refused', { by: 'deviation', trouble: 'not-taken' }),
        ],
      }),
    ])
    expect(held.map(({ hold: { datapointId } }) => datapointId)).toEqual([
      'refused',
      'soon',
      'late',
      'peak',
      'schedule',
      'back',
    ])
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
    expect(queuedOverrides([seen('one', {}), seen('two')])).toEqual({ count: 0, next: undefined, name: undefined })
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
