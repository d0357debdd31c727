import type { CommissionedConnection, CommissionedDatapoint } from '@plantroom/contract/commissioning'
import type { AccessType } from '@plantroom/contract/datapoint'
import { Failure } from '@plantroom/contract/failure'
import type { Protocol, Raw } from '@plantroom/drivers/driver'
import { createProtocols } from '@plantroom/drivers/protocols'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { describe, expect, test } from 'vitest'
import { createMemoryDriver, type MemoryDriver } from '../testing/memory-driver.ts'
import { allReadable } from './print.ts'
import { probe } from './probe.ts'

const TENTHS = { inputValue1: 0, outputValue1: 0, inputValue2: 1, outputValue2: 10 }

const point = (name: string, about: Partial<CommissionedDatapoint> = {}): CommissionedDatapoint => ({
  ...{ name, accessType: 'READ', data: {} },
  ...about,
})
const connection = (name: string, about: Partial<CommissionedConnection> = {}): CommissionedConnection => ({
  ...{ name, protocol: 'modbus-tcp', settings: { host: name }, datapoints: [point('Power')] },
  ...about,
})

/** Equipment by connection name. Its points have the names of the datapoints. */
function equipment(held: Readonly<Record<string, Readonly<Record<string, Raw | string>>>>) {
  const clock = createManualClock()
  const drivers = new Map<string, MemoryDriver>(
    Object.entries(held).map(([name, points]) => [name, createMemoryDriver(points)]),
  )
  const protocol: Protocol = {
    check: () => [],
    targets: ({ datapoints }) => datapoints.map(() => undefined),
    connect({ name, datapoints }) {
      const driver = drivers.get(name)
      if (!driver) throw new Failure('invalid', `there is no ${name}`)
      const named = (id: string) => datapoints.find((datapoint) => datapoint.id === id)?.name ?? id
      return { ...driver, read: (ids, options) => driver.read(ids.map(named), options) }
    },
  }
  const driver = (name: string) => drivers.get(name) as MemoryDriver
  const finished: string[] = []
  const start = (...connections: CommissionedConnection[]) =>
    probe(
      { technicalSystem: 'Room', connections },
      {
        protocols: { ...createProtocols(clock), 'modbus-tcp': protocol, mqtt: protocol, obix: protocol },
        clock,
        done: ({ name }) => void finished.push(name),
      },
    )
  return { clock, driver, start, finished }
}

