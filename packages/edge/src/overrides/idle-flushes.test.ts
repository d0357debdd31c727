import { aConnection, aDatapoint, aSystem } from '@plantroom/testkit/technical-system'
import { expect, onTestFinished, test } from 'vitest'
import { startController } from '../testing/controller.ts'

/** Starts a controller and counts how often it flushes its journal. */
async function countingController() {
  const counted = { flushes: 0 }
  const datapoints = [aDatapoint({ id: 'power', accessType: 'READ_WRITE' })]
  const device = await startController(aSystem('sys', [aConnection({ datapoints })]), {
    points: { power: 10 },
    reached: (point) => {
      if (point === 'flush:after') counted.flushes += 1
    },
  })
  onTestFinished(() => device.stop())
  const during = async (seconds: number) => {
    counted.flushes = 0
    await device.pass(seconds)
    return counted.flushes
  }
  return { device, during }
}

test('an idle controller flushes its journal every 15 minutes, and one that holds twice a minute', async () => {
  const { device, during } = await countingController()
  expect(await during(1_800)).toBe(2)
  const id = await device.override('power', 20, 0, 3_600)
  await device.pass(60)
  expect(await during(300)).toBe(10)
  await device.cancel(id)
  await device.pass(60)
  expect(await during(600)).toBeLessThanOrEqual(1)
})

test('one with a queued override records the time, so that a power cut cannot take it back before its start', async () => {
  const { device, during } = await countingController()
  await device.override('power', 20, 3_600, 7_200)
  await device.pass(60)
  expect(await during(300)).toBe(10)
})
