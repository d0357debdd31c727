import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { connectedInverter, gate, seconds, startInverter } from '../testing/inverter.ts'

const CONNECTED = 1
const DISCONNECTED = 0
const ERROR = -1

describe('a write', () => {
  test('reaches the equipment, and the live value follows with the next reading', async () => {
    const { clock, driver, connection } = await connectedInverter()
    await connection.write('setpoint', 215)
    expect(driver.writes).toEqual([{ id: 'setpoint', raw: 215 }])
    expect(connection.current('setpoint').value).toBe(20)
    await clock.advance(1000)
    expect(connection.current('setpoint')).toStrictEqual({ value: 21.5, timestamp: seconds(1) })
  })

  test('to a write-only datapoint becomes its live value immediately', async () => {
    const { clock, connection } = await connectedInverter()
    expect(connection.lastReading('command')).toBeUndefined()
    await clock.advance(300)
    await connection.write('command', 7)
    expect(connection.current('command')).toStrictEqual({ value: 7, timestamp: '2030-01-01T00:00:00.300Z' })
    expect(connection.lastReading('command')).toEqual({ raw: 7 })
    expect(JSON.parse(connection.values()).values.command.value).toBe(7)
  })

  test('does not wait for a slow poll', async () => {
    const { clock, driver, connection } = await connectedInverter()
    driver.reading = new Promise(() => {})
    await clock.advance(1000)
    await connection.write('setpoint', 215)
    expect(driver.points.get('setpoint')).toBe(215)
  })

  test('that the equipment rejects leaves the link up', async () => {
    const { clock, driver, connection } = await connectedInverter()
    driver.refuse.add('setpoint').add('command')
    await expect(connection.write('setpoint', 1)).rejects.toMatchObject({ kind: 'rejected' })
    await expect(connection.write('command', 1)).rejects.toMatchObject({ kind: 'rejected' })
    expect(connection.current('command').value).toBeNull()
    await clock.advance(0)
    expect(connection.status()).toBe(CONNECTED)
    expect(driver.opened).toBe(1)
  })

  test('to a datapoint of another connection is rejected', async () => {
    const { connection } = await connectedInverter()
    await expect(connection.write('stranger', 1)).rejects.toEqual(
      new Failure('rejected', 'stranger is not a datapoint of Inverter'),
    )
  })

  test('fails as offline before the link is up', async () => {
    const { driver, connection } = startInverter()
    await expect(connection.write('setpoint', 1)).rejects.toEqual(new Failure('offline', 'not open'))
    expect(driver.writes).toEqual([])
  })

  test('reaches equipment that can no longer be read', async () => {
    const { clock, driver, connection } = await connectedInverter()
    driver.reading = Promise.reject(new Failure('offline', 'unit 1 does not answer'))
    driver.reading.catch(() => {})
    await clock.advance(3000)
    expect(connection.status()).toBe(ERROR)
    await connection.write('setpoint', 215, { release: true })
    expect(driver.points.get('setpoint')).toBe(215)
  })

  test('that is no longer wanted is not sent, and the link stays up', async () => {
    const { clock, driver, connection } = await connectedInverter()
    const writing = connection.write('setpoint', 215, { stillWanted: () => false })
    await expect(writing).rejects.toMatchObject({ kind: 'conflict' })
    await clock.advance(0)
    expect(driver.writes).toEqual([])
    expect(connection.status()).toBe(CONNECTED)
  })

  test('to a silent register fails as offline, while the others are read and the link stays up', async () => {
    const { clock, driver, connection } = await connectedInverter()
    driver.silent.add('setpoint')
    const before = driver.reads.length
    await expect(connection.write('setpoint', 215)).rejects.toMatchObject({ kind: 'offline' })
    await clock.advance(0)
    expect(driver.reads.length).toBe(before + 1)
    expect(connection.status()).toBe(CONNECTED)
    expect(connection.current('meter')).not.toHaveProperty('error')
    expect(driver.opened).toBe(1)
  })

  test('fails after the connection was closed', async () => {
    const { connection, driver } = await connectedInverter()
    await connection.close()
    expect(connection.status()).toBe(DISCONNECTED)
    await expect(connection.write('setpoint', 1)).rejects.toMatchObject({ kind: 'offline' })
    expect(driver.writes).toEqual([])
  })

  test('that waits when the connection closes is rejected', async () => {
    const { connection, driver } = await connectedInverter()
    driver.writing = new Promise(() => {})
    const writing = connection.write('setpoint', 1)
    writing.catch(() => {})
    await connection.close()
    await expect(writing).rejects.toEqual(new Failure('offline', 'closed'))
    expect(connection.status()).toBe(DISCONNECTED)
  })
})

