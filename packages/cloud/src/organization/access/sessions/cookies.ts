import { SESSION_COOKIE } from '@plantroom/contract/openapi'
import { isToken } from '../secrets.ts'

/** The attributes of our cookies. With the prefix `__Host-`, browsers refuse them from any other host. */
export const COOKIE_ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax'

/** Returns the session token in a `Cookie` header; `undefined` without a well-formed one. */
export const sessionTokenIn = (header: string | undefined): string | undefined => tokenIn(header, SESSION_COOKIE)

/** Returns the token in the cookie of this name; `undefined` without a well-formed one. */
export function tokenIn(header: string | undefined, name: string): string | undefined {
  const token = cookieIn(header, name)
  return token !== undefined && isToken(token) ? token : undefined
}

/** Returns the value of the first cookie of this name. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=')
    if (separator >= 0 && pair.slice(0, separator).trim() === name) return pair.slice(separator + 1).trim()
  }
  return undefined
}
