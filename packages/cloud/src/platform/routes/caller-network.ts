import { isIP } from 'node:net'

/** The address of a caller. `forwarded` is what a trusted proxy named; when it is not an address, the proxy counts. */
export function callerAddress(forwarded: string | undefined, socketAddress: string | undefined): string {
  const named = plain(forwarded ?? '')
  return isIP(named) ? named : plain(socketAddress ?? '')
}

/**
 * The network that attempts of a caller are counted by: all of an IPv4 address, or the first half of an IPv6 address,
 * because callers can choose the second.
 */
export function callerNetwork(forwarded: string | undefined, socketAddress: string | undefined): string {
  return network(callerAddress(forwarded, socketAddress))
}

/** Removes the zone and a port, and turns an IPv4 address mapped to IPv6 back into IPv4. */
function plain(address: string): string {
  const withPort = /^\[([^\]]+)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address)
  const [withoutZone = ''] = (withPort?.[1] ?? withPort?.[2] ?? address).split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)
  return mapped?.[1] ?? withoutZone
}

function network(address: string): string {
  if (isIP(address) !== 6) return address
  const [before = '', after] = address.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after ? after.split(':') : []
  const missing = Math.max(0, 8 - head.length - tail.length)
  const groups = after === undefined ? head : [...head, ...Array<string>(missing).fill('0'), ...tail]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
