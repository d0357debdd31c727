import { createLog } from '@plantroom/base/log'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { expect, onTestFinished, test } from 'vitest'
import { createConnections } from '../connections/connections.ts'
import { createMemoryProtocol } from '../testing/memory-driver.ts'
import { createLiveMeter } from './meter.ts'

async function begin() {
  const clock = createManualClock()
  const protocol = createMemoryProtocol()
  const protocols = { 'modbus-tcp': protocol }
  const connections = createConnections({ protocols, clock, log: createLog('edge', 'silent') })
  onTestFinished(() => connections.close())
  const settings = { points: { grid: 42 }, pollSeconds: 10 }
  await connections.apply(aSystem('sys', [aConnection({ datapoints: [aDatapoint({ id: 'grid' })], settings })]))
  await clock.advance(0)
  return { clock, equipment: protocol.driver('conn'), meter: createLiveMeter(connections, clock) }
}

test('a meter is read from memory, with the age of its value', async () => {
  const { clock, meter } = await begin()
  expect(meter.read('grid')).toEqual({ value: 42, ageMs: 0 })
  await clock.advance(4_000)
  expect(meter.read('grid')).toEqual({ value: 42, ageMs: 4_000 })
})

test('a clock that is set back never makes the age negative', async () => {
  const { clock, meter } = await begin()
  clock.step(-60_000)
  expect(meter.read('grid')).toEqual({ value: 42, ageMs: 0 })
})

test('a step of the clock makes a reading neither old nor new', async () => {
  const { clock, meter } = await begin()
  meter.read('grid')
  clock.step(3_600_000)
  expect(meter.read('grid')).toEqual({ value: 42, ageMs: 0 })
  clock.step(-7_200_000)
  await clock.advance(4_000)
  expect(meter.read('grid')).toEqual({ value: 42, ageMs: 4_000 })
})

test('a meter that is unknown, unreadable or offline has no reading', async () => {
  const { clock, equipment, meter } = await begin()
  expect(meter.read('unknown')).toBeUndefined()
  equipment.points.set('grid', 'sensor fault')
  await clock.advance(10_000)
  expect(meter.read('grid')).toBeUndefined()
  equipment.points.set('grid', 43)
  await clock.advance(10_000)
  expect(meter.read('grid')).toEqual({ value: 43, ageMs: 0 })
  equipment.cut = 'no route'
  await clock.advance(10_000)
  expect(meter.read('grid')).toBeUndefined()
})
