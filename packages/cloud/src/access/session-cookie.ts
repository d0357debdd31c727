import { randomText } from './api-key.ts'

/** The prefix makes browsers refuse it from any other host, path or without TLS. */
export const SESSION_COOKIE = '__Host-plantroom'

const TOKEN_LENGTH = 43
const TOKEN = new RegExp(`^[0-9A-Za-z]{${TOKEN_LENGTH}}$`)
const ATTRIBUTES = 'Path=/; HttpOnly; Secure; SameSite=Lax'

/** 256 random bits as text. */
export const makeToken = (): string => randomText(TOKEN_LENGTH)

/** Whether a text can be one of our tokens: what cannot is refused without a look-up. */
export const isToken = (text: string): boolean => TOKEN.test(text)

/** The session's token in a `Cookie` header, or `undefined` when there is none that could be ours. */
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

/** The `Set-Cookie` header that has a browser keep the session. */
export function keepSession(token: string, seconds: number): string {
  return `${SESSION_COOKIE}=${token}; Max-Age=${seconds}; ${ATTRIBUTES}`
}

/** The `Set-Cookie` header that has a browser forget it. */
export const FORGET_SESSION = `${SESSION_COOKIE}=; Max-Age=0; ${ATTRIBUTES}`
