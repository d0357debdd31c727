import { describe, expect, test } from 'vitest'
import { activityTable } from '../tables.ts'
import { activity } from './activity.ts'
import { audit } from './audit.ts'

describe('plantroom activity', () => {
  test.each([
    [['--limit', '5', '--all'], 'give only one of --limit N and --all'],
    [['--action', 'constructor'], '--action must be one of signed-in, '],
    [['--from', 'yesterday'], '--from yesterday is not a time'],
    [['extra'], 'unexpected argument extra'],
  ])('%j is a usage error', async (args, message) => {
    await expect(activity.run(args)).rejects.toThrow(message)
  })

  test('shows who did what, from where', () => {
    const entry = {
      id: 'act_1',
      seq: 1,
      at: '2030-01-01T00:00:00.000Z',
      organizationId: null,
      siteId: null,
      actor: { kind: 'unknown', id: null, name: null },
      address: '192.0.2.1',
      action: 'sign-in-failed',
      subject: { kind: 'person', id: 'usr_1', name: 'anna@example.com' },
      details: { count: 3 },
      outcome: 'refused',
    } as const
    expect(activityTable([entry])).toContain(
      '2030-01-01T00:00:00.000Z  sign-in-failed (refused)  unknown  192.0.2.1  person anna@example.com  {"count":3}',
    )
  })
})

test('plantroom audit export takes one of a device, the activity and the service', async () => {
  const given = ['export', '/dev/null', '--activity', '--service']
  await expect(audit.run(given)).rejects.toThrow('give only one of')
})
