import { isIP } from 'node:net'

/**
 * Where a request comes from, as attempts are counted: IPv4 whole, of IPv6 the first half, as the second is the caller's
 * to choose. Of a proxy on this machine, the address that it saw; what others say of themselves is not believed.
 */
export function callerAddress(socketAddress: string | undefined, forwardedFor: string | undefined): string {
  const seen = plain(socketAddress ?? '')
  const lastHop = plain(forwardedFor?.split(',').at(-1)?.trim() ?? '')
  return network(isLoopback(seen) && isIP(lastHop) ? lastHop : seen)
}

/** Without a zone, and IPv4 as IPv4 also on a socket that takes both. */
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