describe('a write that loses the link', () => {
  test('fails, and the link is reopened before the next poll is due', async () => {
    const { clock, driver, connection, heard } = await connectedInverter()
    await clock.advance(600)
    heard.length = 0
    const attempt = gate()
    driver.opening = attempt.promise
    driver.cut = 'reset'
    await expect(connection.write('setpoint', 215)).rejects.toEqual(new Failure('offline', 'reset'))
    await clock.advance(0)
    expect(connection.status()).toBe(DISCONNECTED)
    driver.cut = undefined
    attempt.open()
    await clock.advance(0)
    expect(connection.status()).toBe(CONNECTED)
    expect(driver.opened).toBe(2)
    expect(heard).toEqual([['setpoint', 200], 'conn'])
  })

  test('leaves no poll on the lost link', async () => {
    const { clock, driver, connection } = await connectedInverter()
    await clock.advance(600)
    driver.cut = 'reset'
    await expect(connection.write('setpoint', 215)).rejects.toThrow('reset')
    driver.cut = undefined
    await clock.advance(1000)
    expect(connection.status()).toBe(CONNECTED)
    const before = driver.reads.length
    await clock.advance(3000)
    expect(driver.reads.length - before).toBe(3)
  })

  test('right after it comes up, repeatedly, pauses before reopening it', async () => {
    const { clock, driver, connection, heard } = await connectedInverter()
    for (let round = 0; round < 50; round += 1) {
      driver.cut = 'hung up'
      await connection.write('setpoint', 215).catch(() => {})
      await clock.advance(0)
      driver.cut = undefined
      await clock.advance(100)
    }
    expect(driver.opened).toBeLessThanOrEqual(7)
    expect(heard.filter((what) => what === 'conn').length).toBeGreaterThan(1)
  })

  test('affects only the link that it was sent over', async () => {
    const { clock, driver, connection } = await connectedInverter()
    const answer = gate()
    driver.beforeWrite = async () => {
      await answer.promise
      throw new Failure('offline', 'no answer')
    }
    const late = connection.write('setpoint', 215)
    late.catch(() => {})
    await clock.advance(0)
    driver.cut = 'reset'
    await clock.advance(1000)
    driver.cut = undefined
    await clock.advance(5000)
    const { opened } = driver
    answer.open()
    await expect(late).rejects.toEqual(new Failure('offline', 'no answer'))
    await clock.advance(0)
    expect(connection.status()).toBe(CONNECTED)
    expect(driver.opened).toBe(opened)
  })
})

describe('a poll that is overtaken by a write', () => {
  /** Starts a poll that has read the old values but has not returned them yet. */
  async function polling() {
    const device = await connectedInverter()
    const answer = gate()
    const old = [...device.driver.points]
    device.driver.reading = answer.promise.then(() => {
      for (const [id, held] of old) device.driver.points.set(id, held)
    })
    await device.clock.advance(1000)
    device.heard.length = 0
    return { ...device, answer }
  }

  test('does not show the value from before the write', async () => {
    const { clock, connection, heard, answer } = await polling()
    await connection.write('setpoint', 215)
    answer.open()
    await clock.advance(0)
    expect(heard).toEqual([])
    expect(connection.current('setpoint').timestamp).toBe(seconds(0))
    expect(connection.current('meter').timestamp).toBe(seconds(1))
  })

  test('does not undo a single reading that overtook it too', async () => {
    const { clock, driver, connection, answer } = await polling()
    await connection.write('setpoint', 215)
    const held = driver.reading
    driver.reading = Promise.resolve()
    await connection.read('setpoint')
    driver.reading = held
    answer.open()
    await clock.advance(0)
    expect(connection.current('setpoint').value).toBe(21.5)
    expect(connection.lastReading('setpoint')).toEqual({ raw: 215 })
  })

  test('counts when the write was rejected', async () => {
    const { clock, driver, connection, heard, answer } = await polling()
    driver.refuse.add('setpoint')
    await expect(connection.write('setpoint', 215)).rejects.toThrow('refused')
    answer.open()
    await clock.advance(0)
    expect(heard).toEqual([['setpoint', 200]])
  })

  test('is followed by complete polls', async () => {
    const { clock, driver, connection, heard, answer } = await polling()
    await connection.write('setpoint', 215)
    answer.open()
    driver.reading = Promise.resolve()
    await clock.advance(0)
    driver.points.set('setpoint', 216)
    await clock.advance(1000)
    expect(heard).toEqual([['setpoint', 216]])
    expect(connection.current('setpoint').value).toBe(21.6)
  })
})
