import type { ChildProcess } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createAdminClient } from '@plantroom/client/admin'
import type { Demo } from './support/demo.ts'
import { ask, startProgram, stopProgram } from './support/processes.ts'

const EDGE = join(import.meta.dirname, '../packages/edge/src/main.ts')
const SERVER = join(import.meta.dirname, 'floors/polled-server.ts')
const REGISTERS_PER_REQUEST = 125
const LOOK_MS = 50
const PATIENCE_MS = 10_000

/** One poll, as the server saw it. */
export interface Poll {
  /** Counts on its socket. */
  poll: number
  /** From its first request to its last one. */
  ms: number
}

/** An edge device of its own at the demo's cloud, and the one Modbus server that it polls. */
export interface PollingEdge extends AsyncDisposable {
  /** Of the server. */
  port: number
  /** How many requests one poll takes. */
  requests: number
  pid(): number
  /** The next one that the server sees, whoever polls it. */
  nextPoll(): Promise<Poll>
  /** A new process, with what was commissioned from its disk. Resolves when it polls. */
  restart(): Promise<void>
}

/** Resolves when the device polls these datapoints, all `uint16` and side by side. Without any it only has its link. */
export async function startPollingEdge(options: {
  demo: Demo
  folder: string
  datapoints: number
  pollSeconds: number
}): Promise<PollingEdge> {
  const { demo, folder, datapoints, pollSeconds } = options
  const requests = Math.ceil(datapoints / REGISTERS_PER_REQUEST)
  const admin = createAdminClient(demo)
  // A site has no two devices of one name.
  const name = `Bench ${crypto.randomUUID()}`
  const { id, secret } = await admin.addDevice(demo.orgId, demo.propertyId, name)
  const env = {
    PLANTROOM_DATA: await mkdtemp(join(folder, 'edge-')),
    PLANTROOM_DEVICE_ID: id,
    PLANTROOM_DEVICE_SECRET: secret,
    PLANTROOM_LOG_LEVEL: 'error',
    MQTT_URL: demo.mqttUrl,
  }

  await using parts = new AsyncDisposableStack()
  const server = await startProgram<{ port: number }>(SERVER, { args: [String(requests)] })
  parts.defer(() => stopProgram(server.child))
  let edge: ChildProcess = (await startProgram(EDGE, { env })).child
  parts.defer(() => stopProgram(edge))
  const nextPoll = () => ask<Poll>(server.child, {})

  const giveUpAt = performance.now() + PATIENCE_MS
  while (!(await admin.devices(demo.orgId)).some((device) => device.id === id && device.online)) {
    if (performance.now() > giveUpAt) throw new Error('the device does not reach the cloud')
    await setTimeout(LOOK_MS)
  }
  if (datapoints > 0) {
    await admin.commission(demo.orgId, id, {
      technicalSystem: 'Bench',
      connections: [
        {
          name: 'Bench equipment',
          protocol: 'modbus-tcp',
          settings: { host: '127.0.0.1', port: server.ready.port, pollSeconds },
          datapoints: Array.from({ length: datapoints }, (_, register) => ({
            name: `Point ${register}`,
            accessType: 'READ',
            data: { register, type: 'uint16' },
          })),
        },
      ],
    })
    await nextPoll()
  }

  const started = parts.move()
  return {
    port: server.ready.port,
    requests,
    nextPoll,
    pid: () => edge.pid ?? 0,
    async restart() {
      await stopProgram(edge)
      edge = (await startProgram(EDGE, { env })).child
      await nextPoll()
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
