import { type Alert, type AlertKind, NOT_WORKED_ON } from '@plantroom/contract/alerts'
import { describe, expect, test } from 'vitest'
import type { DeviceOverview } from './overview.ts'
import { siteStatus } from './site-status.ts'

const NOW = Date.parse('2030-01-01T01:00:00Z')

const seen = (id: string, freshness: DeviceOverview['freshness'], statuses: readonly number[] = [1]): DeviceOverview =>
  ({
    device: { id, name: `Name of ${id}`, online: true },
    freshness,
    systems: [],
    view: {
      device: { connections: statuses.map((status, at) => ({ connectionId: `con_${at}`, status, error: null })) },
    },
  }) as unknown as DeviceOverview

const alert = (kind: AlertKind, deviceId: string, subjectId = deviceId): Alert => ({
  ...NOT_WORKED_ON,
  ...{ id: `${kind} ${deviceId}`, kind, siteId: 'site', deviceId, deviceName: `Name of ${deviceId}`, details: {} },
  subject: { kind: 'device', id: subjectId, name: 'Meter' },
  ...{ beganAt: '2030-01-01T00:00:00Z', openedAt: '2030-01-01T00:05:00Z', closedAt: null },
})

const lines = (devices: readonly DeviceOverview[], alerts: readonly Alert[] | undefined) => {
  const status = siteStatus(devices, alerts, NOW)
  return status.state === 'trouble' ? status.problems.map(({ text }) => text) : status.state
}

describe('the status of a site', () => {
  test('is well only when every controller answers and the alerts are known', () => {
    expect(siteStatus([seen('a', 'live', [1, 1]), seen('b', 'live')], [], NOW)).toEqual({
      state: 'well',
      text: 'All well: 2 controllers answer, 3 connections work.',
    })
    expect(lines([seen('a', 'live')], undefined)).toBe('unknown')
    for (const freshness of ['waiting', 'slow', 'lost'] as const) {
      expect(lines([seen('a', 'live'), seen('b', freshness)], [])).toBe('unknown')
    }
    expect(lines([], [])).toBe('unknown')
  })

  test('names a controller that does not answer and a connection that failed before they are alerts', () => {
    expect(lines([seen('a', 'offline'), seen('b', 'live', [1, 0, -1, 2])], [])).toEqual([
      'Name of a does not answer',
      'Name of b has lost its connection to con_1',
      'Name of b has lost its connection to con_2',
    ])
    expect(lines([seen('a', 'offline')], undefined)).toHaveLength(1)
  })

  test('names each of them once when they are alerts', () => {
    const devices = [seen('a', 'offline'), seen('b', 'live', [0])]
    const open = [alert('connection-lost', 'b', 'con_0'), alert('controller-offline', 'a')]
    expect(lines(devices, open)).toEqual([
      'The controller Name of b has lost its connection to Meter',
      'The controller Name of a is offline',
    ])
  })

  test('says of controllers that are lost together how many they are', () => {
    const open = ['a', 'b', 'c'].map((id) => alert('controller-offline', id))
    expect(lines([], open)).toEqual(['The controller Name of a is offline, and 2 others'])
  })

  test('is not well while an alert is snoozed, and names it again afterwards', () => {
    const until = (snoozedUntil: string) => [{ ...alert('clock-wrong', 'a'), snoozedUntil }]
    expect(siteStatus([seen('a', 'live')], until('2030-01-01T01:00:01Z'), NOW)).toEqual({
      state: 'unknown',
      text: 'Nothing new. 1 alert is snoozed.',
    })
    expect(lines([seen('a', 'live')], until('2030-01-01T01:00:00Z'))).toEqual([
      'The clock of the controller Name of a is wrong',
    ])
  })
})
