import type { Clock } from '@plantroom/base/clock'
import type { Protocol as ProtocolName } from '@plantroom/contract/protocols'
import type { Protocol } from './driver.ts'
import { createModbusProtocol } from './modbus/driver.ts'
import { createMqttProtocol } from './mqtt/driver.ts'
import { createObixProtocol } from './obix/driver.ts'

/** Registers the driver of every protocol that the contract names. */
export function createProtocols(clock: Clock): Readonly<Record<ProtocolName, Protocol>> {
  return {
    'modbus-tcp': createModbusProtocol({ clock }),
    mqtt: createMqttProtocol({ clock }),
    obix: createObixProtocol({ clock }),
  }
}
