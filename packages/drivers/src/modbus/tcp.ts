import type { ProtocolDeps } from '../driver.ts'
import type { Fields } from '../fields.ts'
import { canonicalHost } from '../host.ts'
import type { Medium } from './medium.ts'
import { type Address, addressText } from './open-socket.ts'
import { connectByTcp } from './tcp-client.ts'

/** Frames of Modbus TCP on a socket. */
export function createTcpMedium(deps: ProtocolDeps): Medium<Address> {
  // The ids repeat late, even across sockets: some gateways send a late answer to the next connection.
  let lastTransactionId = 0
  const nextTransactionId = () => {
    lastTransactionId = (lastTransactionId + 1) & 0xffff
    return lastTransactionId
  }
  return {
    protocol: 'modbus-tcp',
    unitIds: { first: 0, last: 255 },
    ...SOCKET_ADDRESS,
    transport: (address) => ({
      name: addressText(address),
      connect: (options) => connectByTcp(address, options, { ...deps, nextTransactionId }),
    }),
  }
}

/** The address of a socket in the settings. */
export const SOCKET_ADDRESS = {
  parseAddress: (fields: Fields): Address => ({
    host: fields.text('host') ?? '',
    port: fields.integer('port', 1, 65_535, 502) ?? 502,
  }),
  keyOf: ({ host, port }: Address) => addressText({ host: host.toLowerCase(), port }),
  canonical({ host: asWritten, port }: Address) {
    const { name: host, reach } = canonicalHost(asWritten)
    return { text: addressText({ host, port }), identity: { host, port }, reach }
  },
}
