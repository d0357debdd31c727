import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../testing/database.ts'
import { openDatabase } from '../db/database.ts'
import { batchGroupOf } from './batch-group.ts'
import { openMqttBus } from './mqtt-bus.ts'
import { connectAs, listenTo } from './testing/devices.ts'
import { startMosquitto, withoutMosquitto } from './testing/mosquitto.ts'

const log = createLog('test', 'silent')
const CLOUD_ID = 'cloud_known'
const FOREIGN = Array.from({ length: 9 }, (_, index) => `dev_foreign${index}`)
const HONEST = 'dev_honest'
const BATCHES = 200

async function openTestDb() {
  const db = openDatabase({ connectionString: await createTestDatabase() }, log)
  onTestFinished(() => db.destroy())
  return db
}

test('the group of a service stays the same, and another service has another', async () => {
  const [ours, other] = [await openTestDb(), await openTestDb()]
  const group = await batchGroupOf(ours)
  expect(group).toMatch(/^plantroom-[0-9a-f]{64}$/)
  expect(await batchGroupOf(ours)).toBe(group)
  // Test databases are copies of one.
  await other.updateTable('broker_service').set({ id: 'another service' }).execute()
  expect(await batchGroupOf(other)).not.toBe(group)
})

describe.skipIf(withoutMosquitto)('devices that join every group they can name, on a broker that lets them', () => {
  test('get no batch of others, and all batches arrive at the first attempt', async () => {
    const { url, cloudUrl } = await startMosquitto({ devices: [HONEST, ...FOREIGN] })
    const batchGroup = await batchGroupOf(await openTestDb())
    const bus = await openMqttBus({ url: cloudUrl, cloudId: CLOUD_ID, batchGroup, clock: systemClock, log })
    onTestFinished(() => bus.close())
    const arrived: string[] = []
    bus.receive({
      message: (topic, payload) => void (topic === topics.measurements(HONEST) && arrived.push(payload.toString())),
      lost() {},
    })
    const swallowed = await Promise.all(
      FOREIGN.map(async (deviceId) => {
        const device = await connectAs(url, deviceId)
        const groups = ['plantroom', 'batches', CLOUD_ID, '+', '#']
        for (const group of groups) {
          for (const filter of ['plantroom/+/measurements', `plantroom/${HONEST}/measurements`, 'plantroom/#', '#']) {
            await device.subscribeAsync(`$share/${group}/${filter}`).catch(() => {})
          }
        }
        return listenTo(device)
      }),
    )
    const honest = await connectAs(url, HONEST)
    const sent = Array.from({ length: BATCHES }, (_, index) => `${index}`)
    for (const batch of sent) honest.publish(topics.measurements(HONEST), batch, { qos: 1 })
    await eventually(() => expect(arrived).toEqual(sent))
    expect(swallowed.flat()).toEqual([])
  })
})
