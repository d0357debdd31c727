import { createLog } from '@plantroom/base/log'
import type { Datapoint } from '@plantroom/contract/datapoint'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryProtocol } from '../testing/memory-driver.ts'
import { type Connections, createConnections } from './connections.ts'

const power = aDatapoint({ id: 'power' })
const link = (id: string, settings: Record<string, unknown> = {}) =>
  aConnection({ id, datapoints: [power], settings: { points: { power: 1 }, ...settings } })

function device() {
  const clock = createManualClock()
  const protocol = createMemoryProtocol()
  const connections = createConnections({
    protocols: { 'modbus-tcp': protocol },
    clock,
    log: createLog('edge', 'silent'),
  })
  onTestFinished(() => connections.close())
  return { clock, protocol, connections }
}

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, open: resolve }
}

describe('finding a datapoint', () => {
  const owning = (id: string, ...datapoints: Datapoint[]) => aConnection({ id, datapoints })
  const setpoint = aDatapoint({ id: 'setpoint', accessType: 'READ_WRITE' })
  const ids = (connections: Connections) =>
    Array.from(connections.all(), ({ systemId, connection, datapoint }) => [
      systemId,
      connection.config.id,
      datapoint.id,
    ])

  test('returns its system and its connection', async () => {
    const { connections } = device()
    await connections.apply(aSystem('ts_1', [owning('a', power)]))
    await connections.apply(aSystem('ts_2', [owning('b', setpoint)]))
    expect(connections.find('setpoint')).toMatchObject({
      systemId: 'ts_2',
      timeZone: 'UTC',
      connection: connections.get('b'),
      datapoint: { ...setpoint, connectionId: 'b' },
    })
    expect(ids(connections)).toEqual([
      ['ts_1', 'a', 'power'],
      ['ts_2', 'b', 'setpoint'],
    ])
  })

  test.each(['stranger', '', '__proto__', 'constructor'])('returns nothing for an unknown id: %j', async (id) => {
    const { connections } = device()
    await connections.apply(aSystem('ts', [owning('a', power)]))
    expect(connections.find(id)).toBeUndefined()
  })

  test('returns it as last commissioned', async () => {
    const { connections } = device()
    await connections.apply(aSystem('ts', [owning('a', power, setpoint)]))
    await connections.apply(aSystem('ts', [owning('a', { ...setpoint, writeInterval: 30 })]))
    expect(connections.find('power')).toBeUndefined()
    expect(connections.find('setpoint')?.datapoint.writeInterval).toBe(30)
    expect(connections.find('setpoint')?.connection).toBe(connections.get('a'))
  })

  test('returns it on the connection that it was moved to', async () => {
    const { connections } = device()
    await connections.apply(aSystem('ts', [owning('a', setpoint), owning('b', power)]))
    await connections.apply(aSystem('ts', [owning('a', power), owning('b', setpoint)]))
    expect(ids(connections).toSorted()).toEqual([
      ['ts', 'a', 'power'],
      ['ts', 'b', 'setpoint'],
    ])
  })

  test('returns nothing when its connection is closed', async () => {
    const { connections } = device()
    await connections.apply(aSystem('ts', [owning('a', setpoint)]))
    await connections.apply(aSystem('ts', []))
    expect(connections.find('setpoint')).toBeUndefined()
    await connections.apply(aSystem('ts', [owning('a', setpoint)]))
    await connections.close()
    expect(ids(connections)).toEqual([])
  })

  test('returns it while its connection restarts, but it cannot be written', async () => {
    const { clock, connections } = device()
    await connections.apply(aSystem('ts', [owning('a', setpoint)]))
    await clock.advance(0)
    const applied = connections.apply(aSystem('ts', [owning('a', { ...setpoint, name: 'Renamed' })]))
    await Promise.resolve()
    expect(connections.get('a')).toBeUndefined()
    const place = connections.find('setpoint')
    await expect(place?.connection.write('setpoint', 1)).rejects.toMatchObject({ kind: 'offline' })
    await applied
    expect(connections.find('setpoint')?.datapoint.name).toBe('Renamed')
  })

  test('accepts any value for it when this device cannot run its connection', async () => {
    const { clock, connections } = device()
    const broken = { ...owning('a', setpoint), settings: { broken: 1 } }
    await connections.apply(aSystem('ts', [broken]))
    await clock.advance(0)
    const connection = connections.find('setpoint')?.connection
    expect(connection?.toRaw('setpoint', 21.54)).toBe(21.54)
    await expect(connection?.write('setpoint', 1)).rejects.toMatchObject({ kind: 'offline' })
  })
})

