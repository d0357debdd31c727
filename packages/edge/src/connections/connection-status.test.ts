import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryDriver } from '../testing/memory-driver.ts'
import { startConnection } from './connection.ts'

const CONNECTED = 1
const DISCONNECTED = 0
const ERROR = -1

/** A connection, and every status that it had after `connecting`, with its reason, as the log has them. */
function start() {
  const clock = createManualClock()
  const driver = createMemoryDriver({ power: 42 })
  const passed: [status: number, reason: string | null][] = []
  const log = createLog('edge', 'info', {
    write(line) {
      const { msg, status, reason } = JSON.parse(line)
      if (msg === 'connection status') passed.push([status, reason])
    },
  })
  const config = aConnection({ name: 'Inverter', datapoints: [aDatapoint({ id: 'power', accessType: 'READ_WRITE' })] })
  const connection = startConnection({ config, driver, clock, log })
  onTestFinished(() => connection.close())
  const shown = () => {
    const { status, error } = JSON.parse(connection.values())
    return [status, error]
  }
  return { clock, driver, connection, passed, shown }
}

describe('the states that a connection passes through', () => {
  test('are from connecting straight to connected where all is well, and nothing else for as long', async () => {
    const { clock, passed } = start()
    await clock.advance(60_000)
    expect(passed).toEqual([[CONNECTED, null]])
  })

  test('are a loss, an error with its reason, and back without one', async () => {
    const { clock, driver, passed, shown } = start()
    await clock.advance(0)
    driver.cut = '10.0.0.5:502 closed the connection'
    await clock.advance(1000)
    driver.cut = undefined
    await clock.advance(500)
    expect(passed).toEqual([
      [CONNECTED, null],
      [DISCONNECTED, null],
      [ERROR, '10.0.0.5:502 closed the connection'],
      [CONNECTED, null],
    ])
    expect(shown()).toEqual([CONNECTED, null])
  })

  test('stay an error through all attempts, and tell the reason of the last one', async () => {
    const { clock, driver, passed, shown } = start()
    driver.cut = 'refused'
    await clock.advance(10_000)
    expect(passed).toEqual([[ERROR, 'refused']])
    driver.cut = 'cannot be reached'
    await clock.advance(10_000)
    expect(passed.slice(1)).toEqual([[ERROR, 'cannot be reached']])
    expect(shown()).toEqual([ERROR, 'cannot be reached'])
    driver.cut = undefined
    await clock.advance(5000)
    expect(passed.slice(2)).toEqual([[CONNECTED, null]])
  })

  test('are an error where the link stands and the first question has no answer: connected was never true', async () => {
    const { clock, driver, passed } = start()
    driver.reading = Promise.reject(new Failure('offline', 'unit 1 did not answer within 1000 ms'))
    driver.reading.catch(() => {})
    await clock.advance(2000)
    expect(passed).toEqual([[ERROR, 'unit 1 did not answer within 1000 ms']])
    driver.reading = Promise.resolve()
    await clock.advance(5000)
    expect(passed.slice(1)).toEqual([[CONNECTED, null]])
  })

  test('are the same whoever finds the link lost: here a write', async () => {
    const { clock, driver, connection, passed } = start()
    await clock.advance(600)
    driver.cut = 'reset'
    await expect(connection.write('power', 1)).rejects.toThrow('reset')
    await clock.advance(0)
    expect(passed).toEqual([
      [CONNECTED, null],
      [DISCONNECTED, null],
      [ERROR, 'reset'],
    ])
  })

  test('end with disconnected and no reason, also where there was one', async () => {
    const { clock, driver, connection, passed, shown } = start()
    driver.cut = 'refused'
    await clock.advance(0)
    await connection.close()
    expect(passed.at(-1)).toEqual([DISCONNECTED, null])
    expect(shown()).toEqual([DISCONNECTED, null])
  })

  test('are not touched by a datapoint that cannot be read, nor by a write that is refused', async () => {
    const { clock, driver, connection, passed } = start()
    driver.points.set('power', 'exception 2')
    driver.refuse.add('power')
    await clock.advance(1000)
    await expect(connection.write('power', 1)).rejects.toThrow()
    await clock.advance(5000)
    expect(passed).toEqual([[CONNECTED, null]])
  })
})
