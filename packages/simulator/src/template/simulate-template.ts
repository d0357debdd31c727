import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { CommissionedConnection } from '@plantroom/contract/commissioning'
import type { Template } from '@plantroom/contract/templates'
import { startBacnetServer } from '../bacnet/server.ts'
import { type Framing, TCP_FRAMING } from '../modbus/frames.ts'
import type { Unit } from '../modbus/functions.ts'
import { RTU_FRAMING } from '../modbus/rtu-frames.ts'
import { startModbusServer } from '../modbus/server.ts'
import { startBroker } from '../mqtt/broker.ts'
import { createTemplateObjects } from './bacnet-equipment.ts'
import { createTemplateUnit } from './modbus-unit.ts'
import { startTemplateEquipment } from './mqtt-equipment.ts'
import { type SimulatedPoint, simulatedPoints } from './start-values.ts'
import { createTemplateDevice } from './sunspec-equipment.ts'

/** Equipment with the map of a template, filled in with defaults and examples. */
export interface SimulatedTemplate {
  host: string
  /** The port it listens on, even if 0 was requested. */
  port: number
  /** The answers that lead a controller here. */
  answers: Readonly<Record<string, string | number>>
  connection: CommissionedConnection
  /** What the equipment holds for a datapoint now, as a raw value. */
  raw(datapoint: string): number | undefined
  stop(): Promise<void>
}

export interface TemplatePlace {
  host: string
  port: number
  /** Also moves the failsafes of the equipment. */
  clock: Clock
  log: Log
}

/** What equipment is before a controller can reach it. */
type Equipment = Pick<SimulatedTemplate, 'host' | 'port' | 'raw' | 'stop'>
type Start = (template: Template, given: Given, place: TemplatePlace) => Promise<Equipment>

interface Given {
  connection: CommissionedConnection
  points: readonly SimulatedPoint[]
}

const STARTS = {
  'modbus-tcp': (_template, given, place) =>
    startModbus(createTemplateUnit(given.points, place.clock), TCP_FRAMING, given, place),
  'modbus-rtu-tcp': (_template, given, place) =>
    startModbus(createTemplateUnit(given.points, place.clock), RTU_FRAMING, given, place),
  sunspec: (template, given, place) =>
    startModbus(createTemplateDevice(template, given.points, place.clock), TCP_FRAMING, given, place),
  mqtt: (_template, given, place) => startMqtt(given, place),
  'bacnet-ip': (template, given, place) => startBacnet(template, given, place),
} as const satisfies Record<string, Start>
export type SimulatedProtocol = keyof typeof STARTS

/** Returns the protocol that a template is simulated on: the first that can be; throws when there is none. */
export function simulatedProtocolOf({ name, protocols }: Template): SimulatedProtocol {
  const found = protocols.map(({ protocol }) => protocol).find((protocol) => Object.hasOwn(STARTS, protocol))
  if (found) return found as SimulatedProtocol
  throw new Error(
    `${name} cannot be simulated: it speaks ${protocols.map(({ protocol }) => protocol).join(', ')}, the simulator ${Object.keys(STARTS).join(', ')}`,
  )
}

/** Starts equipment that has the addresses of a template and no other. Rejects if the port is in use. */
export async function startSimulatedTemplate(
  template: Template,
  place: TemplatePlace,
  protocol: SimulatedProtocol = simulatedProtocolOf(template),
): Promise<SimulatedTemplate> {
  const given = simulatedPoints(template, { protocol })
  const equipment = await STARTS[protocol](template, given, place)
  const { host, port } = equipment
  const answers =
    protocol === 'mqtt' ? { protocol, brokerUrl: `mqtt://${host}:${port}` } : { protocol, host, port, ...idOf(given) }
  return { ...equipment, answers, connection: simulatedPoints(template, answers).connection }
}

/** A BACnet device is known by its instance, for which there is no usual one. */
const idOf = ({ connection: { settings } }: Given) =>
  settings.deviceInstance === undefined ? {} : { deviceInstance: Number(settings.deviceInstance) }

async function startModbus(
  { unit, raw, stop }: { unit: Unit; raw(name: string): number | undefined; stop(): void },
  framing: Framing,
  { connection }: Given,
  { host, port, clock, log }: TemplatePlace,
): Promise<Equipment> {
  const units = new Map([[Number(connection.settings.unitId ?? 1), unit]])
  const server = await startModbusServer({ host, port, units, faults: {}, onReboot() {}, clock, log, framing })
  return {
    ...{ host: server.host, port: server.port, raw },
    async stop() {
      stop()
      await server.stop()
    },
  }
}

async function startMqtt({ connection, points }: Given, { host, port, clock, log }: TemplatePlace): Promise<Equipment> {
  const broker = await startBroker({ host, port, log })
  const { availability } = connection.settings as { availability?: { topic: string; online?: string } }
  const { raw, stop } = await startTemplateEquipment(broker, points, availability, clock)
  return {
    ...{ host: broker.host, port: broker.port, raw },
    async stop() {
      stop()
      await broker.stop()
    },
  }
}

async function startBacnet(
  { title }: Template,
  { connection, points }: Given,
  { host, port, log }: TemplatePlace,
): Promise<Equipment> {
  const { objects, raw } = createTemplateObjects(points)
  const device = { instance: Number(connection.settings.deviceInstance ?? 1), name: title, objects }
  return { ...(await startBacnetServer(device, { host, port, log })), raw }
}
