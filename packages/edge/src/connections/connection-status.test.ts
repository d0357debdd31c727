import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import type { DriverListener } from '@plantroom/drivers/driver'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryDriver } from '../testing/memory-driver.ts'
import { startConnection } from './connection.ts'

const CONNECTED = 1
const DISCONNECTED = 0
const ERROR = -1

/** A connection, and the log of every status after `connecting` with its reason. */
function start() {
  const clock = createManualClock()
  const driver = createMemoryDriver({ power: 42 })
  const history: [status: number, reason: string | null][] = []
  const log = createLog('edge', 'info', {
    write(line) {
      const { msg, status, reason } = JSON.parse(line)
      if (msg === 'connection status') history.push([status, reason])
    },
  })
  const config = aConnection({ name: 'Inverter', datapoints: [aDatapoint({ id: 'power', accessType: 'READ_WRITE' })] })
  let listener: DriverListener | undefined
  const connect = (whom: DriverListener) => {
    listener = whom
    return driver
  }
  const connection = startConnection({ config, connect, clock, log })
  onTestFinished(() => connection.close())
  const shown = () => {
    const { status, error } = JSON.parse(connection.values())
    return [status, error]
  }
  /** The listener of the driver. */
  const driverListener = () => listener as DriverListener
  return { clock, driver, connection, driverListener, history, shown }
}

describe('the status history of a connection', () => {
  test('goes from connecting to connected and stays there while all is well', async () => {
    const { clock, history } = start()
    await clock.advance(60_000)
    expect(history).toEqual([[CONNECTED, null]])
  })

  test('shows a loss, then an error with its reason, then the recovery', async () => {
    const { clock, driver, history, shown } = start()
    await clock.advance(0)
    driver.cut = '10.0.0.5:502 closed the connection'
    await clock.advance(1000)
    driver.cut = undefined
    await clock.advance(1000)
    expect(history).toEqual([
      [CONNECTED, null],
      [DISCONNECTED, '10.0.0.5:502 closed the connection'],
      [ERROR, '10.0.0.5:502 closed the connection'],
      [CONNECTED, null],
    ])
    expect(shown()).toEqual([CONNECTED, null])
  })

  test('stays in error through all attempts, with the reason of the last one', async () => {
    const { clock, driver, history, shown } = start()
    driver.cut = 'refused'
    await clock.advance(10_000)
    expect(history).toEqual([[ERROR, 'refused']])
    driver.cut = 'cannot be reached'
    await clock.advance(10_000)
    expect(history.slice(1)).toEqual([[ERROR, 'cannot be reached']])
    expect(shown()).toEqual([ERROR, 'cannot be reached'])
    driver.cut = undefined
    await clock.advance(5000)
    expect(history.slice(2)).toEqual([[CONNECTED, null]])
  })

  test('goes to error, never to connected, when the link opens and the first read fails', async () => {
    const { clock, driver, history } = start()
    driver.reading = Promise.reject(new Failure('offline', 'unit 1 did not answer within 1000 ms'))
    driver.reading.catch(() => {})
    await clock.advance(2000)
    expect(history).toEqual([[ERROR, 'unit 1 did not answer within 1000 ms']])
    driver.reading = Promise.resolve()
    await clock.advance(5000)
    expect(history.slice(1)).toEqual([[CONNECTED, null]])
  })

  test('is the same when a write detects the loss', async () => {
    const { clock, driver, connection, history } = start()
    await clock.advance(600)
    driver.cut = 'reset'
    await expect(connection.write('power', 1)).rejects.toThrow('reset')
    await clock.advance(0)
    await clock.advance(0)
    expect(history).toEqual([
      [CONNECTED, null],
      [DISCONNECTED, 'not open'],
      [ERROR, 'reset'],
    ])
  })

  test('is the same when the driver reports the loss, without a poll', async () => {
    const { clock, driver, driverListener, history, shown } = start()
    await clock.advance(600)
    const readsBefore = driver.reads.length
    driver.cut = 'refused'
    driverListener().lost(new Failure('offline', 'closed'))
    expect(history.slice(1)).toEqual([[DISCONNECTED, 'closed']])
    await clock.advance(0)
    expect(history.slice(2)).toEqual([[ERROR, 'refused']])
    expect(driver.reads).toHaveLength(readsBefore)
    driver.cut = undefined
    await clock.advance(1000)
    expect(history.slice(3)).toEqual([[CONNECTED, null]])
    expect(shown()).toEqual([CONNECTED, null])
  })

  test('shows a short loss when the link reopens immediately, and polling continues', async () => {
    const { clock, driver, driverListener, history } = start()
    await clock.advance(600)
    driverListener().lost(new Failure('offline', 'closed'))
    await clock.advance(0)
    expect(history).toEqual([
      [CONNECTED, null],
      [DISCONNECTED, 'closed'],
      [CONNECTED, null],
    ])
    expect(driver.opened).toBe(2)
    const reads = driver.reads.length
    await clock.advance(1000)
    expect(driver.reads).toHaveLength(reads + 1)
  })

  test('shows one loss, however often it is reported', async () => {
    const { clock, driver, connection, driverListener, history } = start()
    await clock.advance(600)
    driver.cut = 'reset'
    const writing = connection.write('power', 1)
    driverListener().lost(new Failure('offline', 'closed'))
    driverListener().lost(new Failure('offline', 'closed again'))
    await expect(writing).rejects.toThrow('reset')
    await clock.advance(0)
    driverListener().lost(new Failure('offline', 'closed at last'))
    expect(history.slice(1)).toEqual([
      [DISCONNECTED, 'closed'],
      [ERROR, 'reset'],
    ])
  })

  test('shows one loss when a poll in flight fails for another reason', async () => {
    const { clock, driver, driverListener, history } = start()
    const { promise, reject } = Promise.withResolvers<void>()
    await clock.advance(0)
    driver.reading = promise
    await clock.advance(1000)
    driver.opening = new Promise(() => {})
    driverListener().lost(new Failure('offline', 'closed'))
    reject(new Failure('offline', 'reset'))
    await clock.advance(0)
    expect(history.slice(1)).toEqual([[DISCONNECTED, 'closed']])
  })

  test('has no error message while the link is being reopened', async () => {
    const { clock, driver, driverListener, shown } = start()
    await clock.advance(600)
    driver.opening = new Promise(() => {})
    driverListener().lost(new Failure('offline', 'closed'))
    await clock.advance(0)
    expect(shown()).toEqual([DISCONNECTED, null])
  })

  test('ignores a loss that is reported after closing', async () => {
    const { clock, connection, driverListener, history } = start()
    await clock.advance(0)
    await connection.close()
    driverListener().lost(new Failure('offline', 'closed'))
    expect(history).toEqual([
      [CONNECTED, null],
      [DISCONNECTED, null],
    ])
  })

  test('ends with disconnected and no reason', async () => {
    const { clock, driver, connection, history, shown } = start()
    driver.cut = 'refused'
    await clock.advance(0)
    await connection.close()
    expect(history.at(-1)).toEqual([DISCONNECTED, null])
    expect(shown()).toEqual([DISCONNECTED, null])
  })

  test('ignores an unreadable datapoint and a rejected write', async () => {
    const { clock, driver, connection, history } = start()
    driver.points.set('power', 'exception 2')
    driver.refuse.add('power')
    await clock.advance(1000)
    await expect(connection.write('power', 1)).rejects.toThrow()
    await clock.advance(5000)
    expect(history).toEqual([[CONNECTED, null]])
  })
})
