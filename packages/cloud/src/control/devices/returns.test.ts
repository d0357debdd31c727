import { createLog } from '@plantroom/base/log'
import { topics } from '@plantroom/contract/topics'
import { eventually } from '@plantroom/testkit/eventually'
import { createManualClock } from '@plantroom/testkit/manual-clock'
import { expect, onTestFinished, test } from 'vitest'
import type { BusReceiver, DeviceBus } from '../../platform/broker/index.ts'
import { connectDevices } from './device-link.ts'
import type { TaskStore } from './task-store.ts'
import { startDeviceTasks } from './tasks.ts'

const log = createLog('test', 'silent')
const DEVICES = Array.from({ length: 1000 }, (_, index) => `dev_${index}`)

test('the return of many devices takes a few statements, not one per device', async () => {
  const clock = createManualClock()
  let receiver: BusReceiver | undefined
  const bus: DeviceBus = {
    connected: true,
    problem: undefined,
    send() {},
    receive(next) {
      receiver = next
    },
    leave: async () => {},
    close: async () => {},
  }
  const ignore = { receive() {} }
  const receivers = { reports: ignore, measurements: ignore, broadcast: ignore, health: ignore, state: ignore }
  const devices = { get: (id: string) => ({ id }), ids: () => DEVICES, subscribe() {} }
  const link = connectDevices({ bus, devices, receivers, clock, log, cloudId: 'cloud_1', replyTimeoutMs: 1_000 })
  onTestFinished(() => link.close())

  const asked: string[] = []
  const store: TaskStore = {
    async due(_now, back) {
      asked.push(`due of ${back.length}`)
      const one = { organizationId: 'org', waited: 0 }
      return DEVICES.flatMap((deviceId) => ['first', 'second'].map((kind) => ({ kind, deviceId, ...one })))
    },
    nextDueMs: async () => undefined,
    async claim({ kind, deviceIds }) {
      asked.push(`${kind}: ${deviceIds.length}`)
      return []
    },
  }
  const tasks = startDeviceTasks({ store, link, clock, log })
  onTestFinished(() => tasks.close())
  for (const name of ['first', 'second']) {
    tasks.serve({ name, atOnce: 2_000, load: async () => [], run: async () => {}, store: async () => {} })
  }

  const status = Buffer.from(JSON.stringify({ online: true, link: 'link_1' }))
  for (const deviceId of DEVICES) receiver?.message(topics.status(deviceId), status)
  await clock.advance(100)
  await eventually(() =>
    expect(asked).toEqual(['due of 1000', ...['first: 500', 'first: 500', 'second: 500', 'second: 500']]),
  )
})