describe('a probe', () => {
  test('reads each datapoint once, in raw and engineering units, and disconnects', async () => {
    const { driver, start, clock } = equipment({ A: { Power: 215, Counter: 2n ** 60n, Small: 7n } })
    const datapoints = [point('Power', { scaler: TENTHS }), point('Counter'), point('Small')]
    const probed = await start(connection('A', { settings: { host: 'A', port: 502 }, datapoints }))
    expect(probed).toEqual([
      {
        ...{ name: 'A', protocol: 'modbus-tcp', endpoint: 'A:502', status: 1, error: null },
        datapoints: [
          { name: 'Power', accessType: 'READ', raw: 215, value: 21.5, note: null, error: null },
          {
            name: 'Counter',
            accessType: 'READ',
            raw: '1152921504606846976',
            value: '1152921504606846976',
            note: null,
            error: null,
          },
          { name: 'Small', accessType: 'READ', raw: 7, value: 7, note: null, error: null },
        ],
      },
    ])
    expect(JSON.parse(JSON.stringify(probed))).toEqual(probed)
    expect(allReadable(probed)).toBe(true)
    expect(driver('A').reads).toEqual([['Power', 'Counter', 'Small']])
    expect(driver('A').isOpen()).toBe(false)
    expect(clock.waiting()).toEqual([])
  })

  test('writes nothing and skips write-only datapoints', async () => {
    const { driver, start } = equipment({ A: { In: 1, Both: 2, Out: 3 } })
    const accessed = (name: string, accessType: AccessType) => point(name, { accessType })
    const datapoints = [accessed('In', 'READ'), accessed('Both', 'READ_WRITE'), accessed('Out', 'WRITE')]
    const probed = await start(connection('A', { datapoints }))
    expect(driver('A').writes).toEqual([])
    expect(driver('A').reads).toEqual([['In', 'Both']])
    expect(probed[0]?.datapoints[2]).toEqual({
      ...{ name: 'Out', accessType: 'WRITE', raw: null, value: null, note: null, error: null },
    })
    expect(allReadable(probed)).toBe(true)
  })

  test('reports the problem of a datapoint and reads the others', async () => {
    const { start } = equipment({ A: { Good: 1, Bad: 'exception 2' } })
    const probed = await start(connection('A', { datapoints: [point('Good'), point('Bad')] }))
    expect(probed[0]).toMatchObject({ status: 1, error: null })
    expect(probed[0]?.datapoints.map(({ value, error }) => [value, error])).toEqual([
      [1, null],
      [null, 'exception 2'],
    ])
    expect(allReadable(probed)).toBe(false)
  })

  test('notes a datapoint that does not hold a number', async () => {
    const { driver, start } = equipment({ A: { Number: Number.NaN, Image: 0 } })
    const { read } = driver('A')
    driver('A').read = async (ids, options) => {
      const [number = { error: 'none' }] = await read(ids, options)
      return [number, { error: 'the register holds NaN', image: '7fc00000' }]
    }
    const probed = await start(connection('A', { datapoints: [point('Number'), point('Image')] }))
    expect(probed[0]?.datapoints.map(({ value, note, error }) => [value, note, error])).toEqual([
      [null, 'the equipment sent NaN', null],
      [null, 'the register holds NaN', null],
    ])
    expect(allReadable(probed)).toBe(true)
  })

  test('reports the problem of a connection with its datapoints, and probes the others', async () => {
    const { driver, start } = equipment({ A: { Power: 1 }, B: { Power: 2 } })
    driver('A').cut = 'A:502 refused the connection'
    const datapoints = [point('Power'), point('Command', { accessType: 'WRITE' })]
    const [a, b] = await start(connection('A', { datapoints }), connection('B'))
    expect(a).toMatchObject({ status: -1, error: 'A:502 refused the connection' })
    expect(a?.datapoints.map(({ error }) => error)).toEqual(['A:502 refused the connection', null])
    expect(b).toMatchObject({ status: 1, datapoints: [{ value: 2 }] })
  })

  test('retries once a second after a request without an answer', async () => {
    const { clock, driver, start } = equipment({ A: { Power: 1 } })
    const { read } = driver('A')
    let requests = 0
    driver('A').read = async (ids, options) => {
      requests += 1
      if (requests < 4) throw new Failure('offline', 'unit 1 did not answer within 1000 ms')
      return read(ids, options)
    }
    const probing = start(connection('A'))
    await clock.advance(2_999)
    expect(requests).toBe(3)
    await clock.advance(1)
    expect(await probing).toMatchObject([{ status: 1, error: null, datapoints: [{ value: 1, error: null }] }])
    expect(clock.waiting()).toEqual([])
  })

  test('gives up after 15 seconds without an answer, with the reason', async () => {
    const { clock, driver, start } = equipment({ A: { Power: 1 } })
    driver('A').read = async () => {
      throw new Failure('offline', 'unit 1 did not answer within 1000 ms')
    }
    const probing = start(connection('A'))
    await clock.advance(15_000)
    const error = 'unit 1 did not answer within 1000 ms (retried for 15 s)'
    expect(await probing).toMatchObject([{ status: -1, error, datapoints: [{ value: null, error }] }])
    expect(driver('A').isOpen()).toBe(false)
    expect(clock.waiting()).toEqual([])
  })

  test('reports what was read before the link was lost', async () => {
    const { clock, driver, start } = equipment({ A: { Flow: 35, Power: 'no state received yet' } })
    const { read } = driver('A')
    let requests = 0
    driver('A').read = async (ids, options) => {
      requests += 1
      if (requests > 1) throw new Failure('offline', 'the broker ended the connection')
      return read(ids, options)
    }
    const probing = start(connection('A', { protocol: 'mqtt', datapoints: [point('Flow'), point('Power')] }))
    await clock.advance(15_000)
    const error = 'the broker ended the connection (retried for 15 s)'
    expect(await probing).toMatchObject([
      {
        status: -1,
        error,
        datapoints: [
          { value: 35, error: null },
          { value: null, error: 'no state received yet' },
        ],
      },
    ])
  })

  test('reports a connection that its driver rejects', async () => {
    const { start } = equipment({})
    expect(await start(connection('A'))).toMatchObject([{ status: -1, error: 'there is no A' }])
  })

  test('returns nothing for an empty file', async () => {
    const { start } = equipment({ A: {} })
    expect(await start()).toEqual([])
    expect(await start(connection('A', { datapoints: [] }))).toMatchObject([{ status: 1, datapoints: [] }])
    expect(allReadable([])).toBe(true)
  })

  test.each(['opening', 'reading'] as const)('gives up after 15 seconds of %s', async (what) => {
    const { clock, driver, start } = equipment({ A: { Power: 1 } })
    driver('A')[what] = new Promise(() => {})
    driver('A').deaf = true
    const probing = start(connection('A'))
    await clock.advance(14_999)
    expect(driver('A').opened).toBe(1)
    await clock.advance(1)
    expect(await probing).toMatchObject([{ status: -1, error: 'gave no answer within 15 s' }])
    expect(clock.waiting()).toEqual([])
  })

  test('ends even if the equipment does not disconnect', async () => {
    const { clock, driver, start } = equipment({ A: { Power: 1 } })
    driver('A').close = () => new Promise(() => {})
    const probing = start(connection('A'))
    await clock.advance(1_000)
    expect(await probing).toMatchObject([{ status: 1 }])
  })
})