describe('the hold shown on a datapoint', () => {
  const shownOf = (connections: Connections) => connections.find('power')?.connection.current('power').lockedBy

  test('survives a restart of its connection', async () => {
    const { connections } = device()
    await connections.apply(aSystem('ts', [link('a')]))
    connections.show('power', { lockedBy: 'demand-response' })
    expect(shownOf(connections)).toBe('demand-response')
    await connections.apply(aSystem('ts', [link('a', { pollSeconds: 5 })]))
    expect(shownOf(connections)).toBe('demand-response')
    connections.show('power', undefined)
    await connections.apply(aSystem('ts', [link('a')]))
    expect(shownOf(connections)).toBeUndefined()
  })

  test('may be set before the datapoint exists', async () => {
    const { connections } = device()
    connections.show('power', { lockedBy: 'peak-shaving' })
    await connections.apply(aSystem('ts', [link('a')]))
    expect(shownOf(connections)).toBe('peak-shaving')
  })

  test('may be set while its connection restarts', async () => {
    const { connections } = device()
    await connections.apply(aSystem('ts', [link('a')]))
    const applied = connections.apply(aSystem('ts', [link('a', { pollSeconds: 5 })]))
    await Promise.resolve()
    connections.show('power', { lockedBy: 'deviation' })
    await applied
    expect(shownOf(connections)).toBe('deviation')
  })
})

describe('the listener of the connections', () => {
  test('hears of each connection that comes up, restarted ones included, and of its readings', async () => {
    const { clock, connections, protocol } = device()
    const heard: unknown[] = []
    connections.listen({
      connected: (id) => heard.push(`${id} is up`, connections.get(id)?.status()),
      reading: (id, reading) => heard.push([id, reading]),
    })
    const writable = (settings: Record<string, unknown>) =>
      aConnection({ id: 'a', datapoints: [{ ...power, accessType: 'READ_WRITE' }], settings })
    await connections.apply(aSystem('ts', [writable({ points: { power: 1 } })]))
    await clock.advance(0)
    expect(heard.splice(0)).toEqual([['power', { raw: 1 }], 'a is up', 1])
    await connections.apply(aSystem('ts', [writable({ points: { power: 2 } })]))
    await clock.advance(0)
    expect(heard.splice(0)).toEqual([['power', { raw: 2 }], 'a is up', 1])
    protocol.driver('a').cut = 'reset'
    await clock.advance(1000)
    protocol.driver('a').cut = undefined
    await clock.advance(1000)
    expect(heard.splice(0)).toEqual([['power', { raw: 2 }], 'a is up', 1])
  })

  test('finds the datapoints of a connection that comes up before the others of its system start', async () => {
    const { clock, connections, protocol } = device()
    await connections.apply(aSystem('ts', [link('a'), link('b')]))
    await clock.advance(0)
    const stood: boolean[] = []
    connections.listen({
      connected: (id) => stood.push(connections.find(`${id}_power`)?.connection === connections.get(id)),
      reading: () => {},
    })
    const named = (id: string) =>
      aConnection({ id, datapoints: [aDatapoint({ id: `${id}_power` })], settings: { points: { [`${id}_power`]: 1 } } })
    const slow = gate()
    const { close } = protocol.driver('b')
    protocol.driver('b').close = async () => {
      await slow.promise
      await close()
    }
    const applied = connections.apply(aSystem('ts', [named('a'), named('b')]))
    await clock.advance(0)
    expect(stood).toEqual([true])
    slow.open()
    await applied
    await clock.advance(0)
    expect(stood).toEqual([true, true])
  })
})
