import { schemaExpression } from '@plantroom/contract/expressions'
import { STORABLE } from '@plantroom/contract/patterns'
import { CLOUD_SETTINGS } from '@plantroom/contract/settings'

/** The OpenID Connect provider of this service, for everyone who signs in. */
export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  /** As people know it, on buttons. */
  name: string
  scopes: string
  /** Links an identity to the account with its verified e-mail address at the first sign-in. */
  linkByVerifiedEmail: boolean
}

const PREFIX = 'PLANTROOM_OIDC_'
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/** True for an address on this machine, which needs no TLS. */
export const isLoopback = (url: string): boolean => LOOPBACK.has(new URL(url).hostname)

/** Reads the settings of the provider and adds what is wrong with them to `problems`. */
export function readOidc(
  { env, problems }: { env: Readonly<Record<string, string | undefined>>; problems: string[] },
  publicUrl: string | undefined,
): OidcSettings | undefined {
  const problem = (name: string, text: string) => void problems.push(`${PREFIX}${name}: ${text}`)
  const read = (name: string) => env[PREFIX + name]?.trim() || undefined
  const [issuer, clientId, clientSecret] = [read('ISSUER'), read('CLIENT_ID'), read('CLIENT_SECRET')]
  const [name, scopes, linkByEmail] = [read('NAME'), read('SCOPES'), read('LINK_BY_EMAIL')]
  if (issuer === undefined) {
    if (clientId ?? clientSecret ?? name ?? scopes ?? linkByEmail) {
      problem('ISSUER', `missing, although other ${PREFIX} settings are present`)
    }
    return undefined
  }
  const wrongIssuer = issuerProblem(issuer)
  if (wrongIssuer) problem('ISSUER', wrongIssuer)
  if (!clientId) problem('CLIENT_ID', 'missing: the provider shows it when you register Plantroom')
  if (!clientSecret) problem('CLIENT_SECRET', 'missing: the provider shows it when you register Plantroom')
  if (publicUrl === undefined) {
    problems.push(
      `PLANTROOM_PUBLIC_URL: missing, although ${PREFIX}ISSUER is set; the provider sends people back to this address`,
    )
  }
  if (scopes !== undefined && !scopes.split(/\s+/).includes('openid')) problem('SCOPES', 'does not contain openid')
  if (name !== undefined && (name.length > 40 || !schemaExpression(STORABLE).test(name))) {
    problem('NAME', 'longer than 40 characters')
  }
  if (linkByEmail !== undefined && linkByEmail !== 'verified')
    problem('LINK_BY_EMAIL', `${linkByEmail} is not verified`)
  if (wrongIssuer || !clientId || !clientSecret) return undefined
  return {
    issuer: new URL(issuer).href,
    clientId,
    clientSecret,
    name: name ?? new URL(issuer).hostname,
    scopes: scopes ?? CLOUD_SETTINGS.PLANTROOM_OIDC_SCOPES.default,
    linkByVerifiedEmail: linkByEmail === 'verified',
  }
}

function issuerProblem(issuer: string): string | undefined {
  if (!URL.canParse(issuer)) return 'not an address that starts with https://'
  const { protocol, username, password, search, hash, pathname } = new URL(issuer)
  if (protocol !== 'https:' && !(protocol === 'http:' && isLoopback(issuer))) {
    return 'not an address that starts with https://; only a provider on this machine may use http://'
  }
  if (pathname.includes('/.well-known/')) return 'leave out /.well-known/ and what follows'
  if (username || password || search || hash) return 'has a user name, a query or a fragment, which an issuer never has'
  return undefined
}
