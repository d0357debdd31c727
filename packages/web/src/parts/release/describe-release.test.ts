import { describe, expect, test } from 'vitest'
import { aHold, anOverride, minutes, NOW } from '../testing/holds.ts'
import { describeRelease, type ReleaseTarget, toCancel, usualExtent } from './describe-release.ts'

const when = { timeZone: 'UTC', now: NOW, isLive: true }
const active = anOverride()
const older = anOverride({ id: 'older', value: 8, state: 'superseded', placedByName: null })
const newer = anOverride({ id: 'newer', value: 9, state: 'superseded' })
const queued = anOverride({ id: 'queued', value: 1, from: minutes(120), to: minutes(180), state: 'queued' })
const target: ReleaseTarget = { name: 'Charge power', hold: aHold(), overrides: [active] }
const say = (changes: Partial<ReleaseTarget>, override = active, extent: 'one' | 'all' = 'one') =>
  describeRelease({ ...target, ...changes }, override, extent, when).join(' ')

describe('a release', () => {
  test('names the value it returns to and the planned end', () => {
    expect(say({})).toBe('Charge power returns to 5. This ends the override early. Its planned end is 13:00 UTC.')
  })

  test.each([
    ['peak-shaving', 5, 'Peak shaving then holds Charge power at 5.'],
    ['deviation', null, 'The schedule then takes over Charge power.'],
    ['plain', null, 'Charge power is left as it is, because its previous value is unknown.'],
  ] as const)('with %s beneath at %s: %s', (by, value, text) => {
    const next = { by: 'demand-response', value: 7 } as const
    expect(say({ hold: aHold({ next, beneath: { by, value } }) })).toContain(text)
  })

  test('names the most recent superseded override, which becomes active', () => {
    expect(say({ overrides: [active, older, newer] })).toContain(
      'The override at 9, placed by Grid partner, becomes active again.',
    )
    expect(say({ overrides: [active, older] })).toContain('The override at 8 becomes active again.')
  })

  test('of all overrides returns to what is beneath them', () => {
    expect(say({ overrides: [active, queued, older] }, active, 'all')).toBe(
      'Charge power returns to 5. All 3 overrides are cancelled.',
    )
  })

  test('of the only override is told as what it is', () => {
    expect(say({}, active, 'all')).toBe(say({}))
    expect(say({ unit: 'kW' })).toMatch(/^Charge power returns to 5\u00A0kW\./)
  })

  test('frees the datapoint, unless it is about an override that is not active', () => {
    expect([active, queued, newer].map(usualExtent)).toEqual(['all', 'one', 'one'])
  })

  test('does not claim to end early what should have ended', () => {
    const past = anOverride({ to: minutes(-5) })
    const said = describeRelease({ ...target, overrides: [past] }, past, 'one', when).join(' ')
    expect(said).toBe('Charge power returns to 5. The override should have ended at 11:55 UTC.')
  })

  test('claims nothing about when a controller that does not answer ends it', () => {
    const said = describeRelease(target, active, 'one', { ...when, isLive: false }).join(' ')
    expect(said).toBe('Charge power returns to 5. Its planned end is 13:00 UTC.')
  })

  test('mentions the queued overrides that stay', () => {
    expect(say({ overrides: [active, queued] })).toMatch(/1 more override stays queued\.$/)
  })

  test('changes nothing now when the override is not active', () => {
    expect(say({ overrides: [active, queued] }, queued)).toBe(
      'Charge power will not be held at 1 from 14:00 UTC to 15:00 UTC. The override has not started, so nothing changes now.',
    )
    expect(say({ overrides: [active, newer] }, newer)).toMatch(
      /A later override is active on Charge power, so nothing changes now/,
    )
    expect(say({ hold: undefined, overrides: [queued] }, queued, 'all')).toMatch(
      /No override is active on Charge power/,
    )
  })
})

describe('the overrides to cancel', () => {
  const ids = (extent: 'one' | 'all') =>
    toCancel({ ...target, overrides: [active, queued, older] }, 'w1', extent).map(({ id }) => id)

  test('can be one', () => expect(ids('one')).toEqual(['w1']))

  test('end with the active one, so that the equipment does not jump to the others', () => {
    expect(ids('all')).toEqual(['queued', 'older', 'w1'])
  })
})
