import { type LookupAddress, lookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import { promisify } from 'node:util'
import { type Clock, within } from '@plantroom/base/clock'
import type { Resolve } from './name-lookup.ts'
import { createQueue } from './queue.ts'

interface ResolveDeps {
  clock: Clock
  /** DNS servers as `address:port`, instead of those in `resolv.conf`. */
  servers?: readonly string[]
  hostsFile?: string
  resolvConf?: string
  /** The system's own lookup. */
  system?: Resolve
}

const QUERY_MS = 1000
const TRIES = 2
/** How long the second address family may take after the first. */
const OTHER_FAMILY_MS = 50

/** The order of names that wait for the system. Those whose DNS server is silent will probably hang there too. */
const RANK = { unknown: 0, unanswered: 1 } as const

/**
 * Returns a function that looks a name up in the hosts file, then asks the DNS servers, then the system, which may know
 * further sources.
 *
 * The system occupies a thread for each name, for many seconds if nothing answers, and Node has two for all names. So
 * DNS is asked without threads, and the system is asked for one name at a time: a name that hangs delays no other.
 */
export function createResolve(deps: ResolveDeps): Resolve {
  const { hostsFile = '/etc/hosts', resolvConf = '/etc/resolv.conf', system = askSystem } = deps
  const inTurn = createQueue()

  return async (name) => {
    // Both are read each time: they may change, for example with the network.
    const [hosts, conf] = await Promise.all([readText(hostsFile), readText(resolvConf)])
    const listed = addressesIn(hosts, name)
    if (listed.length > 0) return listed
    // Multicast DNS is not in `resolv.conf`.
    if (name.endsWith('.local')) {
      const byTheSystem = inTurn(() => system(name), RANK.unknown)
      return Promise.any([askServers(name, conf, deps), byTheSystem]).catch(() => byTheSystem)
    }
    try {
      return await askServers(name, conf, deps)
    } catch (failure) {
      return inTurn(() => system(name), isUnanswered(failure) ? RANK.unanswered : RANK.unknown)
    }
  }
}

const askSystem: Resolve = (name) => promisify(lookup)(name, { all: true })

const readText = (file: string) => readFile(file, 'utf8').catch(() => '')

const isUnanswered = (failure: unknown) => (failure as { code?: string }).code === 'ETIMEOUT'

const fieldsOf = (line: string) =>
  line
    .replace(/[#;].*/, '')
    .split(/\s+/)
    .filter(Boolean)

/** Returns the addresses of a name in the text of a hosts file. */
export function addressesIn(hosts: string, name: string): LookupAddress[] {
  return hosts.split('\n').flatMap((line) => {
    const [address = '', ...names] = fieldsOf(line)
    const family = isIP(address)
    return family !== 0 && names.some((each) => each.toLowerCase() === name) ? [{ address, family }] : []
  })
}

/** Returns the full names to ask for, in order: a short name may be meant within a domain of `resolv.conf`. */
export function candidatesFor(name: string, resolvConf: string): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  let domains: string[] = []
  let dots = 1
  for (const [keyword, ...values] of resolvConf.split('\n').map(fieldsOf)) {
    if (keyword === 'search' || keyword === 'domain') domains = values
    if (keyword === 'options') dots = Number(/\bndots:(\d+)/.exec(values.join(' '))?.[1] ?? dots)
  }
  const within = domains.map((domain) => `${name}.${domain.replace(/\.$/, '')}`)
  return name.split('.').length > dots ? [name, ...within] : [...within, name]
}

async function askServers(name: string, resolvConf: string, deps: ResolveDeps): Promise<readonly LookupAddress[]> {
  let failure: unknown
  for (const candidate of candidatesFor(name, resolvConf)) {
    try {
      return await query(candidate, deps)
    } catch (error) {
      failure = error
      if (isUnanswered(error)) break
    }
  }
  throw failure
}

/** Asks for the addresses of both families. Does not wait long for the second one: some servers ignore one of them. */
async function query(name: string, { clock, servers }: ResolveDeps): Promise<readonly LookupAddress[]> {
  const resolver = new Resolver({ timeout: QUERY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const found: LookupAddress[] = []
  const keep = (family: 4 | 6) => (addresses: readonly string[]) => {
    found.push(...addresses.map((address) => ({ address, family })))
  }
  const both = [resolver.resolve4(name).then(keep(4)), resolver.resolve6(name).then(keep(6))] as const
  try {
    await Promise.any(both)
    await within(clock, OTHER_FAMILY_MS, Promise.allSettled(both))
    return found.toSorted((a, b) => a.family - b.family)
  } catch (error) {
    const { errors } = error as AggregateError
    throw errors.find(isUnanswered) ?? errors[0]
  } finally {
    resolver.cancel()
  }
}
