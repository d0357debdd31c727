import { createLog } from '@plantroom/base/log'
import { Failure } from '@plantroom/contract/failure'
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
  /** Every link to equipment that stands, by the id of its connection. */
  const standing = () =>
    [...protocol.drivers].flatMap(([id, drivers]) => drivers.filter((driver) => driver.isOpen()).map(() => id))
  const status = (id: string) => JSON.parse(connections.get(id)?.values() ?? 'null')?.status
  return { clock, protocol, connections, standing, status }
}

describe('applying a technical system', () => {
  test('starts its connections', async () => {
    const { clock, connections, standing, status } = device()
    await connections.apply(aSystem('ts', [link('a'), link('b')]))
    await clock.advance(0)
    expect(standing()).toEqual(['a', 'b'])
    expect([status('a'), status('b')]).toEqual([1, 1])
    expect(connections.get('c')).toBeUndefined()
  })

  test('leaves those alone that did not change', async () => {
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
  ])('starts one anew whose %s changed', async (_what, changed) => {
    const { clock, protocol, connections, standing } = device()
    await connections.apply(aSystem('ts', [link('a'), link('b')]))
    await clock.advance(0)
    await connections.apply(aSystem('ts', [changed, link('b')]))
    await clock.advance(0)
    expect(connections.get('a')?.config).toEqual(changed)
    expect(protocol.drivers.get('a')?.map((driver) => driver.isOpen())).toEqual([false, true])
    expect(standing()).toEqual(['a', 'b'])
  })

  test('ends those that are not in it any more', async () => {
    const { clock, connections, standing } = device()
    await connections.apply(aSystem('ts', [link('a'), link('b')]))
    await clock.advance(0)
    await connections.apply(aSystem('ts', [link('b')]))
    expect(connections.get('a')).toBeUndefined()
    expect(standing()).toEqual(['b'])
    await connections.apply(aSystem('ts', []))
    expect(standing()).toEqual([])
    expect(clock.waiting()).toEqual([])
  })

  test('touches no other system', async () => {
    const { clock, connections, standing } = device()
    await connections.apply(aSystem('ts_1', [link('a')]))
    await connections.apply(aSystem('ts_2', [link('b')]))
    await clock.advance(0)
    await connections.apply(aSystem('ts_1', []))
    expect(standing()).toEqual(['b'])
  })

  test('is done only when what it ended has let go of the equipment', async () => {
    const { clock, protocol, connections } = device()
    await connections.apply(aSystem('ts', [link('a')]))
    await clock.advance(0)
    const old = protocol.driver('a')
    old.reading = new Promise(() => {})
    await clock.advance(1000)
    await connections.apply(aSystem('ts', [link('a', { pollSeconds: 5 })]))
    expect(old.isOpen()).toBe(false)
  })

  test('restarts a connection that is in the middle of opening', async () => {
    const { clock, protocol, connections, standing, status } = device()
    await connections.apply(aSystem('ts', [link('a')]))
    protocol.driver('a').opening = new Promise(() => {})
    await connections.apply(aSystem('ts', [link('a', { pollSeconds: 5 })]))
    await clock.advance(0)
    expect(standing()).toEqual(['a'])
    expect(status('a')).toBe(1)
  })

  test('twice at once leaves one connection, as the later said', async () => {
    const { clock, protocol, connections, standing } = device()
    await connections.apply(aSystem('ts', [link('a')]))
    await clock.advance(0)
    await Promise.all([
      connections.apply(aSystem('ts', [link('a', { pollSeconds: 2 })])),
      connections.apply(aSystem('ts', [link('a', { pollSeconds: 3 })])),
    ])
    await clock.advance(0)
    expect(connections.get('a')?.config.settings.pollSeconds).toBe(3)
    expect(standing()).toEqual(['a'])
    await connections.close()
    expect(protocol.drivers.get('a')?.some((driver) => driver.isOpen())).toBe(false)
  })
})

describe('a technical system from the disk', () => {
  test('of which one connection cannot be run any more still runs the others', async () => {
    const { clock, connections, standing } = device()
    await connections.apply(aSystem('ts', [link('a', { broken: 1 }), link('b')]))
    await clock.advance(0)
    expect(standing()).toEqual(['b'])
  })
})

describe('checking a technical system', () => {
  test('accepts a system that this device can run', () => {
    expect(() => device().connections.check(aSystem('ts', [link('a'), link('b')]))).not.toThrow()
  })

  test('names every mistake at once, by its path in the file', () => {
    const system = aSystem('ts', [link('a', { broken: 1 }), link('b'), { ...link('c'), protocol: 'obix' }])
    expect(() => device().connections.check(system)).toThrow(
      new Failure(
        'rejected',
        'connections[0].settings.broken: is invalid; connections[2].protocol: this device has no driver for obix',
      ),
    )
  })
})

describe('closing the connections', () => {
  test('ends all of them', async () => {
    const { clock, connections, standing } = device()
    await connections.apply(aSystem('ts_1', [link('a')]))
    await connections.apply(aSystem('ts_2', [link('b')]))
    await clock.advance(0)
    await connections.close()
    expect(standing()).toEqual([])
    expect(clock.waiting()).toEqual([])
  })
})
