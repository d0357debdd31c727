import { describe, expect, test } from 'vitest'
import {
  describeAsks,
  describeFacts,
  describeOptOut,
  describeOutcome,
  describePeriod,
  placedValue,
  resourcesIn,
  targetName,
} from './describe-event.ts'
import { anEvent, aPlacement, minutes, NOW } from './testing/examples.ts'

const when = { now: NOW, timeZone: 'UTC' }
const sites = new Map([['site', 'School']])
const [outcome] = aPlacement().outcomes

describe('an event', () => {
  test('says when it is, also without an end or a time', () => {
    expect(describePeriod(anEvent(), when)).toMatch(/^\d\d:\d\d UTC to \d\d:\d\d UTC$/)
    expect(describePeriod(anEvent({ to: null }), when)).toMatch(/^From \d\d:\d\d UTC, without an end$/)
    expect(describePeriod(anEvent({ from: null, to: null }), when)).toBe('Without a time')
  })

  test('says its priority, also the highest, and when it changed or was deleted', () => {
    expect(describeFacts(anEvent(), when)).toBe('Grid company')
    const changed = anEvent({ priority: 0, changedAt: minutes(-5), deletedAt: minutes(-1) })
    expect(describeFacts(changed, when)).toMatch(/^Grid company · Priority 0 · changed .* · the VTN deleted it /)
  })

  test('says who took a resource out of it, and which ones are left', () => {
    const optOut = { id: 'opt_1', resourceName: 'battery', reason: 'A concert tonight', by: 'Ann', at: minutes(-5) }
    expect(describeOptOut(optOut, when)).toMatch(/^Since \d\d:\d\d UTC, by Ann: A concert tonight$/)
    expect(resourcesIn(anEvent({ resources: ['battery', 'pump'], optOuts: [optOut] }))).toEqual(['pump'])
  })

  test('says what it asks for in each interval', () => {
    const intervals = [
      ...anEvent().intervals,
      { from: null, to: null, payloads: [{ type: 'SIMPLE', unit: null, values: ['1'] }] },
      { from: minutes(0), to: minutes(1), payloads: [] },
    ]
    const [first, second, ...others] = describeAsks(anEvent({ intervals }), when)
    expect(first).toMatch(/UTC: DISPATCH_SETPOINT 20 KW$/)
    expect(second).toBe('SIMPLE 1')
    expect(others).toEqual([])
  })
})

describe('a placement', () => {
  test('names its datapoint with the value in its unit', () => {
    expect(targetName(aPlacement(), sites)).toBe('Charge power')
    expect(placedValue(aPlacement())).toBe('20\u00A0kW')
    expect(targetName(aPlacement({ outcomes: [] }), sites)).toBe('charge')
  })

  test('names the power that it limits, with the site if the person sees it', () => {
    const limit = aPlacement({ kind: 'limit', direction: 'import', datapointId: null, value: 12.5, outcomes: [] })
    expect(targetName(limit, sites)).toBe('Power from the grid at School')
    expect(targetName(limit, new Map())).toBe('Power from the grid')
    expect(placedValue(limit)).toBe('12.5\u00A0kW')
  })

  test('says what each controller did, and why', () => {
    if (!outcome) throw new Error('the example has an outcome')
    expect(describeOutcome(outcome, 'setpoint')).toBe('Charge power on Cellar: Accepted')
    const refused = { ...outcome, deviceName: null, outcome: 'refused', reason: 'the clock is wrong' } as const
    expect(describeOutcome(refused, 'limit')).toBe('Removed controller: Refused. The clock is wrong.')
    const held = { ...outcome, outcome: 'expired', release: 'pending' } as const
    expect(describeOutcome(held, 'limit')).toBe('Cellar: No answer. May still be held; release requested.')
  })
})
