import type { Hold, PlacedOverride } from '@plantroom/contract/control-state'
import { describe, expect, test } from 'vitest'
import {
  holderSentence,
  holdSentence,
  nextQueued,
  nextSentence,
  troubleSentence,
  untilSentence,
  windowTimes,
} from './hold-words.ts'

const NOW = Date.parse('2026-11-15T15:55:00Z')
const when = { timeZone: 'UTC', now: NOW }

const window: PlacedOverride & { placedByName: string | null } = {
  id: 'w1',
  datapointId: 'setpoint',
  value: 18,
  from: '2026-11-15T15:00:00.000Z',
  to: '2026-11-15T18:00:00.000Z',
  reqId: 'r1',
  placedBy: 'key-1',
  placedByName: 'Grid partner',
  state: 'active',
}

const hold: Hold = {
  datapointId: 'setpoint',
  by: 'demand-response',
  value: 18,
  overrideId: 'w1',
  until: '2026-11-15T18:00:00.000Z',
  next: { by: 'plain', value: 21.5 },
  beneath: { by: 'plain', value: 21.5 },
  trouble: null,
  troubleReason: null,
}

describe('who holds a datapoint', () => {
  test('is told with the name of whoever placed the window', () => {
    expect(holderSentence(hold, [window])).toBe('Demand response, placed by Grid partner')
  })

  test('is told without a name where there is none, or where the window is not among those told', () => {
    expect(holderSentence(hold, [{ ...window, placedByName: null }])).toBe('Demand response')
    expect(holderSentence(hold, [])).toBe('Demand response')
  })

  test('may be peak shaving or a schedule, or nobody any more', () => {
    const by = (writer: Hold['by']) => holderSentence({ ...hold, by: writer, overrideId: null }, [window])
    expect([by('peak-shaving'), by('deviation'), by('plain')]).toEqual([
      'Peak shaving',
      'Schedule',
      'Being handed back',
    ])
  })
})

describe('until when it is held', () => {
  const until = (change: Partial<Hold>) => untilSentence({ ...hold, ...change }, when)

  test('has the time, its zone, and how long that is from now', () => {
    expect(until({})).toBe('until 18:00 UTC (in 2 h 05 min)')
    expect(until({ until: '2026-11-16T06:00:00.000Z' })).toBe('until tomorrow 06:00 UTC (in 14 h 05 min)')
  })

  test('a time that has passed is any moment now, not a negative one', () => {
    expect(until({ until: '2026-11-15T15:54:59.000Z' })).toBe('until 15:54:59 UTC (any moment now)')
  })

  test('without a time says what it depends on', () => {
    expect(until({ by: 'peak-shaving', until: null })).toBe('until the load is below its limit again')
    expect(until({ by: 'deviation', until: null })).toBe('as long as the schedule says')
    expect(until({ until: null })).toBe('until it is released')
    expect(until({ by: 'plain', until: null })).toBe('')
  })
})

describe('what comes afterwards', () => {
  const next = (by: Hold['by'], value: Hold['value']) => nextSentence({ ...hold, next: { by, value } })

  test.each([
    ['plain', 21.5, 'then back to 21.5'],
    ['plain', null, 'then it stays as it is: what was there before is not known'],
    ['peak-shaving', 5, 'then peak shaving holds it at 5'],
    ['deviation', 20, 'then the schedule holds it at 20'],
    ['deviation', null, 'then the schedule takes over'],
    ['demand-response', 0, 'then demand response holds it at 0'],
    ['plain', '9007199254740993', 'then back to 9007199254740993'],
  ] as const)('%s at %s: %s', (by, value, words) => expect(next(by, value)).toBe(words))
})

describe('the whole sentence', () => {
  test('says what, at what, by whom, until when and what then', () => {
    expect(holdSentence(hold, [window], { ...when, name: 'Supply setpoint' })).toBe(
      'Supply setpoint is held at 18 by demand response, placed by Grid partner, until 18:00 UTC (in 2 h 05 min), then back to 21.5.',
    )
  })

  test('ends with what the equipment did not do', () => {
    expect(holdSentence({ ...hold, trouble: 'not-taken' }, [], when)).toBe(
      'It is held at 18 by demand response, until 18:00 UTC (in 2 h 05 min), then back to 21.5. The equipment did not take the value.',
    )
    expect(troubleSentence({ ...hold, trouble: 'write-failed' })).toBe('The equipment could not be written.')
    const troubleReason = 'exception 4: device failure'
    expect(troubleSentence({ ...hold, trouble: 'write-failed', troubleReason })).toBe(
      'The equipment could not be written. (exception 4: device failure)',
    )
    expect(troubleSentence(hold)).toBe('')
  })

  test('is shorter while it is handed back', () => {
    const back: Hold = { ...hold, by: 'plain', value: 21.5, overrideId: null, until: null }
    expect(holdSentence(back, [], when)).toBe('It is being handed back to 21.5.')
    expect(holdSentence({ ...back, value: null }, [], when)).toBe('It is being handed back.')
  })
})

describe('overrides to come', () => {
  test('have their times', () => {
    expect(windowTimes(window, when)).toBe('from 15:00 UTC to 18:00 UTC')
  })

  test('the next is the one that begins first', () => {
    const queued = (id: string, from: string): PlacedOverride => ({ ...window, id, from, state: 'queued' })
    const later = queued('later', '2026-11-16T00:00:00.000Z')
    const sooner = queued('sooner', '2026-11-15T20:00:00.000Z')
    expect(nextQueued([window, later, sooner])?.id).toBe('sooner')
    expect(nextQueued([window])).toBeUndefined()
  })
})
