import { describe, expect, test } from 'vitest'
import { groupAlerts } from './alert-groups.ts'
import type { AlertKind } from './alerts.ts'

const at = (seconds: number) => new Date(Date.UTC(2030, 0, 1) + seconds * 1000).toISOString()
const alert = (kind: AlertKind, deviceId: string | null, seconds = 0) => ({ kind, deviceId, beganAt: at(seconds) })

const groups = (alerts: readonly ReturnType<typeof alert>[]) =>
  groupAlerts(alerts).map(({ lead, together, caused }) => [
    `${lead.kind} ${lead.deviceId}`,
    together.length,
    caused.map(({ kind, deviceId }) => `${kind} ${deviceId}`),
  ])

describe('a controller that is gone', () => {
  test('is one alert, with everything that it takes with it', () => {
    const found = [
      alert('telemetry-gap', 'a', 400),
      alert('controller-offline', 'a', 300),
      alert('connection-lost', 'a', 0),
      alert('not-restored', 'a', 10),
      alert('not-restored', 'b', 500),
    ]
    expect(groups(found)).toEqual([
      ['controller-offline a', 0, ['telemetry-gap a', 'connection-lost a', 'not-restored a']],
      ['not-restored b', 0, []],
    ])
  })

  test('does not explain a full disk or a failed import', () => {
    const found = [alert('controller-offline', 'a'), alert('disk-low', 'a', 9), alert('import-failed', null, 9)]
    expect(groups(found).map(([lead]) => lead)).toEqual(['controller-offline a', 'disk-low a', 'import-failed null'])
  })
})

describe('a lost connection', () => {
  test('explains setpoints that failed since, not those from before', () => {
    const lost = alert('connection-lost', 'a', 1000)
    expect(groups([alert('setpoint-not-taken', 'a', 950), lost])).toEqual([
      ['connection-lost a', 0, ['setpoint-not-taken a']],
    ])
    expect(groups([alert('setpoint-not-taken', 'a', 900), lost])).toHaveLength(2)
  })
})

describe('controllers that are lost together', () => {
  test('are one line, with what all of them take along', () => {
    const lost = Array.from({ length: 60 }, (_, index) => alert('controller-offline', `d${index}`, index))
    const found = [alert('connection-lost', 'd7', 30), ...lost, alert('controller-offline', 'late', 59 + 121)]
    expect(groups(found)).toEqual([
      ['controller-offline d0', 59, ['connection-lost d7']],
      ['controller-offline late', 0, []],
    ])
  })

  test('stay two lines while they are two', () => {
    expect(groups([alert('controller-offline', 'a'), alert('controller-offline', 'b')])).toHaveLength(2)
  })

  test('are no line for many troubles of one controller', () => {
    const found = ['x', 'y', 'z'].map(() => alert('connection-lost', 'a'))
    expect(groups(found)).toHaveLength(3)
  })

  test('keep the order of the list, and lose no alert', () => {
    const found = [
      ...[alert('clock-wrong', 'a', 5000), alert('controller-offline', 'b', 100), alert('clock-wrong', 'c', 4990)],
      ...[alert('clock-wrong', 'd', 4980), alert('import-failed', null, 1), alert('import-failed', null, 2)],
    ]
    expect(groups(found)).toEqual([
      ['clock-wrong a', 2, []],
      ['controller-offline b', 0, []],
      ['import-failed null', 0, []],
      ['import-failed null', 0, []],
    ])
  })
})
