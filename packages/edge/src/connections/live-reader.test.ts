import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { expect, onTestFinished, test } from 'vitest'
import { createMemoryProtocol } from '../testing/memory-driver.ts'
import { createConnections } from './connections.ts'
import { createLiveReader } from './live-reader.ts'

async function begin() {
  const clock = createManualClock()
  const protocol = createMemoryProtocol()
  const protocols = { 'modbus-tcp': protocol }
  const connections = createConnections({ protocols, clock, log: createLog('edge', 'silent') })
  onTestFinished(() => connections.close())
  const load = async (power: number) => {
    const settings = { points: { power } }
    await connections.apply(aSystem('sys', [aConnection({ datapoints: [aDatapoint({ id: 'power' })], settings })]))
    await clock.advance(0)
  }
  await load(7)
  return { clock, protocol, connections, load, live: createLiveReader(connections) }
}

test('reads the current value of every datapoint', async () => {
  const { clock, protocol, live } = await begin()
  const [power] = [...live.datapoints()]
  expect(power?.datapoint.id).toBe('power')
  expect(power?.current().value).toBe(7)
  protocol.driver('conn').points.set('power', 8)
  await clock.advance(1_000)
  expect(power?.current().value).toBe(8)
  expect(power?.live).toBe(true)
})

test('a datapoint whose link is down is not live and has its last known value', async () => {
  const { clock, protocol, live } = await begin()
  const [power] = [...live.datapoints()]
  protocol.driver('conn').cut = 'no route'
  await clock.advance(1_000)
  expect(power?.live).toBe(false)
  expect(power?.current().value).toBe(7)
})

test('follows a datapoint to its restarted connection, and returns null for a removed one', async () => {
  const { live, load, connections } = await begin()
  const [power] = [...live.datapoints()]
  await load(9)
  expect(power?.current().value).toBe(9)
  await connections.apply(aSystem('sys', []))
  expect(power?.live).toBe(false)
  expect(power?.current()).toMatchObject({ value: null })
  expect([...live.datapoints()]).toEqual([])
})

test('reports every value that a poll brings, and a lost link once', async () => {
  const { clock, protocol, live } = await begin()
  const seen: string[] = []
  const started = clock.now()
  const stop = live.watch((id, { at, value }) => void seen.push(`${id} ${at - started} ${value}`))
  await clock.advance(1_000)
  protocol.driver('conn').points.set('power', 8)
  await clock.advance(1_000)
  protocol.driver('conn').cut = 'no route'
  await clock.advance(5_000)
  expect(seen).toEqual(['power 1000 7', 'power 2000 8', 'power 3000 null'])
  stop()
  protocol.driver('conn').cut = undefined
  await clock.advance(5_000)
  expect(seen).toHaveLength(3)
})
