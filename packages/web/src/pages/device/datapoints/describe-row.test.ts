import { describe, expect, test } from 'vitest'
import { aDatapoint, aHold, anOverride, aRow, minutes, NOW } from '../testing/examples.ts'
import { describeAge, describeRow } from './describe-row.ts'

const when = { timeZone: 'UTC', now: NOW + 3000 }
const context = {
  when,
  controllerNow: when.now,
  status: 1,
  oldAfter: 15_000,
  isLost: false,
  isServiceLost: false,
  isKnown: true,
  canManage: true,
} as const

describe('a row', () => {
  test('shows value, age and range of a datapoint that is not held', () => {
    expect(describeRow(aRow(), context)).toEqual({
      id: 'charge',
      name: 'Charge power',
      hint: '-50 to 50',
      value: '5',
      unit: undefined,
      problem: '',
      age: 'Just now',
      isOld: false,
      by: '',
      holder: '',
      notHeld: 'Not held',
      heldAt: '',
      actual: '',
      until: '',
      next: '',
      trouble: '',
      state: '',
      stateHint: '',
      unanswered: '',
      canCloseHold: false,
      canOverride: true,
      overrideId: null,
      isWanted: false,
    })
  })

  test('shows the unit with every number', () => {
    const row = aRow({ datapoint: aDatapoint({ unit: 'kW' }), hold: aHold(), overrides: [anOverride()] })
    const { hint, value, unit, heldAt, next, actual } = describeRow(row, context)
    expect([value, unit]).toEqual(['5', 'kW'])
    expect([hint, heldAt, next, actual].map((text) => text.replaceAll('\u00A0', ' '))).toEqual([
      '-50 to 50 kW',
      'Held at 20 kW',
      'Then back to 5 kW',
      'The equipment is at 5 kW',
    ])
  })

  test('shows a switch as on or off, without a range', () => {
    const row = aRow({ datapoint: aDatapoint({ unit: 'on/off' }), hold: aHold({ value: 1 }) })
    expect(describeRow(row, context)).toMatchObject({ heldAt: 'Held at On', unit: undefined, hint: '' })
  })

  test('never says that nothing holds a datapoint of a controller that does not answer', () => {
    const lost = { ...context, isLost: true }
    expect(describeRow(aRow(), lost).notHeld).toBe('Not held when the controller last answered')
    expect(describeRow(aRow(), { ...lost, isKnown: false }).notHeld).toBe('Unknown')
    expect(describeRow(aRow(), { ...context, isKnown: false }).notHeld).toBe('Unknown')
  })

  test('neither counts down nor confirms an end while the state is not live', () => {
    const until = (minute: number) =>
      describeRow(aRow({ hold: aHold({ until: minutes(minute) }) }), { ...context, isLost: true }).until
    expect(until(60)).toBe('Until 13:00 UTC')
    expect(until(-1)).toBe('Should have ended at 11:59 UTC. The controller has not confirmed it.')
  })

  test('says what the controller does about a hold, as long as it answers', () => {
    const hold = aHold({ state: 'releasing', by: 'plain', value: 5, overrideId: null, until: null })
    const { holder, state, stateHint, heldAt, unanswered } = describeRow(aRow({ hold }), context)
    expect([holder, state, heldAt, unanswered]).toEqual(['Releasing', '', 'Returning to 5', ''])
    expect(stateHint).toBe('The controller restores the value from before. No reading shows it yet.')
    const lost = describeRow(aRow({ hold }), { ...context, isLost: true })
    expect([lost.holder, lost.stateHint]).toEqual(['Releasing', ''])
    const writing = describeRow(aRow({ hold: aHold({ state: 'writing' }) }), context)
    expect([writing.state, writing.stateHint]).toEqual(['Writing', 'No reading shows the value yet.'])
  })

  test('says what is known of a hold whose controller does not answer, and nothing while the service is silent', () => {
    const hold = aHold({ until: minutes(60) })
    const row = aRow({ hold, value: { value: 20, timestamp: minutes(0) } })
    expect(describeRow(row, { ...context, isLost: true }).unanswered).toBe(
      'If only its connection is down, the controller ends this on time. If it has no power, the equipment stays at 20: go there.',
    )
    expect(describeRow(row, { ...context, isLost: true, isServiceLost: true }).unanswered).toBe('')
  })

  test('has the age of a value by the clock of the controller, and the end of a hold by that of the service', () => {
    const behind = { ...context, controllerNow: NOW + 3000, when: { ...when, now: NOW + 3_600_000 - 60_000 } }
    const { age, until } = describeRow(aRow({ hold: aHold() }), behind)
    expect([age, until]).toEqual(['Just now', 'Until 13:00 UTC (1 min left)'])
  })

  test('lets people who manage the site close a hold that cannot be restored', () => {
    const row = aRow({ hold: aHold({ state: 'stuck', by: 'plain', overrideId: null, until: null }) })
    expect(describeRow(row, context).canCloseHold).toBe(true)
    expect(describeRow(row, { ...context, canManage: false }).canCloseHold).toBe(false)
  })

  test('shows what the equipment is at when that is not what it is held at', () => {
    const at = (value: number | null) =>
      describeRow(aRow({ value: { value, timestamp: minutes(0) }, hold: aHold() }), context)
    expect(at(21)).toMatchObject({ value: '21', heldAt: 'Held at 20', actual: 'The equipment is at 21', problem: '' })
    expect([at(20).actual, at(null).actual]).toEqual(['', ''])
  })

  test('marks the datapoint that the address names', () => {
    expect(describeRow(aRow(), { ...context, wantedId: 'charge' }).isWanted).toBe(true)
  })

  test('shows holder, value, end and what follows of a held datapoint', () => {
    const row = aRow({ hold: aHold({ trouble: 'not-taken' }), overrides: [anOverride()] })
    expect(describeRow(row, context)).toMatchObject({
      holder: 'Demand response, placed by Grid partner',
      heldAt: 'Held at 20',
      until: 'Until 13:00 UTC (59 min 57 s left)',
      next: 'Then back to 5',
      trouble: 'The equipment did not accept the value.',
      overrideId: 'w1',
    })
  })

  test('offers no actions to viewers', () => {
    const texts = describeRow(aRow({ hold: aHold() }), { ...context, canManage: false })
    expect([texts.canOverride, texts.overrideId]).toEqual([false, null])
  })

  test('offers no release when another writer than demand response holds the datapoint', () => {
    expect(describeRow(aRow({ hold: aHold({ by: 'peak-shaving', overrideId: null }) }), context).overrideId).toBeNull()
  })

  test('shows why a datapoint cannot be read, and which ones are read only', () => {
    const value = { value: null, timestamp: minutes(0), error: 'timeout' }
    expect(describeRow(aRow({ value }), context)).toMatchObject({ value: '–', problem: 'Cannot be read: timeout' })
    const problem = (error: string | undefined, accessType: 'READ_WRITE' | 'WRITE' = 'READ_WRITE') => {
      const unread = { value: null, timestamp: minutes(0), ...(error !== undefined && { error }) }
      return describeRow(aRow({ value: unread, datapoint: aDatapoint({ accessType }) }), context).problem
    }
    expect(problem('not read yet')).toBe('Not read yet')
    expect(problem(undefined, 'WRITE')).toBe('Write only. The controller has not written it since it started.')
    const readOnly = aRow({ datapoint: aDatapoint({ accessType: 'READ' }), isWritable: false })
    expect(describeRow(readOnly, context)).toMatchObject({ hint: 'Read only', canOverride: false })
  })

  test('shows a lock even when the controller does not list its hold', () => {
    const value = {
      value: 5,
      timestamp: minutes(0),
      locked: true,
      lockedBy: 'deviation',
      deviationCachedValue: 3,
    } as const
    expect(describeRow(aRow({ value }), context)).toMatchObject({ holder: 'Schedule', next: 'Then back to 3' })
  })

  test('is equal within the same second, so that it does not rerender', () => {
    const row = () => aRow({ hold: aHold(), overrides: [anOverride()] })
    expect(describeRow(row(), context)).toEqual(describeRow(row(), context))
  })
})

