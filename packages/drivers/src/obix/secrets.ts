import type { ObixSettings } from './config.ts'

/** What basic authentication sends. */
export function basicToken({ username, password }: NonNullable<ObixSettings['credentials']>): string {
  return Buffer.from(`${username}:${password}`).toString('base64')
}

// Shorter ones would take half of every message with them, and hide little.
const SHORTEST_HIDDEN = 3

/** A server may say our secrets back to us: this takes them out of what is shown. */
export function concealing(credentials: ObixSettings['credentials']): (text: string) => string {
  if (!credentials) return (text) => text
  const secrets = [credentials.password, basicToken(credentials)].filter((each) => each.length >= SHORTEST_HIDDEN)
  return (text) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
}
