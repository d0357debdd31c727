import { test } from 'vitest'
import { startController } from '../testing/controller.ts'
import { aWorld, BLACK_HOLES, systemOf } from './testing/world.ts'
test('x', async () => {
  const world = aWorld()
  const device = await startController(systemOf(world), { points: { a: 1, b: 2, c: 3, meter: 0 }, blackHoles: BLACK_HOLES })
  await device.call('demandResponseOverride', { datapointId: 'h', value: 20, from: new Date(device.clock.now()).toISOString(), to: new Date(device.clock.now() + 1000).toISOString() })
  await device.pass(1)
  console.log(device.reports.map((r) => [r.overrideId?.slice(0, 8), r.phase, r.reason]))
  await device.call('demandResponseOverride', { datapointId: 'h', value: 20, from: new Date(device.clock.now()).toISOString(), to: new Date(device.clock.now() + 1000).toISOString() })
  await device.pass(1)
  console.log(device.reports.map((r) => [r.overrideId?.slice(0, 8), r.phase, r.reason]))
  await device.pass(5)
  console.log(device.reports.map((r) => [r.overrideId?.slice(0, 8), r.phase, r.reason]))
  await device.stop()
})
