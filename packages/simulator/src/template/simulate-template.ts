import type { Clock } from '@plantroom/base/clock'
import type { Log } from '@plantroom/base/log'
import type { CommissionedConnection } from '@plantroom/contract/commissioning'
import type { Template } from '@plantroom/contract/templates'
import { startModbusServer } from '../modbus/server.ts'
import { startBroker } from '../mqtt/broker.ts'
import { createTemplateUnit } from './modbus-unit.ts'
import { startTemplateEquipment } from './mqtt-equipment.ts'
import { simulatedPoints } from './start-values.ts'

export { simulatedPoints } from './start-values.ts'

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
  clock: Clock
  log: Log
}

/** The protocols that can be simulated, with the one of `start`. */
const STARTS = { 'modbus-tcp': startModbus, mqtt: startMqtt } as const
export type SimulatedProtocol = keyof typeof STARTS

/** Returns the protocol that a template can be simulated on; throws when there is none. */
export function simulatedProtocolOf({ name, protocols }: Template): SimulatedProtocol {
  const found = protocols.map(({ protocol }) => protocol).find((protocol) => Object.hasOwn(STARTS, protocol))
  if (found) return found as SimulatedProtocol
  throw new Error(
    `${name} cannot be simulated: it speaks ${protocols.map(({ protocol }) => protocol).join(', ')}, the simulator ${Object.keys(STARTS).join(' and ')}`,
  )
}

/** Starts equipment that has the addresses of a template and no other. Rejects if the port is in use. */
export function startSimulatedTemplate(template: Template, place: TemplatePlace): Promise<SimulatedTemplate> {
  return STARTS[simulatedProtocolOf(template)](template, place)
}

async function startModbus(template: Template, { host, port, clock, log }: TemplatePlace): Promise<SimulatedTemplate> {
  const { connection, points } = simulatedPoints(template, { protocol: 'modbus-tcp' })
  const { unit, raw } = createTemplateUnit(points)
  const units = new Map([[Number(connection.settings.unitId ?? 1), unit]])
  const server = await startModbusServer({ host, port, units, faults: {}, onReboot() {}, clock, log })
  const answers = { protocol: 'modbus-tcp', host: server.host, port: server.port }
  return { ...server, answers, raw, connection: simulatedPoints(template, answers).connection }
}

async function startMqtt(template: Template, { host, port, log }: TemplatePlace): Promise<SimulatedTemplate> {
  const { connection, points } = simulatedPoints(template, { protocol: 'mqtt' })
  const broker = await startBroker({ host, port, log })
  const { availability } = connection.settings as { availability?: { topic: string; online?: string } }
  const { raw } = await startTemplateEquipment(broker, points, availability)
  const answers = { protocol: 'mqtt', brokerUrl: `mqtt://${broker.host}:${broker.port}` }
  return { ...broker, answers, raw, connection: simulatedPoints(template, answers).connection }
}
