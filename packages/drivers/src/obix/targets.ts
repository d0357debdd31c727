import type { Target } from '../driver.ts'
import { excerpt } from '../excerpt.ts'
import { canonicalHost } from '../host.ts'
import type { ObixConfig, ObixPoint } from './config.ts'

/** Returns the target of each datapoint, in order; `undefined` for a read-only one. */
export function targetsOf({ settings, points }: ObixConfig): readonly (Target | undefined)[] {
  const { url, credentials, ca } = settings
  const lobby = new URL(url)
  const { name: host, reach } = canonicalHost(lobby.hostname)
  const origin = `${lobby.protocol}//${host.includes(':') ? `[${host}]` : host}${lobby.port && `:${lobby.port}`}`
  const login = [credentials?.username ?? null, credentials?.password ?? null, ca ?? null]
  return points.map((point) => {
    if (!point.writable) return undefined
    return {
      space: `obix ${origin}${objectPath(point)}`,
      start: 0,
      end: 1,
      name: `point ${excerpt(point.path)}`,
      reach,
      identity: JSON.stringify([origin, lobby.pathname, ...login, objectPath(point), point.write, meaningOf(point)]),
      meaning: meaningOf(point),
    }
  })
}

const meaningOf = ({ type }: ObixPoint) => `obix ${type ?? ''}`

/** Normalizes a path: a trailing slash and percent-encoding make no difference. */
function objectPath({ path }: ObixPoint): string {
  const end = path.indexOf('?')
  const [pathname, search] = end < 0 ? [path, ''] : [path.slice(0, end), path.slice(end)]
  const segments = pathname.replace(/(?<!\/)\/+$/, '').split('/')
  return segments.map((segment) => encodeURIComponent(decoded(segment))).join('/') + search
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
