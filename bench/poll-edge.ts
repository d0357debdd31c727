import type { ChildProcess } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import type { CommissionedDatapoint } from '@plantroom/contract/commissioning'
import type { Demo } from './support/demo.ts'
import { startProgram, stopProgram } from './support/processes.ts'

const EDGE = join(import.meta.dirname, '../packages/edge/src/main.ts')
const LOOK_MS = 50
const TIMEOUT_MS = 10_000

/** The Modbus equipment that a device polls. */
export interface PolledEquipment {
  port: number
  /** Resolves after the next poll of the equipment. */
  nextPoll(): Promise<unknown>
}

/** A separate edge device at the demo's cloud, with one connection to equipment. */
export interface PollingEdge extends AsyncDisposable {
  deviceId: string
  /** Empty if the device was started without datapoints. */
  connectionId: string
  /** In the order in which the datapoints were given. */
  datapointIds: readonly string[]
  pid(): number
  /** Starts a new process that loads the commissioned system from disk. Resolves when it polls. */
  restart(): Promise<void>
}

/** Resolves when the device polls the equipment. Without datapoints the device has only its link to the cloud. */
export async function startPollingEdge(options: {
  demo: Demo
  folder: string
  equipment: PolledEquipment
  datapoints: readonly CommissionedDatapoint[]
  pollSeconds: number
}): Promise<PollingEdge> {
  const { demo, folder, equipment, datapoints, pollSeconds } = options
  const admin = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  // Device names are unique within a site.
  const name = `Bench ${crypto.randomUUID()}`
  const { id, secret } = await admin.addDevice({ orgId: demo.orgId, body: { name, siteId: demo.propertyId } })
  const env = {
    PLANTROOM_DATA: await mkdtemp(join(folder, 'edge-')),
    PLANTROOM_DEVICE_ID: id,
    PLANTROOM_DEVICE_SECRET: secret,
    PLANTROOM_LOG_LEVEL: 'error',
    MQTT_URL: demo.mqttUrl,
  }

  await using parts = new AsyncDisposableStack()
  let edge: ChildProcess = (await startProgram(EDGE, { env })).child
  parts.defer(() => stopProgram(edge))

  const giveUpAt = performance.now() + TIMEOUT_MS
  while (
    !(await admin.listDevices({ orgId: demo.orgId })).devices.some((device) => device.id === id && device.online)
  ) {
    if (performance.now() > giveUpAt) throw new Error('the device does not reach the cloud')
    await setTimeout(LOOK_MS)
  }

  async function commission() {
    if (datapoints.length === 0) return undefined
    const settings = { host: '127.0.0.1', port: equipment.port, pollSeconds }
    const { connections } = await admin.commission({
      orgId: demo.orgId,
      deviceId: id,
      body: {
        technicalSystem: 'Bench',
        connections: [{ name: 'Bench equipment', protocol: 'modbus-tcp', settings, datapoints }],
      },
    })
    await equipment.nextPoll()
    return connections[0]
  }
  const connection = await commission()

  const started = parts.move()
  return {
    deviceId: id,
    connectionId: connection?.id ?? '',
    datapointIds: connection?.datapoints.map((datapoint) => datapoint.id) ?? [],
    pid: () => edge.pid ?? 0,
    async restart() {
      await stopProgram(edge)
      edge = (await startProgram(EDGE, { env })).child
      await equipment.nextPoll()
    },
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  }
}
