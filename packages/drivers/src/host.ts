import { BlockList, isIP } from 'node:net'

/**
 * Where an address means the same equipment: only on this controller's own machine, on all controllers of a site, whose
 * network another building may number alike, or everywhere.
 */
export type Reach = 'controller' | 'site' | 'everywhere'

/** A host in the one spelling in which equal addresses are equal. */
export interface Host {
  name: string
  reach: Reach
}

/** Stands for every spelling of the controller's own machine. */
const OWN = 'localhost'
const OWN_NAMES = /^(?:localhost|.*\.localhost|ip6-localhost|ip6-loopback|127\.0\.0\.1|0\.0\.0\.0|::1?)$/
/** Names that the network of a site resolves, each in its own way. */
const SITE_NAMES = /^[^.]*$|\.(?:local|localdomain|lan|home|home\.arpa|internal|intranet|corp|private)$/
const MAPPED = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/

const SITE_ADDRESSES = subnets(
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
  ['fe80::', 10],
)
const LOOPBACK = subnets(['127.0.0.0', 8])

/**
 * Returns a host as every spelling of it reads: upper case, a final dot, short and hexadecimal IPv4 addresses, long IPv6
 * addresses and `localhost` make no difference. A name is not looked up: what it resolves to can change.
 */
export function canonicalHost(text: string): Host {
  const name = plainAddress(text.replace(/^\[(.*)\]$/, '$1'))
  return OWN_NAMES.test(name) ? { name: OWN, reach: 'controller' } : { name, reach: reachOf(name) }
}

function plainAddress(text: string): string {
  const [address = '', zone] = text.split('%', 2)
  const url = `http://${address.includes(':') ? `[${address}]` : address}/`
  const parsed = URL.canParse(url) ? new URL(url).hostname.replace(/^\[(.*)\]$/, '$1') : address.toLowerCase()
  const name = ipv4Of(parsed.replace(/\.$/, ''))
  return zone === undefined ? name : `${name}%${zone}`
}

/** Returns an IPv4 address in IPv6 form as IPv4. */
function ipv4Of(name: string): string {
  const [, high, low] = MAPPED.exec(name) ?? []
  if (high === undefined || low === undefined) return name
  return [high, low].flatMap((part) => [Number.parseInt(part, 16) >> 8, Number.parseInt(part, 16) & 255]).join('.')
}

function reachOf(name: string): Reach {
  const [address = ''] = name.split('%', 1)
  const family = isIP(address)
  if (family === 0) return SITE_NAMES.test(name) ? 'site' : 'everywhere'
  const type = family === 4 ? 'ipv4' : 'ipv6'
  if (LOOPBACK.check(address, type)) return 'controller'
  return SITE_ADDRESSES.check(address, type) ? 'site' : 'everywhere'
}

function subnets(...networks: readonly (readonly [network: string, prefix: number])[]): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of networks) list.addSubnet(network, prefix, network.includes(':') ? 'ipv6' : 'ipv4')
  return list
}
