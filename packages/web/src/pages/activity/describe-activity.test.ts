import { ACTIVITY_ACTIONS, type ActivityEntry } from '@plantroom/contract/activity'
import { describe, expect, test } from 'vitest'
import { actions } from '../../texts/activity.ts'
import { describeActivity, describeActor, describeCount } from './describe-activity.ts'

const entry: ActivityEntry = {
  id: 'act_1',
  seq: 1,
  at: '2030-01-01T00:00:00Z',
  organizationId: 'org_1',
  siteId: null,
  actor: { kind: 'person', id: 'usr_1', name: 'anna@example.com' },
  address: '192.0.2.1',
  action: 'key-created',
  subject: { kind: 'key', id: 'key_1', name: 'Partner' },
  details: {},
  outcome: 'done',
}

describe('an entry of the activity log', () => {
  test('says what happened to what', () => {
    expect(describeActivity(entry)).toBe('Created the API key Partner')
    const subject = { kind: 'request', id: '12', name: null } as const
    expect(describeActivity({ ...entry, action: 'request-changed', subject })).toBe('Changed request 12')
  })

  test.each(ACTIVITY_ACTIONS)('of kind %s has a sentence and a name in the filter', (action) => {
    expect(describeActivity({ ...entry, action, subject: null })).toMatch(/^[A-Z]/)
    expect(actions[action]).toMatch(/^[A-Z]/)
  })

  test('says why a caller was refused, and how often', () => {
    const refused = { ...entry, action: 'refused', details: { reason: 'revoked-key', count: 1200 } } as const
    expect([describeActivity(refused), describeCount(refused)]).toEqual([
      'Used the revoked API key Partner',
      '1,200 times',
    ])
    expect(describeActivity({ ...refused, details: { reason: 'constructor' } })).toBe('Was refused')
    expect(describeCount(entry)).toBeUndefined()
  })

  test('says how a hold was closed and why, also when the reason is a word that refusals use', () => {
    const closed = {
      ...entry,
      action: 'hold-closed',
      subject: { kind: 'datapoint', id: 'dp_1', name: 'Flow' },
    } as const
    const say = (details: object) => describeActivity({ ...closed, details: { ...details } })
    expect(say({ outcome: 'restored-by-hand', reason: 'set to 21 at the panel' })).toBe(
      'Closed the hold of Flow, restored by hand: set to 21 at the panel',
    )
    expect(say({ outcome: 'abandoned', reason: 'revoked-key' })).toBe('Closed the hold of Flow, abandoned: revoked-key')
    expect(say({})).toBe('Closed the hold of Flow')
  })

  test('names who did it', () => {
    const by = (actor: ActivityEntry['actor']) => describeActor({ ...entry, actor })
    expect(by(entry.actor)).toBe('anna@example.com')
    expect(by({ kind: 'key', id: 'key_1', name: 'Partner' })).toBe('Partner (API key)')
    expect(by({ kind: 'operator', id: null, name: null })).toBe('Operator')
    expect(by({ kind: 'unknown', id: null, name: null })).toBe('Unknown')
    expect(by({ kind: 'system', id: null, name: null })).toBe('Service')
    expect(by({ kind: 'schedule', id: null, name: null })).toBe('Schedule')
  })
})
