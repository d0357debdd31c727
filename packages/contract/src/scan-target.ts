import type { Protocol } from './protocols.ts'

/** The protocols whose equipment describes itself. */
export const SCANNED_PROTOCOLS: readonly Protocol[] = [
  ...(['modbus-tcp', 'modbus-rtu', 'modbus-rtu-tcp', 'bacnet-ip', 'sunspec'] as const),
]

/** The most addresses that one scan goes to. */
const MAX_SCANNED_ADDRESSES = 256
const BITS = 32

/** What a person points a scan at, or why it cannot be scanned. */
export type ScanTarget =
  | { hosts: readonly string[] }
  | { problem: 'missing' | 'not-ipv4' | 'not-equipment' | 'not-a-network'; host: string }
  | { problem: 'too-large'; host: string; addresses: number }

/** Reads one host, or an IPv4 network of at most 256 addresses such as 10.0.0.0/24. */
export function readScanTarget(host: unknown): ScanTarget {
  if (typeof host !== 'string' || !/^\S{1,255}$/.test(host)) return { problem: 'missing', host: '' }
  const [address = '', prefix, more] = host.split('/', 3)
  if (!isIpv4(address)) return prefix === undefined ? { hosts: [host] } : { problem: 'not-ipv4', host }
  const first = numberOf(address)
  if (!isEquipment(first)) return { problem: 'not-equipment', host: address }
  if (prefix === undefined) return { hosts: [address] }
  const length = /^\d{1,2}$/.test(prefix) && more === undefined ? Number(prefix) : BITS + 1
  if (length > BITS) return { problem: 'not-a-network', host }
  const size = 2 ** (BITS - length)
  if (size > MAX_SCANNED_ADDRESSES) return { problem: 'too-large', host, addresses: size }
  const start = Math.floor(first / size) * size
  const all = Array.from({ length: size }, (_, index) => start + index)
  // The first and the last address of a network belong to no host.
  return { hosts: (size > 2 ? all.slice(1, -1) : all).map(addressOf) }
}

const isIpv4 = (text: string) => {
  const parts = text.split('.')
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}
const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const addressOf = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')

/** True unless it is the network 0, or an address of many: multicast, reserved or broadcast. */
const isEquipment = (number: number) => number >= numberOf('1.0.0.0') && number < numberOf('224.0.0.0')
