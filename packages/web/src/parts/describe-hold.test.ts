import { HOLD_STATES, type Hold, type PlacedOverride } from '@plantroom/contract/control-state'
import { HOLDING_WRITERS, WRITERS } from '@plantroom/contract/writers'
import { describe, expect, test } from 'vitest'
import {
  describeHolder,
  describeNext,
  describePeriod,
  describePlacedBy,
  describeTrouble,
  describeUnanswered,
  describeUntil,
  nextQueued,
  stateName,
  writerName,
} from './describe-hold.ts'

const NOW = Date.parse('2026-11-15T15:55:00Z')
const when = { timeZone: 'UTC', now: NOW }

const override: PlacedOverride & { placedByName: string | null } = {
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
  state: 'holding',
  by: 'demand-response',
  value: 18,
  overrideId: 'w1',
  until: '2026-11-15T18:00:00.000Z',
  next: { by: 'plain', value: 21.5 },
  beneath: { by: 'plain', value: 21.5 },
  trouble: null,
  troubleReason: null,
}

test('uses the labels of the contract for writers that hold a datapoint', () => {
  expect(HOLDING_WRITERS.map(writerName)).toEqual(HOLDING_WRITERS.map((writer) => WRITERS[writer].label))
})

describe('the holder of a datapoint', () => {
  test('includes the name behind the override', () => {
    expect(describeHolder(hold, [override])).toBe('Demand response, placed by Grid partner')
    expect(describePlacedBy(override)).toBe('Placed by Grid partner')
  })

  test('has no name when the override has none or is not listed', () => {
    expect(describeHolder(hold, [{ ...override, placedByName: null }])).toBe('Demand response')
    expect(describeHolder(hold, [])).toBe('Demand response')
    expect(describePlacedBy(undefined)).toBe('')
  })

  test('can be any writer, or nobody while the datapoint is being released', () => {
    const by = (writer: Hold['by'], state: Hold['state'] = 'holding') =>
      describeHolder({ ...hold, by: writer, state, overrideId: null }, [override])
    expect([by('peak-shaving'), by('deviation')]).toEqual(['Peak shaving', 'Schedule'])
    expect([by('plain', 'releasing'), by('plain', 'stuck')]).toEqual(['Releasing', 'Cannot be restored'])
  })
})

describe('the end of a hold', () => {
  const until = (change: Partial<Hold>) => describeUntil({ ...hold, ...change }, when)

  test('shows the time with its zone and the time left', () => {
    expect(until({})).toBe('Until 18:00 UTC (2 h 05 min left)')
    expect(until({ until: '2026-11-16T06:00:00.000Z' })).toBe('Until tomorrow 06:00 UTC (14 h 05 min left)')
  })

  test('shows no negative time left', () => {
    expect(until({ until: '2026-11-15T15:54:59.000Z' })).toBe('Until 15:54:59 UTC (ending now)')
  })

  test('does not say that it is ending when it should have ended', () => {
    expect(until({ until: '2026-11-15T15:54:00.000Z' })).toBe(
      'Should have ended at 15:54 UTC. The controller still holds it.',
    )
  })

  test('names the condition when there is no time', () => {
    expect(until({ by: 'peak-shaving', until: null })).toBe('Until the load is below its limit')
    expect(until({ by: 'deviation', until: null })).toBe('Until the schedule slot ends')
    expect(until({ until: null })).toBe('Until it is released')
    expect(until({ by: 'plain', until: null })).toBe('')
  })
})

describe('what follows a hold', () => {
  const next = (by: Hold['by'], value: Hold['value']) => describeNext({ ...hold, next: { by, value } })

  test.each([
    ['plain', 21.5, 'Then back to 21.5'],
    ['plain', null, 'Then left as it is: the previous value is unknown'],
    ['peak-shaving', 5, 'Then peak shaving holds it at 5'],
    ['deviation', 20, 'Then the schedule holds it at 20'],
    ['deviation', null, 'Then the schedule takes over'],
    ['demand-response', 0, 'Then demand response holds it at 0'],
    ['plain', '9007199254740993', 'Then back to 9,007,199,254,740,993'],
  ] as const)('%s at %s: %s', (by, value, text) => expect(next(by, value)).toBe(text))

  test('is empty while the datapoint is being released', () => {
    expect(describeNext({ ...hold, by: 'plain' })).toBe('')
  })
})

test('describes trouble with the equipment, with the reason if there is one', () => {
  expect(describeTrouble({ ...hold, trouble: 'not-taken' })).toBe('The equipment did not accept the value.')
  expect(describeTrouble({ ...hold, trouble: 'write-failed' })).toBe(
    'Writing to the equipment failed. The controller keeps retrying, at least once a minute.',
  )
  const troubleReason = 'exception 4: device failure'
  expect(describeTrouble({ ...hold, trouble: 'write-failed', troubleReason })).toBe(
    'Writing to the equipment failed (exception 4: device failure). The controller keeps retrying, at least once a minute.',
  )
  expect(describeTrouble(hold)).toBe('')
})

test('says that the controller retries only when that is known', () => {
  const failed = { ...hold, trouble: 'write-failed' } as const
  expect(describeTrouble(failed, false)).toBe('Writing to the equipment failed.')
  expect(describeTrouble({ ...failed, state: 'stuck' })).toBe('Writing to the equipment failed.')
})

test.each(HOLD_STATES)('has a name for the state %s', (state) => {
  expect(stateName({ state })).toMatch(/^[A-Z]/)
})

describe('a hold whose controller does not answer', () => {
  const say = (change: Partial<Hold> = {}, about: Parameters<typeof describeUnanswered>[1] = {}) =>
    describeUnanswered({ ...hold, ...change }, { unit: '°C', ...about }, when)

  test('ends on time if only the connection is down, and stays if the controller has no power', () => {
    expect(say()).toBe(
      'If only its connection is down, the controller ends this on time. If it has no power, the equipment stays at 18\u00A0°C: go there.',
    )
    expect(say({}, { actual: 19 })).toContain('stays at 19\u00A0°C')
  })

  test('that is past its end is not promised to end', () => {
    expect(say({ until: '2026-11-15T15:00:00.000Z' })).toMatch(/the controller ended this at 15:00 UTC\./)
  })

  test('without an end, or being released, goes on', () => {
    expect(say({ by: 'peak-shaving', until: null })).toContain('the controller goes on as before.')
    expect(say({ by: 'plain', until: null, value: 21 })).toBe(
      'If only its connection is down, the controller keeps trying to restore the value. If it has no power, the equipment stays as it is: go there.',
    )
  })

  test('with a failsafe says what the equipment should do by itself', () => {
    expect(say({}, { failsafe: { kind: 'reversion', seconds: 90 } })).toContain(
      'If it has no power, the failsafe of the equipment should end this within 1 min 30 s.',
    )
    expect(say({}, { failsafe: { kind: 'heartbeat', seconds: 10 } })).toContain('misses its heartbeat')
  })
})

describe('queued overrides', () => {
  test('show their period', () => {
    expect(describePeriod(override, when)).toBe('From 15:00 UTC to 18:00 UTC')
  })

  test('are ordered by their start', () => {
    const queued = (id: string, from: string): PlacedOverride => ({ ...override, id, from, state: 'queued' })
    const later = queued('later', '2026-11-16T00:00:00.000Z')
    const sooner = queued('sooner', '2026-11-15T20:00:00.000Z')
    expect(nextQueued([override, later, sooner])?.id).toBe('sooner')
    expect(nextQueued([override])).toBeUndefined()
  })
})
