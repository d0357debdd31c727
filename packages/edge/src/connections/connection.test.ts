import { createLog } from '@plantroom/base/log'
import type { Datapoint } from '@plantroom/contract/datapoint'
import type { ConnectionValues } from '@plantroom/contract/values'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryDriver, type MemoryDriver } from '../testing/memory-driver.ts'
import { startConnection } from './connection.ts'

const CONNECTED = 1
const CONNECTING = 2
const DISCONNECTED = 0
const ERROR = -1

function start(driver: MemoryDriver, datapoints?: readonly Datapoint[], settings: Record<string, unknown> = {}) {
  const clock = createManualClock(Date.UTC(2030, 0, 1))
  const points = datapoints ?? [...driver.points.keys()].map((id) => aDatapoint({ id }))
  const config = aConnection({ datapoints: points, settings })
  const connection = startConnection({ config, connect: () => driver, clock, log: createLog('edge', 'silent') })
  onTestFinished(() => connection.close())
  const values = () => JSON.parse(connection.values()) as ConnectionValues
  return { clock, connection, values, driver }
}

const seconds = (count: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, count)).toISOString()

/** A promise and the function that resolves it. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}

describe('the status of a connection', () => {
  test('is connecting until the first values arrive, then connected', async () => {
    const driver = createMemoryDriver({ power: 42 })
    const link = gate()
    const answer = gate()
    driver.opening = link.promise
    driver.reading = answer.promise
    const { clock, values } = start(driver)
    expect(values()).toMatchObject({ status: CONNECTING, error: null, values: { power: { value: null } } })
    link.open()
    await clock.advance(0)
    expect(values()).toMatchObject({ status: CONNECTING, values: { power: { error: 'not read yet' } } })
    answer.open()
    await clock.advance(0)
    expect(values()).toMatchObject({ status: CONNECTED, error: null, values: { power: { value: 42 } } })
  })

  test('is an error, with the reason, when the equipment cannot be reached', async () => {
    const driver = createMemoryDriver({ power: 42 })
    driver.cut = '10.0.0.5:502 refused the connection'
    const { clock, values } = start(driver)
    await clock.advance(0)
    expect(values()).toMatchObject({ status: ERROR, error: '10.0.0.5:502 refused the connection' })
  })

  test('of a lost link is disconnected, then error, then connected again', async () => {
    const driver = createMemoryDriver({ power: 42 })
    const { clock, values } = start(driver)
    await clock.advance(0)
    const attempt = gate()
    driver.opening = attempt.promise
    driver.cut = 'the cable is out'
    await clock.advance(1000)
    expect(values()).toMatchObject({ status: DISCONNECTED, error: null })
    attempt.open()
    await clock.advance(0)
    expect(values()).toMatchObject({ status: ERROR, error: 'the cable is out' })
    driver.cut = undefined
    await clock.advance(1000)
    expect(values()).toMatchObject({ status: CONNECTED, error: null })
  })

  test('is not error when a lost link is back at the first attempt', async () => {
    const driver = createMemoryDriver({ power: 42 })
    const { clock, values } = start(driver)
    await clock.advance(0)
    const attempt = gate()
    driver.opening = attempt.promise
    driver.cut = 'reset'
    await clock.advance(1000)
    driver.cut = undefined
    attempt.open()
    await clock.advance(0)
    expect(values()).toMatchObject({ status: CONNECTED, error: null })
    expect(driver.opened).toBe(2)
  })
})

describe('a connection that is down', () => {
  test('shows the last known values with the time at which they were read', async () => {
    const driver = createMemoryDriver({ power: 42 })
    const { clock, values } = start(driver)
    await clock.advance(2500)
    driver.cut = 'gone'
    driver.points.set('power', 43)
    await clock.advance(60_000)
    expect(values().timestamp).toBe(new Date(clock.now()).toISOString())
    expect(values().values.power).toStrictEqual({ value: 42, timestamp: seconds(2) })
    driver.cut = undefined
    await clock.advance(5000)
    expect(values().values.power?.value).toBe(43)
  })

  test('is retried once a second, however long it takes', async () => {
    const driver = createMemoryDriver({ power: 42 })
    driver.cut = 'gone'
    const { clock } = start(driver)
    const attempts: number[] = []
    for (let before = driver.opened; clock.monotonic() < 20_000; before = driver.opened) {
      await clock.advance(100)
      if (driver.opened > before) attempts.push(clock.monotonic())
    }
    expect(attempts).toEqual(Array.from({ length: 20 }, (_, index) => (index + 1) * 1000))
  })

  test('is retried immediately after it was up', async () => {
    const driver = createMemoryDriver({ power: 42 })
    driver.cut = 'gone'
    const { clock, values } = start(driver)
    await clock.advance(20_000)
    driver.cut = undefined
    await clock.advance(5000)
    expect(values().status).toBe(CONNECTED)
    driver.cut = 'gone again'
    await clock.advance(1000)
    expect(values().status).toBe(ERROR)
    driver.cut = undefined
    await clock.advance(1000)
    expect(values().status).toBe(CONNECTED)
  })
})

describe('a value', () => {
  test('that cannot be read affects neither the others nor the connection', async () => {
    const { clock, values } = start(
      createMemoryDriver({ power: 42, broken: 'exception 2: no such address', state: 1n }),
    )
    await clock.advance(0)
    expect(values().status).toBe(CONNECTED)
    expect(values().values).toStrictEqual({
      power: { value: 42, timestamp: seconds(0) },
      broken: { value: null, timestamp: seconds(0), error: 'exception 2: no such address' },
      state: { value: 1, timestamp: seconds(0) },
    })
  })

  test('loses its error when it can be read again', async () => {
    const { clock, values, driver } = start(createMemoryDriver({ power: 'busy' }))
    await clock.advance(0)
    driver.points.set('power', 42)
    await clock.advance(1000)
    expect(values().values.power).toStrictEqual({ value: 42, timestamp: seconds(1) })
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('of %d is shown as null', async (raw) => {
    const { clock, values } = start(createMemoryDriver({ power: raw }))
    await clock.advance(0)
    expect(values().values.power).toStrictEqual({
      value: null,
      timestamp: seconds(0),
      error: `the equipment sent ${raw}`,
    })
  })

  test('is in engineering units', async () => {
    const scaler = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 }
    const { clock, values } = start(createMemoryDriver({ power: 215 }), [aDatapoint({ id: 'power', scaler })])
    await clock.advance(0)
    expect(values().values.power?.value).toBe(21.5)
  })

  test('has a wall clock timestamp, and stepping that clock loses no poll', async () => {
    const { clock, values, driver } = start(createMemoryDriver({ power: 42 }))
    await clock.advance(0)
    clock.step(-3_600_000)
    await clock.advance(3000)
    expect(driver.reads).toHaveLength(4)
    expect(values().values.power?.timestamp).toBe('2029-12-31T23:00:03.000Z')
  })

  test('that can only be written is never read', async () => {
    const datapoints = [
      aDatapoint({ id: 'command', accessType: 'WRITE' }),
      aDatapoint({ id: 'setpoint', accessType: 'READ_WRITE' }),
      aDatapoint({ id: 'meter', accessType: 'READ' }),
    ]
    const { clock, values, driver } = start(createMemoryDriver({ command: 1, setpoint: 2, meter: 3 }), datapoints)
    await clock.advance(0)
    expect(driver.reads).toEqual([['setpoint', 'meter']])
    expect(Object.values(values().values).map(({ value }) => value)).toEqual([null, 2, 3])
    expect(values().values.command).not.toHaveProperty('error')
  })
})
