import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { parseCloudTopic, parseDeviceTopic, topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { describe, expect, onTestFinished, test } from 'vitest'
import { activityOn } from '../../organization/activity/testing/logs.ts'
import { createOrganizationStore } from '../../organization/organizations/organization-store.ts'
import { openMqttBus } from '../../platform/broker/index.ts'
import { joinAs } from '../../platform/broker/testing/devices.ts'
import { startMosquitto, withoutMosquitto } from '../../platform/broker/testing/mosquitto.ts'
import { startOpenBroker } from '../../platform/broker/testing/open-broker.ts'
import { openDatabase } from '../../platform/db/database.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { receiveReports } from './index.ts'
import { createReportStore } from './report-store.ts'
import { entryOf } from './testing/entries.ts'

const DEVICES = Array.from({ length: 10 }, (_, index) => `dev_${index}`)
const BATCHES = 12
const silent = createLog('test', 'silent')

/** A cloud process that stores reports. */
async function startProcess(url: string, cloudId: string, connectionString: string) {
  const db = openDatabase({ connectionString }, silent)
  const bus = await openMqttBus({ url, cloudId, batchGroup: 'batches', clock: systemClock, log: silent })
  const findDevice = () => ({ organizationId: 'org', siteId: 'site' })
  const reports = receiveReports({ db, activity: activityOn(db), bus, findDevice, log: silent })
  bus.receive({
    message(topic, payload) {
      const message = parseDeviceTopic(topic)
      if (message?.kind === 'reports') reports.receive(message.deviceId, payload)
    },
    lost() {},
  })
  onTestFinished(async () => {
    await bus.close()
    await reports.close()
    await db.destroy()
  })
  return { bus, reports }
}

/** Sends its batches one after another, each again until it is confirmed. Resolves after the last. */
async function sendAll(url: string, deviceId: string): Promise<void> {
  const device = await joinAs(url, deviceId)
  for (let seq = 1; seq <= BATCHES; seq += 1) {
    let isConfirmed = false
    device.on('message', (topic) => {
      const message = parseCloudTopic(topic)
      if (message?.kind === 'confirm' && message.upTo === seq) isConfirmed = true
    })
    const payload = JSON.stringify({ entries: [entryOf(deviceId, seq)] })
    await eventually(async () => {
      device.publish(topics.reports(deviceId), payload, { qos: 1 })
      await eventually(() => expect(isConfirmed).toBe(true), 300)
    })
    device.removeAllListeners('message')
  }
}

describe.each([
  ['Mosquitto', withoutMosquitto, () => startMosquitto({ devices: DEVICES })],
  [
    'a broker without shared subscriptions',
    false,
    async () => {
      const { url } = await startOpenBroker()
      return { url, cloudUrl: url }
    },
  ],
] as const)('reports on %s', (_name, isMissing, startBroker) => {
  test.skipIf(isMissing)('are stored once and in order, although one of two processes dies', async () => {
    const { url, cloudUrl } = await startBroker()
    const connectionString = await createTestDatabase()
    const db = openDatabase({ connectionString }, silent)
    onTestFinished(() => db.destroy())
    await createOrganizationStore(db).addOrganization('org', 'Organization')
    const first = await startProcess(cloudUrl, 'cloud_a', connectionString)
    const second = await startProcess(cloudUrl, 'cloud_b', connectionString)
    const sent = Promise.all(DEVICES.map((deviceId) => sendAll(url, deviceId)))
    await eventually(() => expect(Math.min(first.reports.stored, second.reports.stored)).toBeGreaterThan(0))
    await second.bus.close()
    await sent
    const query = { organizationId: 'org', siteIds: undefined, limit: 1000 }
    const stored = (await createReportStore(db).list(query)).reports.map(({ entry }) => entry).toReversed()
    for (const deviceId of DEVICES) {
      const seqs = stored.filter((entry) => entry.deviceId === deviceId).map(({ seq }) => seq)
      expect(seqs).toEqual(Array.from({ length: BATCHES }, (_, index) => index + 1))
    }
  })
})