describe('several connections', () => {
  test('are reported in the order of the file, whichever finishes first', async () => {
    const { clock, driver, start, finished } = equipment({ A: { Power: 1 }, B: { Power: 2 } })
    const { promise, resolve } = Promise.withResolvers<void>()
    driver('A').opening = promise
    const probing = start(connection('A'), connection('B'))
    await clock.advance(5_000)
    expect(finished).toEqual(['B'])
    resolve()
    expect((await probing).map(({ name }) => name)).toEqual(['A', 'B'])
    expect(finished).toEqual(['B', 'A'])
  })

  test('to one host and port are probed in sequence, each with its own time limit', async () => {
    const { clock, driver, start } = equipment({ A: { Power: 1 }, B: { Power: 2 } })
    driver('A').opening = new Promise(() => {})
    const gateway = { host: '10.0.0.5' }
    const probing = start(connection('A', { settings: gateway }), connection('B', { settings: gateway }))
    await clock.advance(14_999)
    expect(driver('B').opened).toBe(0)
    await clock.advance(1)
    expect((await probing).map(({ status }) => status)).toEqual([-1, 1])
  })
})

describe('MQTT equipment, which publishes on its own', () => {
  const heatPump = connection('A', { protocol: 'mqtt', datapoints: [point('Flow'), point('Power')] })

  test('is heard until every datapoint has a value', async () => {
    const { clock, driver, start } = equipment({ A: { Flow: 35, Power: 'no state received yet' } })
    const probing = start(heatPump)
    await clock.advance(4_000)
    driver('A').points.set('Power', 3)
    await clock.advance(200)
    expect(await probing).toMatchObject([{ status: 1, datapoints: [{ value: 35 }, { value: 3 }] }])
    expect(clock.waiting()).toEqual([])
  })

  test('is heard for at most 10 seconds', async () => {
    const { clock, start } = equipment({ A: { Flow: 35, Power: 'no state received yet' } })
    const probing = start(heatPump)
    await clock.advance(10_200)
    const [probed] = await probing
    expect(probed?.datapoints.map(({ error }) => error)).toEqual([null, 'no state received yet'])
  })
})
