import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { connectedInverter, gate, seconds, startInverter } from '../testing/inverter.ts'
import { createMemoryDriver } from '../testing/memory-driver.ts'
import { startConnection } from './connection.ts'

const CONNECTED = 1
const DISCONNECTED = 0

describe('reading one datapoint', () => {
  test('reads it alone and immediately, and updates the live value', async () => {
    const { clock, driver, connection } = await connectedInverter()
    await clock.advance(300)
    driver.points.set('setpoint', 215).set('meter', 6)
    expect(await connection.read('setpoint')).toEqual({ raw: 215 })
    expect(driver.urgentReads).toEqual([['setpoint']])
    expect(driver.reads.at(-1)).toEqual(['setpoint'])
    expect(connection.current('setpoint')).toStrictEqual({ value: 21.5, timestamp: '2030-01-01T00:00:00.300Z' })
    expect(connection.current('meter').value).toBe(5)
  })

  test('that answers with an exception rejects, and the live value shows the error', async () => {
    const { driver, connection } = await connectedInverter()
    driver.points.set('setpoint', 'exception 4')
    await expect(connection.read('setpoint')).rejects.toEqual(new Failure('rejected', 'setpoint: exception 4'))
    expect(connection.current('setpoint')).toMatchObject({ value: null, error: 'exception 4' })
    expect(connection.lastReading('setpoint')).toEqual({ raw: 200 })
    expect(connection.status()).toBe(CONNECTED)
  })

  test('that holds NaN returns its image and shows no value', async () => {
    const { driver, connection } = await connectedInverter()
    driver.points.set('setpoint', { image: '7fc00001' })
    const held = { error: 'not a number', image: '7fc00001' }
    expect(await connection.read('setpoint')).toEqual(held)
    expect(connection.current('setpoint')).toMatchObject({ value: null, error: 'not a number' })
    expect(connection.lastReading('setpoint')).toEqual(held)
  })

  test('that can only be written is possible, and the live value stays the one written last', async () => {
    const { driver, connection } = await connectedInverter()
    await connection.write('command', 7)
    expect(await connection.read('command')).toEqual({ raw: 7 })
    driver.unreadable.set('command', 'exception 1')
    await expect(connection.read('command')).rejects.toEqual(new Failure('rejected', 'command: exception 1'))
    expect(connection.current('command')).toMatchObject({ value: 7 })
    expect(connection.current('command')).not.toHaveProperty('error')
  })

  test('that does not exist rejects', async () => {
    const { connection } = await connectedInverter()
    await expect(connection.read('stranger')).rejects.toMatchObject({ kind: 'rejected' })
    expect(() => connection.current('stranger')).toThrow('stranger is not a datapoint of Inverter')
    expect(() => connection.toRaw('stranger', 1)).toThrow('stranger is not a datapoint of Inverter')
    expect(connection.lastReading('stranger')).toBeUndefined()
  })

  test('over a lost link fails as offline, and the link is reopened', async () => {
    const { clock, driver, connection } = await connectedInverter()
    await clock.advance(600)
    driver.cut = 'reset'
    await expect(connection.read('setpoint')).rejects.toEqual(new Failure('offline', 'reset'))
    await expect(connection.read('setpoint')).rejects.toMatchObject({ kind: 'offline' })
    driver.cut = undefined
    await clock.advance(1000)
    expect(await connection.read('setpoint')).toEqual({ raw: 200 })
  })
})

describe('the last reading', () => {
  test('is kept while the link is down or the datapoint cannot be read', async () => {
    const { clock, driver, connection } = await connectedInverter()
    expect(connection.lastReading('setpoint')).toEqual({ raw: 200 })
    driver.points.set('setpoint', 'busy')
    await clock.advance(1000)
    expect(connection.lastReading('setpoint')).toEqual({ raw: 200 })
    driver.cut = 'gone'
    await clock.advance(10_000)
    expect(connection.lastReading('setpoint')).toEqual({ raw: 200 })
  })

  test('is as exact as the register', async () => {
    const { clock, driver, connection } = await connectedInverter()
    driver.points.set('setpoint', 2n ** 53n + 1n)
    await clock.advance(1000)
    expect(connection.lastReading('setpoint')).toEqual({ raw: 2n ** 53n + 1n })
  })
})

