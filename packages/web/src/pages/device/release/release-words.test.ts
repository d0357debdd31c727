import { describe, expect, test } from 'vitest'
import { aHold, aWindow, minutes, NOW } from '../testing/examples.ts'
import { type ReleaseTarget, releaseWords, toCancel } from './release-words.ts'

const when = { timeZone: 'UTC', now: NOW }
const ruling = aWindow()
const older = aWindow({ id: 'older', value: 8, state: 'superseded', placedByName: null })
const newer = aWindow({ id: 'newer', value: 9, state: 'superseded' })
const queued = aWindow({ id: 'queued', value: 1, from: minutes(120), to: minutes(180), state: 'queued' })
const target: ReleaseTarget = { name: 'Charge power', hold: aHold(), overrides: [ruling] }
const say = (changes: Partial<ReleaseTarget>, window = ruling, extent: 'one' | 'all' = 'one') =>
  releaseWords({ ...target, ...changes }, window, extent, when).join(' ')

describe('a release', () => {
  test('says what it goes back to, and that it is before its time', () => {
    expect(say({})).toBe(
      'It goes back to 5. The window ends before its time; it would have ruled until 13:00 UTC at the latest.',
    )
  })

  test.each([
    ['peak-shaving', 5, 'Then peak shaving holds it at 5.'],
    ['deviation', null, 'Then the schedule takes over.'],
    ['plain', null, 'It stays as it is: what was there before is not known.'],
  ] as const)('with %s beneath at %s: %s', (by, value, words) => {
    const next = { by: 'demand-response', value: 7 } as const
    expect(say({ hold: aHold({ next, beneath: { by, value } }) })).toContain(words)
  })

  test('with other overrides running says that the one placed last of them rules next', () => {
    expect(say({ overrides: [ruling, older, newer] })).toContain(
      'Another window runs too: it rules next and holds it at 9, placed by Grid partner.',
    )
  })

  test('of all overrides goes back to what is beneath them', () => {
    expect(say({ overrides: [ruling, queued, older] }, ruling, 'all')).toBe(
      'It goes back to 5. All 3 overrides are gone then.',
    )
  })

  test('leaves what is queued, and says so', () => {
    expect(say({ overrides: [ruling, queued] })).toMatch(/One more window is queued and stays\.$/)
  })

  test('of a window that does not rule changes nothing now', () => {
    expect(say({ overrides: [ruling, queued] }, queued)).toBe(
      'Charge power will not be held at 1 from 14:00 UTC to 15:00 UTC. It has not begun: nothing changes now.',
    )
    expect(say({ overrides: [ruling, newer] }, newer)).toMatch(/A later window rules Charge power: nothing changes now/)
    expect(say({ hold: undefined, overrides: [queued] }, queued, 'all')).toMatch(/No window rules Charge power now/)
  })
})

describe('what is cancelled', () => {
  const ids = (extent: 'one' | 'all') =>
    toCancel({ ...target, overrides: [ruling, queued, older] }, 'w1', extent).map(({ id }) => id)

  test('is one window', () => expect(ids('one')).toEqual(['w1']))

  test('or all, the one that rules last: the equipment must not jump to the others', () => {
    expect(ids('all')).toEqual(['queued', 'older', 'w1'])
  })
})