describe('the age of a value', () => {
  const fresh = { now: NOW, status: 1, oldAfter: 30_000, isLost: false } as const
  const ago = (ms: number) => new Date(NOW - ms).toISOString()

  test('is shown as a length of time', () => {
    expect(describeAge(ago(0), fresh)).toEqual({ text: 'Just now', isOld: false })
    expect(describeAge(ago(9999), fresh)).toEqual({ text: 'Just now', isOld: false })
    expect(describeAge(ago(13_000), fresh)).toEqual({ text: '13 s ago', isOld: false })
    expect(describeAge(ago(30_000), fresh)).toEqual({ text: '30 s ago', isOld: false })
  })

  test('marks a value that is older than three polls', () => {
    expect(describeAge(ago(31_000), fresh)).toEqual({ text: 'Stale: 31 s ago', isOld: true })
  })

  test.each([2, 0, -1, undefined] as const)('marks the last known value at connection status %s', (status) => {
    expect(describeAge(ago(3000), { ...fresh, status })).toEqual({ text: 'Last known value, 3 s ago', isOld: true })
  })

  test('marks the last known value while the controller is silent', () => {
    expect(describeAge(ago(3000), { ...fresh, isLost: true }).text).toBe('Last known value, 3 s ago')
  })

  test('is never negative, and covers values that never arrived', () => {
    expect(describeAge(ago(-5000), fresh).text).toBe('Just now')
    expect(describeAge(undefined, fresh)).toEqual({ text: 'No value yet', isOld: true })
  })
})
