import type { Client } from '@plantroom/client/client'
import { batteryRoom } from './building.ts'
import type { Settings } from './environment.ts'
import { eventually } from './eventually.ts'
import { type Equipment, equipmentAt } from './modbus.ts'
import { type Part, startPart } from './part.ts'

export interface Controller {
  readonly edge: Part<object>
  readonly deviceId: string
  readonly equipment: Equipment
  readonly connectionId: string
  readonly datapointId: string
  /** The broker of the equipment. */
  readonly equipmentUrl: string
  /** Replaces the faults of the equipment, such as `modbus:ignore-writes`. */
  misbehave(faults: readonly string[]): void
}

/** Starts a simulated building and a real controller at a service that runs, with the battery room commissioned. */
export async function startController(
  cleanup: AsyncDisposableStack,
  options: {
    folder: string
    admin: Client
    orgId: string
    siteId: string
    /** Returns the settings of the controller for its broker. */
    connect: (device: { id: string; secret: string }) => Settings | Promise<Settings>
  },
): Promise<Controller> {
  const { folder, admin, orgId, siteId } = options
  const device = await admin.addDevice({ orgId, body: { name: 'Real controller', siteId } })
  const connection = await options.connect(device)
  const simulator = await startPart<{ modbus: { port: number }; mqtt: { url: string } }>('simulator', () => ({
    PLANTROOM_DATA: folder,
    PLANTROOM_SIMULATOR_MODBUS_PORT: '0',
    PLANTROOM_SIMULATOR_MQTT_PORT: '0',
    PLANTROOM_SIMULATOR_OBIX_PORT: '0',
  }))
  cleanup.defer(async () => void (await simulator.stop()))
  const edge = await startPart<object>('edge', () => ({
    PLANTROOM_DATA: folder,
    ...connection,
    PLANTROOM_DEVICE_ID: device.id,
    PLANTROOM_DEVICE_SECRET: device.secret,
  }))
  cleanup.defer(async () => void (await edge.stop()))
  const body = batteryRoom(simulator.ready.modbus.port)
  // Loading the same file again changes nothing, so it may be repeated until the controller is online.
  const { connections } = await eventually(() => admin.commission({ orgId, deviceId: device.id, body }))
  const inverter = connections.find(({ name }) => name === 'Inverter')
  return {
    edge,
    deviceId: device.id,
    equipment: equipmentAt(() => simulator.ready.modbus.port),
    connectionId: inverter?.id ?? '',
    datapointId: inverter?.datapoints.find(({ name }) => name === 'Charge power')?.id ?? '',
    equipmentUrl: simulator.ready.mqtt.url,
    misbehave: (faults) => simulator.send({ faults }),
  }
}
