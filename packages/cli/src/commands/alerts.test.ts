import { NOT_WORKED_ON } from '@plantroom/contract/alerts'
import { describe, expect, test } from 'vitest'
import { alerts, alertTable } from './alerts.ts'
import { webhook } from './webhook.ts'

describe('plantroom alerts', () => {
  test.each([
    [['--kind', 'constructor'], '--kind must be one of controller-offline, '],
    [['--limit', 'x'], '--limit'],
    [['extra'], 'unexpected argument extra'],
  ])('%j is a usage error', async (args, message) => {
    await expect(alerts.run(args)).rejects.toThrow(message)
  })

  test('shows what is wrong, since when and until when', () => {
    const alert = {
      ...NOT_WORKED_ON,
      id: 'alert_1',
      kind: 'connection-lost',
      siteId: 'site_1',
      deviceId: 'dev_1',
      deviceName: 'Plant room',
      subject: { kind: 'connection', id: 'con_1', name: 'Inverter' },
      details: {},
      beganAt: '2030-01-01T00:00:00.000Z',
      openedAt: '2030-01-01T00:02:00.000Z',
      closedAt: null,
    } as const
    expect(alertTable([alert])).toMatch(
      /connection-lost +site_1 +Plant room +Inverter +2030-01-01T00:00:00.000Z +open +-$/,
    )
    expect(alertTable([{ ...alert, details: { reason: 'no answer' } }])).toMatch(/open +no answer$/)
    expect(alertTable([])).toBe('no alerts')
  })
})

describe('plantroom webhook', () => {
  test.each([
    [['add'], 'URL is missing'],
    [['deliveries'], 'ID is missing'],
    [['deliveries', 'wh_1', '--limit', '0'], '--limit'],
    [['nonsense'], 'unknown subcommand nonsense; use add, list, test, deliveries or remove'],
  ])('%j is a usage error', async (args, message) => {
    await expect(webhook.run(args)).rejects.toThrow(message)
  })
})
