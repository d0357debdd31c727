import { createLog } from '@plantroom/base/log'
import { createManualClock, type ManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, test } from 'vitest'
import { createMemoryDriver, type MemoryDriver } from '../testing/memory-driver.ts'
import { startConnection } from './connection.ts'

function start(driver: MemoryDriver, settings: Record<string, unknown> = {}) {
  const clock = createManualClock()
  const config = aConnection({ datapoints: [aDatapoint({ id: 'power' })], settings })
  const connection = startConnection({ config, connect: () => driver, clock, log: createLog('edge', 'silent') })
  return { clock, connection, driver }
}

/** Lets `ms` pass and returns the times at which the equipment was read. */
async function readTimes(driver: MemoryDriver, clock: ManualClock, ms: number): Promise<number[]> {
  const times: number[] = []
  const end = clock.monotonic() + ms
  for (let before = driver.reads.length; clock.monotonic() < end; before = driver.reads.length) {
    await clock.advance(100)
    for (let read = before; read < driver.reads.length; read += 1) times.push(clock.monotonic())
  }
  return times
}

describe('polling', () => {
  test('happens every second by default', async () => {
    const { clock, connection, driver } = start(createMemoryDriver({ power: 1 }))
    await clock.advance(0)
    expect(await readTimes(driver, clock, 3500)).toEqual([1000, 2000, 3000])
    await connection.close()
  })

  test('happens at the commissioned interval', async () => {
    const { clock, connection, driver } = start(createMemoryDriver({ power: 1 }), { pollSeconds: 0.5 })
    await clock.advance(0)
    expect(await readTimes(driver, clock, 2000)).toEqual([500, 1000, 1500, 2000])
    await connection.close()
  })

  test('continues every second after failed writes made it poll early', async () => {
    const { clock, connection, driver } = start(createMemoryDriver({ power: 1 }))
    await clock.advance(0)
    driver.silent.add('power')
    for (let write = 0; write < 60; write += 1) {
      await expect(connection.write('power', 2)).rejects.toThrow('no answer')
      await clock.advance(100)
    }
    driver.silent.clear()
    expect(await readTimes(driver, clock, 3_000)).toHaveLength(3)
    await connection.close()
  })

  test('keeps its schedule when an answer is slow', async () => {
    const { clock, connection, driver } = start(createMemoryDriver({ power: 1 }))
    await clock.advance(0)
    const { promise, resolve } = Promise.withResolvers<void>()
    driver.reading = promise
    await clock.advance(1700)
    resolve()
    driver.reading = Promise.resolve()
    expect(await readTimes(driver, clock, 2000)).toEqual([2000, 3000])
    await connection.close()
  })

  test('skips missed polls: one immediate poll, no burst', async () => {
    const { clock, connection, driver } = start(createMemoryDriver({ power: 1 }))
    await clock.advance(0)
    const { promise, resolve } = Promise.withResolvers<void>()
    driver.reading = promise
    await clock.advance(10_400)
    expect(driver.reads).toHaveLength(2)
    resolve()
    driver.reading = Promise.resolve()
    await clock.advance(0)
    expect(driver.reads).toHaveLength(3)
    expect(await readTimes(driver, clock, 2500)).toEqual([11_400, 12_400])
    await connection.close()
  })

  test('has one read in flight at a time, however slow the equipment', async () => {
    const { clock, connection, driver } = start(createMemoryDriver({ power: 1 }))
    await clock.advance(0)
    driver.reading = new Promise(() => {})
    await clock.advance(60_000)
    expect(driver.reads).toHaveLength(2)
    await connection.close()
  })
})

describe('closing a connection', () => {
  test('that is up closes the link, stops polling and leaves no timer', async () => {
    const { clock, connection, driver } = start(createMemoryDriver({ power: 1 }))
    await clock.advance(0)
    await connection.close()
    expect(driver.isOpen()).toBe(false)
    expect(clock.waiting()).toEqual([])
    await clock.advance(60_000)
    expect(driver.reads).toHaveLength(1)
  })

  test('that waits for its next attempt cancels the attempt', async () => {
    const driver = createMemoryDriver({ power: 1 })
    driver.cut = 'gone'
    const { clock, connection } = start(driver)
    await clock.advance(0)
    await connection.close()
    expect(clock.waiting()).toEqual([])
    await clock.advance(60_000)
    expect(driver.opened).toBe(1)
  })

  test('while it is being opened aborts the attempt', async () => {
    const driver = createMemoryDriver({ power: 1 })
    driver.opening = new Promise(() => {})
    const { clock, connection } = start(driver)
    await clock.advance(0)
    await connection.close()
    expect(driver.isOpen()).toBe(false)
    expect(driver.reads).toEqual([])
  })

  test('at the moment the link comes up leaves no link open', async () => {
    const driver = createMemoryDriver({ power: 1 })
    const { promise, resolve } = Promise.withResolvers<void>()
    driver.opening = promise
    driver.deaf = true
    const { clock, connection } = start(driver)
    await clock.advance(0)
    const closed = connection.close()
    resolve()
    await closed
    expect(driver.isOpen()).toBe(false)
    expect(clock.waiting()).toEqual([])
  })

  test('during a read ends the read and keeps the last known values', async () => {
    const { clock, connection, driver } = start(createMemoryDriver({ power: 1 }))
    await clock.advance(0)
    driver.reading = new Promise(() => {})
    await clock.advance(1000)
    await connection.close()
    expect(JSON.parse(connection.values())).toMatchObject({ status: 0, values: { power: { value: 1 } } })
    expect(clock.waiting()).toEqual([])
  })

  test('is safe to repeat', async () => {
    const { clock, connection, driver } = start(createMemoryDriver({ power: 1 }))
    await clock.advance(0)
    await Promise.all([connection.close(), connection.close()])
    await connection.close()
    expect(driver.isOpen()).toBe(false)
    expect(connection.status()).toBe(0)
    expect(clock.waiting()).toEqual([])
  })
})
