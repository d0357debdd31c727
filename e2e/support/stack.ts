import { type Client, createClient } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import type { CommissioningFile, CommissioningResult } from '@plantroom/contract/commissioning'
import { batteryRoom } from './building.ts'
import { copyDatabase } from './database-template.ts'
import type { Settings } from './environment.ts'
import { eventually } from './eventually.ts'
import { ownFolder } from './folder.ts'
import { type Equipment, equipmentAt } from './modbus.ts'
import { type Part, startPart } from './part.ts'
import { type Partner, partner } from './partner.ts'

interface CloudReady {
  baseUrl: string
  port: number
  mqttUrl: string
  mqttPort: number | null
  adminToken: string
}

interface SimulatorReady {
  modbus: { host: string; port: number }
}

/** A cloud, a simulated building and a controller in separate processes, with the battery room commissioned. */
export interface Stack extends AsyncDisposable {
  readonly folder: string
  readonly cloud: Part<CloudReady>
  readonly simulator: Part<SimulatorReady>
  readonly edge: Part<{ deviceId: string }>
  readonly admin: Client
  readonly orgId: string
  readonly siteId: string
  readonly deviceId: string
  readonly deviceSecret: string
  /** The parameters in the path of the controller's operations. */
  readonly ids: { orgId: string; deviceId: string }
  readonly apiKey: string
  readonly partner: Partner
  readonly equipment: Equipment
  /** Commissions a file as soon as the controller is online. */
  commission(file: CommissioningFile): Promise<CommissioningResult>
  /** Returns the id of a connection of the battery room. */
  connectionId(name: string): string
  /** Returns the id of a datapoint of the battery room. */
  datapointId(name: string): string
  online(): Promise<boolean>
}

export interface StackOptions {
  cloud?: Settings
  /** Settings that depend on the device in the cloud, for example the password file of the broker. */
  edge?: (device: { deviceId: string; deviceSecret: string; mqttUrl: string }) => Promise<Settings>
  /** Replaces the controller's main program. */
  edgeProgram?: string
  /** A descriptor for the controller's log, which is otherwise part of its output. */
  edgeStdout?: number
  /** Replaces the cloud's main program. It makes a database of its own. */
  cloudProgram?: string
}

/** Starts all parts. If one fails, it ends the others and removes the folder. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const cleanup = new AsyncDisposableStack()
  try {
    return await build(options, cleanup)
  } catch (error) {
    await cleanup.disposeAsync()
    throw error
  }
}

async function build(options: StackOptions, cleanup: AsyncDisposableStack): Promise<Stack> {
  const folder = cleanup.use(ownFolder()).path
  if (options.cloudProgram === undefined) await copyDatabase(folder)
  const cloud = await startPart<CloudReady>(
    'cloud',
    (before) => ({
      PLANTROOM_DATA: folder,
      PLANTROOM_PORT: String(before?.port ?? 0),
      PLANTROOM_MQTT_PORT: String(before?.mqttPort ?? 0),
      ...options.cloud,
    }),
    options.cloudProgram,
  )
  cleanup.defer(async () => void (await cloud.stop()))

  const { baseUrl, adminToken } = cloud.ready
  const admin = createClient(sendWithToken(baseUrl, adminToken))
  const orgId = (await admin.addOrganization({ body: { name: 'Test organization' } })).id
  const siteId = (await admin.addSite({ orgId, body: { name: 'Test site', maintenanceRequests: true } })).id
  const device = await admin.addDevice({ orgId, body: { name: 'Test controller', siteId } })
  const ids = { orgId, deviceId: device.id }
  const credential = { deviceId: device.id, deviceSecret: device.secret }
  const key = await admin.createKey({
    orgId,
    body: { name: 'Test partner', permissions: ['edge-device:read_write'], siteIds: null },
  })

  const simulator = await startPart<SimulatorReady>('simulator', (before) => ({
    PLANTROOM_DATA: folder,
    PLANTROOM_SIMULATOR_MODBUS_PORT: String(before?.modbus.port ?? 0),
  }))
  cleanup.defer(async () => void (await simulator.stop()))

  const edgeSettings = await options.edge?.({ ...credential, mqttUrl: cloud.ready.mqttUrl })
  const edge = await startPart<{ deviceId: string }>(
    'edge',
    () => ({
      PLANTROOM_DATA: folder,
      MQTT_URL: cloud.ready.mqttUrl,
      PLANTROOM_DEVICE_ID: device.id,
      PLANTROOM_DEVICE_SECRET: device.secret,
      ...edgeSettings,
    }),
    options.edgeProgram,
    options.edgeStdout,
  )
  cleanup.defer(async () => void (await edge.stop()))

  const commission = (file: CommissioningFile) => eventually(() => admin.commission({ ...ids, body: file }))
  const { connections } = await commission(batteryRoom(simulator.ready.modbus.port))

  return {
    folder,
    cloud,
    simulator,
    edge,
    admin,
    orgId,
    siteId,
    ...credential,
    ids,
    apiKey: key.apiKey,
    partner: partner(() => ({ baseUrl: cloud.ready.baseUrl, apiKey: key.apiKey, orgId, deviceId: device.id })),
    equipment: equipmentAt(() => simulator.ready.modbus.port),
    commission,
    connectionId: (name) => idOf(connections, name),
    datapointId: (name) =>
      idOf(
        connections.flatMap(({ datapoints }) => datapoints),
        name,
      ),
    online: async () =>
      (await admin.listDevices({ orgId })).devices.some(({ id, online }) => id === device.id && online),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

function idOf(items: readonly { id: string; name: string }[], name: string): string {
  const found = items.find((item) => item.name === name)
  if (!found) throw new Error(`the battery room has no ${name}`)
  return found.id
}
