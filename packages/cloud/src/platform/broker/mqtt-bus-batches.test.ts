import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import type { MqttClient } from 'mqtt'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DeviceBus } from './device-bus.ts'
import { openMqttBus } from './mqtt-bus.ts'
import { connectAs } from './testing/devices.ts'
import { startMosquitto, withoutMosquitto } from './testing/mosquitto.ts'
import { startNats, withoutNats } from './testing/nats.ts'
import { startOpenBroker } from './testing/open-broker.ts'

const DEVICES = Array.from({ length: 40 }, (_, index) => `dev_${index}`)

interface Process {
  bus: DeviceBus
  /** The payloads of the batches that this process has to store. */
  batches: string[]
  broadcasts: string[]
}

async function startProcess(url: string, cloudId: string): Promise<Process> {
  const bus = await openMqttBus({
    url,
    cloudId,
    batchGroup: 'batches',
    clock: systemClock,
    log: createLog('test', 'silent'),
  })
  onTestFinished(() => bus.close())
  const [batches, broadcasts]: [string[], string[]] = [[], []]
  bus.receive({
    message(topic, payload) {
      if (topic.endsWith('/measurements') || topic.endsWith('/reports')) batches.push(payload.toString())
      if (topic.endsWith('/broadcast')) broadcasts.push(payload.toString())
    },
    lost() {},
  })
  return { bus, batches, broadcasts }
}

/** Each device sends one batch; each is named by its device and the number of the round. */
async function sendAll(devices: readonly MqttClient[], round: number): Promise<string[]> {
  const sent = devices.map((_, index) => `${DEVICES[index]} ${round}`)
  await Promise.all(
    devices.map((device, index) =>
      device.publishAsync(topics.measurements(DEVICES[index] ?? ''), sent[index] ?? '', { qos: 1 }),
    ),
  )
  return sent
}

function batchesOfManyProcesses(
  name: string,
  options: { skip: boolean; start(): Promise<{ url: string; cloudUrl: string }> },
): void {
  describe.skipIf(options.skip)(`batches on ${name}`, () => {
    async function start() {
      const { url, cloudUrl } = await options.start()
      const [first, second] = [await startProcess(cloudUrl, 'cloud_a'), await startProcess(cloudUrl, 'cloud_b')]
      const devices = await Promise.all(DEVICES.map((deviceId) => connectAs(url, deviceId)))
      return { first, second, devices }
    }
    const both = ({ batches }: Process, other: Process) => [...batches, ...other.batches].toSorted()

    test('reach one of two processes each, which share the work', async () => {
      const { first, second, devices } = await start()
      // Processes that do not know each other yet both store a batch. Later rounds show that they do.
      await eventually(async () => {
        for (const { batches } of [first, second]) batches.length = 0
        const sent = await sendAll(devices, 1)
        await eventually(() => expect(new Set(both(first, second)).size).toBe(sent.length))
        expect(both(first, second)).toEqual(sent.toSorted())
        expect(Math.min(first.batches.length, second.batches.length)).toBeGreaterThan(5)
      })
    })

    test('all reach the process that is left when the other leaves', async () => {
      const { first, second, devices } = await start()
      await second.bus.leave()
      const sent = await sendAll(devices, 1)
      await eventually(() => expect(first.batches.toSorted()).toEqual(sent.toSorted()))
      expect(second.batches).toEqual([])
    })

    test('all reach the process that is left when the other dies', async () => {
      const { first, second, devices } = await start()
      await second.bus.close()
      let round = 0
      // Devices send again what was not confirmed.
      await eventually(async () => {
        first.batches.length = 0
        round += 1
        const sent = await sendAll(devices, round)
        await eventually(() => expect(first.batches.toSorted()).toEqual(sent.toSorted()), 1_000)
      })
    })

    test('do not include broadcasts, which reach every process', async () => {
      const { first, second, devices } = await start()
      for (const [index, device] of devices.entries())
        device.publish(topics.broadcast(DEVICES[index] ?? ''), `${index}`)
      await eventually(() => {
        expect([first.broadcasts.length, second.broadcasts.length]).toEqual([DEVICES.length, DEVICES.length])
      })
    })
  })
}

batchesOfManyProcesses('Mosquitto, with shared subscriptions', {
  skip: withoutMosquitto,
  start: () => startMosquitto({ devices: DEVICES }),
})

batchesOfManyProcesses('a broker without shared subscriptions', {
  skip: false,
  async start() {
    const { url } = await startOpenBroker()
    return { url, cloudUrl: url }
  },
})

batchesOfManyProcesses('NATS', { skip: withoutNats, start: startNats })
