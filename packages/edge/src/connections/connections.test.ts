import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createMemoryProtocol } from '../testing/memory-driver.ts'
import { createConnections } from './connections.ts'

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
  /** The ids of the connections whose link is up. */
  const linksUp = () =>
    [...protocol.drivers].flatMap(([id, drivers]) => drivers.filter((driver) => driver.isOpen()).map(() => id))
  const status = (id: string) => JSON.parse(connections.get(id)?.values() ?? 'null')?.status
  return { clock, protocol, connections, linksUp, status }
}

describe('applying a technical system', () => {
  test('starts its connections', async () => {
    const { clock, connections, linksUp, status } = device()
    await connections.apply(aSystem('ts', [link('a'), link('b')]))
    await clock.advance(0)
    expect(linksUp()).toEqual(['a', 'b'])
    expect([status('a'), status('b')]).toEqual([1, 1])
    expect(connections.get('c')).toBeUndefined()
  })

  test('keeps unchanged connections running', async () => {
    const { clock, protocol, connections } = device()
    await connections.apply(aSystem('ts', [link('a')]))
    await clock.advance(0)
    const before = connections.get('a')
    await connections.apply(structuredClone(aSystem('ts', [link('a'), link('b')])))
    expect(connections.get('a')).toBe(before)
    expect(protocol.drivers.get('a')).toHaveLength(1)
    expect(protocol.driver('a').isOpen()).toBe(true)
  })

  test.each([
    ['settings', link('a', { pollSeconds: 5 })],
    ['name', { ...link('a'), name: 'Renamed' }],
    ['datapoints', aConnection({ id: 'a', settings: { points: { power: 1 } } })],
  ])('restarts a connection whose %s changed', async (_what, changed) => {
    const { clock, protocol, connections, linksUp } = device()
    await connections.apply(aSystem('ts', [link('a'), link('b')]))
    await clock.advance(0)
    await connections.apply(aSystem('ts', [changed, link('b')]))
    await clock.advance(0)
    expect(connections.get('a')?.config).toEqual(changed)
    expect(protocol.drivers.get('a')?.map((driver) => driver.isOpen())).toEqual([false, true])
    expect(linksUp()).toEqual(['a', 'b'])
  })

  test('closes removed connections', async () => {
    const { clock, connections, linksUp } = device()
    await connections.apply(aSystem('ts', [link('a'), link('b')]))
    await clock.advance(0)
    await connections.apply(aSystem('ts', [link('b')]))
    expect(connections.get('a')).toBeUndefined()
    expect(linksUp()).toEqual(['b'])
    await connections.apply(aSystem('ts', []))
    expect(linksUp()).toEqual([])
    expect(clock.waiting()).toEqual([])
  })

  test('does not affect other systems', async () => {
    const { clock, connections, linksUp } = device()
    await connections.apply(aSystem('ts_1', [link('a')]))
    await connections.apply(aSystem('ts_2', [link('b')]))
    await clock.advance(0)
    await connections.apply(aSystem('ts_1', []))
    expect(linksUp()).toEqual(['b'])
  })

  test('finishes only when the closed connections have released the equipment', async () => {
    const { clock, protocol, connections } = device()
    await connections.apply(aSystem('ts', [link('a')]))
    await clock.advance(0)
    const old = protocol.driver('a')
    old.reading = new Promise(() => {})
    await clock.advance(1000)
    await connections.apply(aSystem('ts', [link('a', { pollSeconds: 5 })]))
    expect(old.isOpen()).toBe(false)
  })

  test('restarts a connection that is being opened', async () => {
    const { clock, protocol, connections, linksUp, status } = device()
    await connections.apply(aSystem('ts', [link('a')]))
    protocol.driver('a').opening = new Promise(() => {})
    await connections.apply(aSystem('ts', [link('a', { pollSeconds: 5 })]))
    await clock.advance(0)
    expect(linksUp()).toEqual(['a'])
    expect(status('a')).toBe(1)
  })

  test('concurrently leaves one connection, with the later settings', async () => {
    const { clock, protocol, connections, linksUp } = device()
    await connections.apply(aSystem('ts', [link('a')]))
    await clock.advance(0)
    await Promise.all([
      connections.apply(aSystem('ts', [link('a', { pollSeconds: 2 })])),
      connections.apply(aSystem('ts', [link('a', { pollSeconds: 3 })])),
    ])
    await clock.advance(0)
    expect(connections.get('a')?.config.settings.pollSeconds).toBe(3)
    expect(linksUp()).toEqual(['a'])
    await connections.close()
    expect(protocol.drivers.get('a')?.some((driver) => driver.isOpen())).toBe(false)
  })
})

describe('a technical system from the disk', () => {
  test('with one connection that cannot run any more still runs the others', async () => {
    const { clock, connections, linksUp } = device()
    await connections.apply(aSystem('ts', [link('a', { broken: 1 }), link('b')]))
    await clock.advance(0)
    expect(linksUp()).toEqual(['b'])
  })
})

describe('checking a technical system', () => {
  test('accepts a system that this device can run', () => {
    expect(device().connections.problemsOf(aSystem('ts', [link('a'), link('b')]))).toEqual([])
  })

  test('names every problem by its path in the file', () => {
    const system = aSystem('ts', [link('a', { broken: 1 }), link('b'), { ...link('c'), protocol: 'obix' }])
    expect(device().connections.problemsOf(system)).toEqual([
      { path: 'connections[0].settings.broken', message: 'is invalid' },
      { path: 'connections[2].protocol', message: 'this device has no driver for obix' },
    ])
  })
})

describe('closing the connections', () => {
  test('closes all of them', async () => {
    const { clock, connections, linksUp } = device()
    await connections.apply(aSystem('ts_1', [link('a')]))
    await connections.apply(aSystem('ts_2', [link('b')]))
    await clock.advance(0)
    await connections.close()
    expect(linksUp()).toEqual([])
    expect(clock.waiting()).toEqual([])
  })
})
