import type { ConnectionValues } from '@plantroom/contract/values'
import { aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { createLiveValues, type ShownHold } from './live-values.ts'

const START = Date.UTC(2030, 0, 1)
const AT = '2030-01-01T00:00:00.000Z'
const LATER = '2030-01-01T00:00:10.000Z'

function liveValues(...ids: string[]) {
  return createLiveValues(
    'conn_1',
    ids.map((id) => aDatapoint({ id })),
    START,
  )
}

const parse = (text: string) => JSON.parse(text) as ConnectionValues

describe('live values', () => {
  test('are exactly the reply of getTechnicalConnectionValues', () => {
    const live = liveValues('power', 'energy')
    live.set('power', { value: -3.5, timestamp: AT })
    live.set('energy', { value: null, timestamp: AT, error: 'exception 4: "device failure"' })
    expect(live.snapshot(1, null, START + 10_000)).toBe(
      `{"connectionId":"conn_1","status":1,"error":null,"timestamp":"${LATER}","values":{` +
        `"power":{"value":-3.5,"timestamp":"${AT}"},` +
        `"energy":{"value":null,"timestamp":"${AT}","error":"exception 4: \\"device failure\\""}}}`,
    )
  })

  test('leave out fields at their default', () => {
    const live = liveValues('plain', 'held')
    live.set('plain', { value: 1, timestamp: AT })
    live.set('held', { value: 2, timestamp: AT })
    live.show('held', { lockedBy: 'demand-response' })
    const { values } = parse(live.snapshot(1, null, START))
    expect(values.plain).toStrictEqual({ value: 1, timestamp: AT })
    expect(values.held).toStrictEqual({ value: 2, timestamp: AT, locked: true, lockedBy: 'demand-response' })
  })

  test('show "not read yet" before the first reading, except for write-only datapoints', () => {
    const datapoints = [
      aDatapoint({ id: 'meter', accessType: 'READ' }),
      aDatapoint({ id: 'setpoint', accessType: 'READ_WRITE' }),
      aDatapoint({ id: 'command', accessType: 'WRITE' }),
    ]
    const live = createLiveValues('conn_1', datapoints, START)
    expect(parse(live.snapshot(2, null, START)).values).toStrictEqual({
      meter: { value: null, timestamp: AT, error: 'not read yet' },
      setpoint: { value: null, timestamp: AT, error: 'not read yet' },
      command: { value: null, timestamp: AT },
    })
  })

  test('show the latest value of each datapoint, in the order of the connection', () => {
    const live = liveValues('a', 'b')
    live.set('b', { value: 1, timestamp: AT })
    expect(parse(live.snapshot(1, null, START)).values.b?.value).toBe(1)
    live.set('b', { value: 2, timestamp: AT })
    live.set('a', { value: 3, timestamp: AT })
    const { values } = parse(live.snapshot(1, null, START))
    expect(Object.entries(values).map(([id, { value }]) => [id, value])).toEqual([
      ['a', 3],
      ['b', 2],
    ])
  })

  test('carry the status of the connection, and its error', () => {
    const reply = parse(liveValues('a').snapshot(-1, '10.0.0.5:502 "refused"\nthe connection', START))
    expect(reply).toMatchObject({ status: -1, error: '10.0.0.5:502 "refused"\nthe connection' })
  })

  test('of a connection without datapoints are an empty object', () => {
    expect(parse(liveValues().snapshot(1, null, START)).values).toEqual({})
  })

  test.each(['__proto__', 'constructor', 'a"b', 'ä\u2028'])('accept %j as an id', (id) => {
    const live = liveValues(id)
    live.set(id, { value: 7, timestamp: AT })
    expect(Object.entries(parse(live.snapshot(1, null, START)).values)).toEqual([[id, { value: 7, timestamp: AT }]])
  })
})

describe('the hold on a datapoint', () => {
  const deviation: ShownHold = { lockedBy: 'deviation', deviationActivated: true, deviationCachedValue: 21.5 }

  test('is shown with the value, in the order of the contract', () => {
    const live = liveValues('power')
    live.set('power', { value: 3, timestamp: AT })
    live.show('power', {
      deviationCachedValue: '9007199254740993',
      ...deviation,
      lockedBy: 'deviation',
    })
    expect(live.snapshot(1, null, START)).toContain(
      `"values":{"power":{"value":3,"timestamp":"${AT}","locked":true,"lockedBy":"deviation",` +
        '"deviationActivated":true,"deviationCachedValue":21.5}}',
    )
  })

  test('may have a cached value beyond 2^53', () => {
    const live = liveValues('energy')
    live.show('energy', { ...deviation, deviationCachedValue: '9007199254740993' })
    expect(live.current('energy')?.deviationCachedValue).toBe('9007199254740993')
  })

  test('may have a cached value of 0', () => {
    const live = liveValues('power')
    live.show('power', { ...deviation, deviationCachedValue: 0 })
    expect(live.current('power')?.deviationCachedValue).toBe(0)
  })

  test('stays when the value changes, and is gone when it is removed', () => {
    const live = liveValues('power')
    live.show('power', deviation)
    live.set('power', { value: 4, timestamp: AT })
    expect(live.current('power')).toMatchObject({ value: 4, locked: true, deviationActivated: true })
    live.show('power', { lockedBy: 'peak-shaving' })
    expect(live.current('power')).toStrictEqual({ value: 4, timestamp: AT, locked: true, lockedBy: 'peak-shaving' })
    live.show('power', undefined)
    expect(live.current('power')).toStrictEqual({ value: 4, timestamp: AT })
    expect(parse(live.snapshot(1, null, START)).values.power).toStrictEqual({ value: 4, timestamp: AT })
  })

  test('does not set an error, which is for failed readings', () => {
    const live = liveValues('power')
    live.show('power', { lockedBy: 'demand-response' })
    live.set('power', { value: null, timestamp: AT, error: 'exception 4' })
    expect(live.current('power')?.error).toBe('exception 4')
    live.set('power', { value: 1, timestamp: AT })
    expect(live.current('power')).not.toHaveProperty('error')
  })

  test('does not affect other or unknown datapoints', () => {
    const live = liveValues('a', 'b')
    live.show('a', deviation)
    live.show('stranger', deviation)
    expect(Object.keys(parse(live.snapshot(1, null, START)).values)).toEqual(['a', 'b'])
    expect(live.current('b')).not.toHaveProperty('locked')
    expect(live.current('stranger')).toBeUndefined()
  })
})
