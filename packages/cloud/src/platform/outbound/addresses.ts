import { BlockList, isIP, isIPv4 } from 'node:net'

/** Networks of IPv4 that are not public: private, shared, loopback, link-local, documentation, multicast, reserved. */
const NOT_PUBLIC_4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'],
  ...['224.0.0.0/4', '240.0.0.0/4'],
]
/** Of IPv6 only this is public, except for what follows: addresses that contain others, and documentation. */
const PUBLIC_6 = ['2000::/3']
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']
const LOOPBACK = ['127.0.0.0/8', '::1/128']

/** A list of networks such as `10.0.0.0/8`, and of single addresses. */
export function networks(list: readonly string[]): BlockList {
  const result = new BlockList()
  for (const text of list) {
    const [address = '', bits] = text.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    if (bits === undefined) result.addAddress(address, family)
    else result.addSubnet(address, Number(bits), family)
  }
  return result
}

const notPublic4 = networks(NOT_PUBLIC_4)
const public6 = networks(PUBLIC_6)
const notPublic6 = networks(NOT_PUBLIC_6)
const loopback = networks(LOOPBACK)

/** True for an address on the internet. Addresses that wrap another one are not. */
export function isPublic(address: string): boolean {
  const version = isIP(address)
  if (version === 4) return !notPublic4.check(address, 'ipv4')
  return version === 6 && public6.check(address, 'ipv6') && !notPublic6.check(address, 'ipv6')
}

export const isLoopback = (address: string) => contains(loopback, address)

/** An IPv4 address that is written as IPv6 (`::ffff:10.0.0.1`) counts as IPv4. */
export function contains(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
