import { Failure } from '@plantroom/contract/failure'
import { describe, expect, test } from 'vitest'
import { connectedInverter, gate, seconds, startInverter } from '../testing/inverter.ts'

const CONNECTED = 1
const DISCONNECTED = 0
const ERROR = -1

describe('a write', () => {
  test('reaches the equipment, and its value is live when it is read', async () => {
    const { clock, driver, connection } = await connectedInverter()
    await connection.write('setpoint', 215)
    expect(driver.writes).toEqual([{ id: 'setpoint', raw: 215 }])
    expect(connection.current('setpoint').value).toBe(20)
    await clock.advance(1000)
    expect(connection.current('setpoint')).toStrictEqual({ value: 21.5, timestamp: seconds(1) })
  })

  test('of what can only be written is its live value at once', async () => {
    const { clock, connection } = await connectedInverter()
    expect(connection.lastReading('command')).toBeUndefined()
    await clock.advance(300)
    await connection.write('command', 7)
    expect(connection.current('command')).toStrictEqual({ value: 7, timestamp: '2030-01-01T00:00:00.300Z' })
    expect(connection.lastReading('command')).toEqual({ raw: 7 })
    expect(JSON.parse(connection.values()).values.command.value).toBe(7)
  })

  test('does not wait for a poll that takes long', async () => {
    const { clock, driver, connection } = await connectedInverter()
    driver.reading = new Promise(() => {})
    await clock.advance(1000)
    await connection.write('setpoint', 215)
    expect(driver.points.get('setpoint')).toBe(215)
  })

  test('that the equipment refuses is rejected, and the link stays', async () => {
    const { clock, driver, connection } = await connectedInverter()
    driver.refuse.add('setpoint').add('command')
    await expect(connection.write('setpoint', 1)).rejects.toMatchObject({ kind: 'rejected' })
    await expect(connection.write('command', 1)).rejects.toMatchObject({ kind: 'rejected' })
    expect(connection.current('command').value).toBeNull()
    await clock.advance(0)
    expect(connection.status()).toBe(CONNECTED)
    expect(driver.opened).toBe(1)
  })

  test('of a datapoint of another connection is rejected', async () => {
    const { connection } = await connectedInverter()
    await expect(connection.write('stranger', 1)).rejects.toEqual(
      new Failure('rejected', 'stranger is not a datapoint of Inverter'),
    )
  })

  test('is offline while the link is not there yet', async () => {
    const { driver, connection } = startInverter()
    await expect(connection.write('setpoint', 1)).rejects.toEqual(new Failure('offline', 'not open'))
    expect(driver.writes).toEqual([])
  })

  test('reaches equipment of which nothing can be read any more', async () => {
    const { clock, driver, connection } = await connectedInverter()
    driver.reading = Promise.reject(new Failure('offline', 'unit 1 does not answer'))
    driver.reading.catch(() => {})
    await clock.advance(3000)
    expect(connection.status()).toBe(ERROR)
    await connection.write('setpoint', 215, { release: true })
    expect(driver.points.get('setpoint')).toBe(215)
  })

  test('that is no longer wanted when its turn comes is not sent, and the link stays', async () => {
    const { clock, driver, connection } = await connectedInverter()
    const writing = connection.write('setpoint', 215, { stillWanted: () => false })
    await expect(writing).rejects.toMatchObject({ kind: 'conflict' })
    await clock.advance(0)
    expect(driver.writes).toEqual([])
    expect(connection.status()).toBe(CONNECTED)
  })

  test('to a register that does not answer is offline; what the others hold is read, and the link stays', async () => {
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

  test('is refused when the connection was closed', async () => {
    const { connection, driver } = await connectedInverter()
    await connection.close()
    expect(connection.status()).toBe(DISCONNECTED)
    await expect(connection.write('setpoint', 1)).rejects.toMatchObject({ kind: 'offline' })
    expect(driver.writes).toEqual([])
  })

  test('that waits when the connection closes is heard so', async () => {
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
  test('says so, and the link is made anew before the next poll is due', async () => {
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

  test('leaves no poll of the lost link behind', async () => {
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

  test('as soon as it stands, again and again, is not reopened without a pause', async () => {
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

  test('ends no link but the one that it was sent over', async () => {
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

describe('a poll that a write went ahead of', () => {
  /** A poll is under way that has read the old values and is still to bring them. */
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

  test('does not bring back the value from before it', async () => {
    const { clock, connection, heard, answer } = await polling()
    await connection.write('setpoint', 215)
    answer.open()
    await clock.advance(0)
    expect(connection.lastReading('setpoint')).toEqual({ raw: 215 })
    expect(heard).toEqual([])
    expect(connection.current('setpoint').timestamp).toBe(seconds(0))
    expect(connection.current('meter').timestamp).toBe(seconds(1))
  })

  test('does not undo the reading that went ahead as well', async () => {
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

  test('counts when the write was refused', async () => {
    const { clock, driver, connection, heard, answer } = await polling()
    driver.refuse.add('setpoint')
    await expect(connection.write('setpoint', 215)).rejects.toThrow('refused')
    answer.open()
    await clock.advance(0)
    expect(heard).toEqual([['setpoint', 200]])
  })

  test('is the last of which anything is left out', async () => {
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
