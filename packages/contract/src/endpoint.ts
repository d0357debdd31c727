/** Returns the host and port or the serial port of the equipment, without anything that could be a secret. */
export function endpointOf({ protocol, settings }: { protocol: string; settings: Record<string, unknown> }): string {
  const { url, host, port, path, deviceInstance } = settings
  if (typeof path === 'string') return path
  if (typeof url === 'string' && URL.canParse(url)) {
    const address = new URL(url)
    return `${address.hostname}:${address.port || (URL_PORTS[address.protocol] ?? '')}`
  }
  const isBacnet = protocol === 'bacnet-ip'
  if (isBacnet && host === undefined) return `device ${deviceInstance}`
  const name = String(host)
  return `${name.includes(':') ? `[${name}]` : name}:${port ?? (isBacnet ? BACNET_PORT : MODBUS_PORT)}`
}

const MODBUS_PORT = 502
const BACNET_PORT = 47_808
const URL_PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883, 'http:': 80, 'https:': 443 }
