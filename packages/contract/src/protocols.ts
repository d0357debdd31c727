/**
 * Every protocol that a connection can use, with its name for people. A line here registers a driver: the API then
 * accepts its name, the console shows its label, and `drivers/src/protocols.ts` does not compile without it.
 */
export const PROTOCOL_LABELS = {
  'modbus-tcp': 'Modbus TCP',
  'modbus-rtu': 'Modbus RTU',
  'modbus-rtu-tcp': 'Modbus RTU over TCP',
  mqtt: 'MQTT',
  obix: 'oBIX',
  'bacnet-ip': 'BACnet/IP',
  sunspec: 'SunSpec',
} as const
export type Protocol = keyof typeof PROTOCOL_LABELS

export const PROTOCOLS = Object.keys(PROTOCOL_LABELS) as readonly Protocol[]