describe('a value in engineering units', () => {
  test('is scaled and rounded to what the equipment can hold', async () => {
    const { connection } = await connectedInverter()
    expect(connection.toRaw('setpoint', 21.54)).toBe(215)
    expect(connection.toRaw('command', 21.54)).toBe(21.54)
  })

  test('can be converted while the link is down', () => {
    const { driver, connection } = startInverter()
    driver.cut = 'gone'
    expect(connection.toRaw('setpoint', 21.54)).toBe(215)
  })

  test('that does not fit is rejected with both the raw and the engineering value', async () => {
    const { driver, connection } = await connectedInverter()
    driver.nearest = (_id, raw) => {
      throw new Failure('rejected', `${raw} does not fit int16`)
    }
    expect(() => connection.toRaw('setpoint', 4000)).toThrow(
      new Failure('rejected', '40000 does not fit int16 (40000 is the raw value of 4000)'),
    )
    expect(() => connection.toRaw('command', 40_000)).toThrow(new Failure('rejected', '40000 does not fit int16'))
  })
})

describe('the listener', () => {
  test('hears each time the link comes up, and the readings of writable datapoints', async () => {
    const { clock, driver, heard } = await connectedInverter()
    expect(heard).toEqual([['setpoint', 200], 'conn'])
    await clock.advance(1000)
    expect(heard.slice(2)).toEqual([['setpoint', 200]])
    driver.cut = 'reset'
    await clock.advance(1000)
    driver.cut = undefined
    heard.length = 0
    await clock.advance(1000)
    expect(heard).toEqual([['setpoint', 200], 'conn'])
  })

  test('does not hear of unreadable datapoints', async () => {
    const { clock, driver, heard } = await connectedInverter()
    heard.length = 0
    driver.points.set('setpoint', 'busy')
    await clock.advance(1000)
    expect(heard).toEqual([])
  })

  test('can write from within its callback', async () => {
    const clock = createManualClock()
    const driver = createMemoryDriver({ setpoint: 1 })
    const writes: Promise<void>[] = []
    const connection = startConnection({
      config: aConnection({ datapoints: [aDatapoint({ id: 'setpoint', accessType: 'READ_WRITE' })] }),
      connect: () => driver,
      clock,
      log: createLog('edge', 'silent'),
      listener: {
        connected: () => writes.push(connection.write('setpoint', 2)),
        reading: (_id, reading) =>
          'raw' in reading && writes.push(connection.write('setpoint', Number(reading.raw) + 10)),
      },
    })
    onTestFinished(() => connection.close())
    await clock.advance(0)
    await Promise.all(writes)
    expect(driver.writes.map(({ raw }) => raw)).toEqual([11, 2])
  })

  test('hears nothing from a connection that was closed while its link came up', async () => {
    const { driver, connection, heard } = startInverter()
    const link = gate()
    driver.opening = link.promise
    driver.deaf = true
    const closed = connection.close()
    link.open()
    await closed
    expect(heard).toEqual([])
    expect(connection.status()).toBe(DISCONNECTED)
  })
})

describe('the hold shown on a datapoint', () => {
  test('appears with every later reading', async () => {
    const { clock, driver, connection } = await connectedInverter()
    connection.show('setpoint', { lockedBy: 'demand-response' })
    driver.points.set('setpoint', 'busy')
    await clock.advance(1000)
    const shown = { value: null, timestamp: seconds(1), error: 'busy', locked: true, lockedBy: 'demand-response' }
    expect(connection.current('setpoint')).toStrictEqual(shown)
    expect(JSON.parse(connection.values()).values.setpoint).toStrictEqual(shown)
    connection.show('setpoint', undefined)
    expect(connection.current('setpoint')).not.toHaveProperty('locked')
  })
})
