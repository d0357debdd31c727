import { concat, Malformed } from './tags.ts'

/** Where a device is: an address of IP and, for a device behind a router, its network and its address there. */
export interface Peer {
  address: string
  port: number
  behind?: { network: number; mac: Uint8Array } | undefined
}

/** What a datagram holds. `from` is where it began, if that is not where it came from. */
export type Datagram =
  | { kind: 'apdu'; apdu: Uint8Array; from?: { address: string; port: number }; behind?: Peer['behind'] }
  /** The answer of a BBMD to a registration; 0 is a success. */
  | { kind: 'result'; code: number }
  /** A router cannot reach the network of a device. */
  | { kind: 'unreachable'; network: number; reason: number }
  | { kind: 'other' }

const BACNET_IP = 0x81
const VERSION = 1

const FUNCTION = {
  result: 0,
  forwarded: 4,
  registerForeignDevice: 5,
  distributeBroadcast: 9,
  unicast: 10,
  broadcast: 11,
}

const REJECT_MESSAGE = 3
const MAX_MAC = 7

/** Returns one text for each peer: equal for equal peers. */
export const peerKey = ({ address, port, behind }: Peer) =>
  behind ? `${address}:${port}/${behind.network}:${Buffer.from(behind.mac).toString('hex')}` : `${address}:${port}`

const datagram = (code: number, ...contents: readonly (Uint8Array | readonly number[])[]) => {
  const body = concat(...contents)
  return concat([BACNET_IP, code, (body.length + 4) >> 8, (body.length + 4) & 255], body)
}

/** Wraps an APDU for a device. */
export function toDevice({ behind }: Pick<Peer, 'behind'>, apdu: Uint8Array, expectsReply: boolean): Uint8Array {
  return datagram(FUNCTION.unicast, npdu(behind, expectsReply), apdu)
}

function npdu(behind: Peer['behind'], expectsReply: boolean): readonly number[] {
  const control = expectsReply ? 4 : 0
  if (!behind) return [VERSION, control]
  const { network, mac } = behind
  return [VERSION, control | 0x20, network >> 8, network & 255, mac.length, ...mac, 255]
}

/** Asks a BBMD to pass our broadcasts on to all networks. */
export const toEveryNetwork = (apdu: Uint8Array) =>
  datagram(FUNCTION.distributeBroadcast, [VERSION, 0x20, 0xff, 0xff, 0, 255], apdu)

export const registration = (ttlSeconds: number) =>
  datagram(FUNCTION.registerForeignDevice, [ttlSeconds >> 8, ttlSeconds & 255])

/** Reads a datagram. Throws `Malformed` for one that is not BACnet/IP. */
export function readDatagram(bytes: Uint8Array): Datagram {
  const [type, code = -1, high = 0, low = 0] = bytes
  if (type !== BACNET_IP || bytes.length !== high * 256 + low) throw new Malformed('is not BACnet/IP')
  if (code === FUNCTION.result && bytes.length === 6) return { kind: 'result', code: word(bytes, 4) }
  if (code === FUNCTION.forwarded && bytes.length > 10) {
    const from = { address: bytes.subarray(4, 8).join('.'), port: word(bytes, 8) }
    const inside = readNpdu(bytes.subarray(10))
    return inside.kind === 'apdu' ? { ...inside, from } : { kind: 'other' }
  }
  if (code === FUNCTION.unicast || code === FUNCTION.broadcast) return readNpdu(bytes.subarray(4))
  return { kind: 'other' }
}

const word = (bytes: Uint8Array, at: number) => (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)

function readNpdu(bytes: Uint8Array): Datagram {
  const [version, control = 0] = bytes
  if (version !== VERSION) throw new Malformed('has another version of BACnet')
  let at = 2
  const address = () => {
    const [network, length] = [word(bytes, at), bytes[at + 2] ?? 0]
    const mac = bytes.subarray(at + 3, at + 3 + length)
    if (length > MAX_MAC || mac.length < length) throw new Malformed('has an impossible address')
    at += 3 + length
    return { network, mac }
  }
  if (control & 0x20) address()
  const behind = control & 0x08 ? address() : undefined
  // The hop count follows all addresses.
  if (control & 0x20) at += 1
  if (control & 0x80) {
    if (bytes[at] !== REJECT_MESSAGE) return { kind: 'other' }
    return { kind: 'unreachable', reason: bytes[at + 1] ?? 0, network: word(bytes, at + 2) }
  }
  if (at >= bytes.length) throw new Malformed('ends too early')
  return { kind: 'apdu', apdu: bytes.subarray(at), ...(behind && { behind }) }
}
