import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { parseCloudTopic, topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { expect, onTestFinished, test } from 'vitest'
import { openMqttBus } from '../../platform/broker/index.ts'
import { connectAs } from '../../platform/broker/testing/devices.ts'
import { startOpenBroker } from '../../platform/broker/testing/open-broker.ts'
import { connectDevices } from './device-link.ts'

const CLOUD_ID = 'cloud_1'
const DEVICES = Array.from({ length: 300 }, (_, index) => `dev_${index}`)

/** A broker that forwards so many statuses to the cloud, and drops the next ones. */
async function startLossyBroker() {
  const statuses = { forward: 0, drop: 0 }
  const { url } = await startOpenBroker({
    forwards(clientId, topic) {
      if (clientId !== CLOUD_ID || !topic.endsWith('/status')) return true
      if (statuses.forward > 0) statuses.forward -= 1
      else if (statuses.drop > 0) statuses.drop -= 1
      else return true
      return statuses.forward > 0
    },
  })
  return { url, statuses }
}

test('a broker that drops two of three statuses leaves no device unseen and no ghost', async () => {
  const { url, statuses } = await startLossyBroker()
  let gone: readonly string[] = []
  // One client speaks for all devices.
  const all = await connectAs(url, 'all')
  const say = (deviceId: string, online: boolean) =>
    all.publishAsync(topics.status(deviceId), JSON.stringify({ online, link: deviceId }), { qos: 1, retain: true })
  all.on('message', (topic) => {
    const [message, deviceId = ''] = [parseCloudTopic(topic), topic.split('/')[1]]
    if (message?.kind === 'command' && !gone.includes(deviceId))
      all.publish(topics.reply(deviceId, CLOUD_ID, message.correlationId, 'ok'), '')
  })
  await all.subscribeAsync('plantroom/+/command/#')
  await Promise.all(DEVICES.map((deviceId) => say(deviceId, true)))

  Object.assign(statuses, { forward: 100, drop: 200 })
  const log = createLog('test', 'silent')
  const bus = await openMqttBus({ url, cloudId: CLOUD_ID, batchGroup: 'batches', clock: systemClock, log })
  onTestFinished(() => bus.close())
  const ignore = { receive: () => {} }
  const link = connectDevices({
    ...{ bus, cloudId: CLOUD_ID, replyTimeoutMs: 10_000, clock: systemClock, log },
    receivers: { reports: ignore, measurements: ignore, broadcast: ignore, health: ignore, state: ignore },
    devices: { get: (id) => ({ id }), ids: () => DEVICES, subscribe: () => {} },
  })
  onTestFinished(() => link.close())
  await eventually(() => expect(link.presence.onlineCount).toBe(DEVICES.length))
  await eventually(() => expect(link.isComplete).toBe(true))

  gone = DEVICES.slice(0, 270)
  Object.assign(statuses, { forward: 120, drop: 150 })
  await Promise.all(gone.map((deviceId) => say(deviceId, false)))
  await eventually(() => expect(link.presence.onlineCount).toBe(DEVICES.length - gone.length))
})
