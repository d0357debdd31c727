import type { Clock } from '@plantroom/base/clock'
import type { Protocol as ProtocolName } from '@plantroom/contract/protocols'
import { createBacnetProtocol } from './bacnet/driver.ts'
import type { Protocol } from './driver.ts'
import { createProtocolOn, createRtuOverTcpProtocol, createSerialLines, createTcpLines } from './modbus/driver.ts'
import { createMqttProtocol } from './mqtt/driver.ts'
import { createNameLookup } from './name-lookup.ts'
import { createObixProtocol } from './obix/driver.ts'
import { createResolve } from './resolve-name.ts'
import { createSunspecProtocol } from './sunspec/driver.ts'

/** Registers the driver of every protocol that the contract names. */
export function createProtocols(clock: Clock): Readonly<Record<ProtocolName, Protocol>> {
  const lookup = createNameLookup({ clock, resolve: createResolve({ clock }) })
  const lines = { tcp: createTcpLines({ clock, lookup }), serial: createSerialLines({ clock }) }
  return {
    'modbus-tcp': createProtocolOn(lines.tcp),
    'modbus-rtu': createProtocolOn(lines.serial),
    'modbus-rtu-tcp': createRtuOverTcpProtocol({ clock, lookup }),
    mqtt: createMqttProtocol({ clock, lookup }),
    obix: createObixProtocol({ clock, lookup }),
    'bacnet-ip': createBacnetProtocol({ clock, lookup }),
    sunspec: createSunspecProtocol(lines),
  }
}
