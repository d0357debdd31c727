import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { contains, isLoopback, isPublic, networks } from './addresses.ts'

const RESOLVE_MS = 3_000

/** Returns every address of a name; an empty list when it has none. */
type Resolve = (name: string) => Promise<readonly string[]>

/** Decides where the service may connect to on behalf of a tenant. */
export interface Guard {
  /** Throws with what to change when no delivery to this address could ever work, whatever its name resolves to. */
  check(url: string): URL
  /**
   * Resolves the name of an address, once, and returns the addresses that the service may connect to. Throws when there
   * are none, with the same words for a name that does not exist and one that leads into a private network.
   */
  resolve(url: URL): Promise<readonly string[]>
}

/** An address that the service does not connect to. */
export class RefusedAddress extends Error {}

/** Allows public addresses, and the private networks that the operator named. */
export function createGuard({
  privateNetworks,
  resolve = resolveName,
}: {
  privateNetworks: readonly string[]
  resolve?: Resolve | undefined
}): Guard {
  const named = networks(privateNetworks)
  const isAllowed = (address: string) => isPublic(address) || contains(named, address)

  function check(text: string): URL {
    const url = URL.canParse(text) ? new URL(text) : undefined
    if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
      throw new RefusedAddress('url is not an address that starts with https://')
    }
    if (url.username !== '' || url.password !== '') {
      throw new RefusedAddress('url contains a user name or password: receivers check the signature instead')
    }
    const host = hostOf(url)
    if (isIP(host) !== 0 && !isAllowed(host)) throw notPublic(host)
    const isOwnMachine = isIP(host) === 0 ? host === 'localhost' : isLoopback(host)
    if (url.protocol === 'http:' && !isOwnMachine) throw new RefusedAddress('url starts with http://: use https://')
    return url
  }

  return {
    check,
    async resolve(url) {
      check(url.href)
      const host = hostOf(url)
      const found = isIP(host) === 0 ? await resolve(host) : [host]
      const allowed = found.filter(
        (address) => isAllowed(address) && (url.protocol === 'https:' || isLoopback(address)),
      )
      if (allowed.length === 0) throw notPublic(host)
      return allowed
    },
  }
}

const hostOf = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

const notPublic = (host: string) => new RefusedAddress(`${host} does not lead to a public address`)

/** Asks DNS. Not `lookup`: it occupies a thread of the process for as long as the name server of a stranger likes. */
async function resolveName(name: string): Promise<readonly string[]> {
  if (name === 'localhost') return ['127.0.0.1', '::1']
  const resolver = new Resolver({ timeout: RESOLVE_MS, tries: 1 })
  const none = () => []
  const [four, six] = await Promise.all([resolver.resolve4(name).catch(none), resolver.resolve6(name).catch(none)])
  return [...four, ...six]
}
