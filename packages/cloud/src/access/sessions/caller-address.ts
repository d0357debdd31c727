import { isIP } from 'node:net'

/**
 * The address sign-in attempts are counted by: all of an IPv4 address, or the first half of an IPv6 address, because
 * callers can choose the second. `X-Forwarded-For` counts only when a proxy on this machine sent it.
 */
export function callerAddress(socketAddress: string | undefined, forwardedFor: string | undefined): string {
  const seen = plain(socketAddress ?? '')
  const lastHop = plain(forwardedFor?.split(',').at(-1)?.trim() ?? '')
  return network(isLoopback(seen) && isIP(lastHop) ? lastHop : seen)
}

/** Removes the zone, and turns an IPv4 address mapped to IPv6 back into IPv4. */
function plain(address: string): string {
  const [withoutZone = ''] = address.split('%')
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone)
  return mapped?.[1] ?? withoutZone
}

function isLoopback(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
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
