import { SESSION_COOKIE } from '@plantroom/contract/openapi'
import { isToken } from '../secrets.ts'

const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax'

/** Returns the session token in a `Cookie` header; `undefined` without a well-formed one. */
export function sessionTokenIn(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=')
    if (separator < 0 || pair.slice(0, separator).trim() !== SESSION_COOKIE) continue
    const token = pair.slice(separator + 1).trim()
    return isToken(token) ? token : undefined
  }
  return undefined
}

/** The `Set-Cookie` header that stores the session in the browser. */
export function storeSession(token: string, seconds: number): string {
  return `${SESSION_COOKIE}=${token}; Max-Age=${seconds}; ${ATTRIBUTES}`
}

/** The `Set-Cookie` header that deletes the session from the browser. */
export const DELETE_SESSION = `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`
