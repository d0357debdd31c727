import type { Clock } from '@plantroom/base/clock'
import type { Protocol as ProtocolName } from '@plantroom/contract/protocols'
import { createBacnetProtocol } from './bacnet/driver.ts'
import type { Protocol } from './driver.ts'
import { createModbusProtocol, createRtuOverTcpProtocol, createSerialProtocol } from './modbus/driver.ts'
import { createMqttProtocol } from './mqtt/driver.ts'
import { createNameLookup } from './name-lookup.ts'
import { createObixProtocol } from './obix/driver.ts'
import { createResolve } from './resolve-name.ts'

/** Registers the driver of every protocol that the contract names. */
export function createProtocols(clock: Clock): Readonly<Record<ProtocolName, Protocol>> {
  const lookup = createNameLookup({ clock, resolve: createResolve({ clock }) })
  return {
    'modbus-tcp': createModbusProtocol({ clock, lookup }),
    'modbus-rtu': createSerialProtocol({ clock }),
    'modbus-rtu-tcp': createRtuOverTcpProtocol({ clock, lookup }),
    mqtt: createMqttProtocol({ clock, lookup }),
    obix: createObixProtocol({ clock, lookup }),
    'bacnet-ip': createBacnetProtocol({ clock, lookup }),
  }
}
