import { isIPv4 } from 'node:net'
import { Failure } from '@plantroom/contract/failure'
import { excerpt } from './excerpt.ts'

const SMALLEST_PREFIX = 24
const BITS = 32

/** How long a scan rests between two requests. */
export const SCAN_PAUSE_MS = 20

/**
 * Returns the hosts that a person points a scan at: one host, or the addresses of an IPv4 network such as 10.0.0.0/24.
 * Throws a `Failure` of kind `invalid` for anything larger, and for what is not the address of equipment.
 */
export function scanTargets(host: unknown): readonly string[] {
  if (typeof host !== 'string' || !/^\S{1,255}$/.test(host)) {
    throw invalid('is missing: it must be the host to scan, or a network of at most 256 addresses such as 10.0.0.0/24')
  }
  const [address = '', prefix, more] = host.split('/', 3)
  if (!isIPv4(address)) {
    if (prefix === undefined) return [host]
    throw invalid(`${excerpt(host)} is not an IPv4 network; scan a host, or a network such as 10.0.0.0/24`)
  }
  const first = numberOf(address)
  if (!isEquipment(first))
    throw invalid(`${address} is not the address of equipment; scan a host, or a network such as 10.0.0.0/24`)
  if (prefix === undefined) return [address]
  const length = /^\d{1,2}$/.test(prefix) && more === undefined ? Number(prefix) : BITS + 1
  if (length > BITS) throw invalid(`${excerpt(host)} is not a network; write it as 10.0.0.0/24`)
  if (length < SMALLEST_PREFIX) {
    const count = 2 ** (BITS - length)
    throw invalid(
      `${excerpt(host)} has ${count} addresses; scan one host, or networks of at most 256 addresses (/24) one after the other`,
    )
  }
  const size = 2 ** (BITS - length)
  const start = Math.floor(first / size) * size
  const all = Array.from({ length: size }, (_, index) => start + index)
  // The first and the last address of a network belong to no host.
  return (size > 2 ? all.slice(1, -1) : all).map(addressOf)
}

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const addressOf = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')

/** True unless it is the network 0, or an address of many: multicast, reserved or broadcast. */
const isEquipment = (number: number) => number >= numberOf('1.0.0.0') && number < numberOf('224.0.0.0')

const invalid = (message: string) => new Failure('invalid', `settings.host: ${message}`, 'settings.host')
