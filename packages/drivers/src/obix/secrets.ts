import { excerpt } from '../excerpt.ts'
import type { Show } from './codec.ts'
import type { ObixSettings } from './config.ts'

/** What basic authentication sends. */
export function basicToken({ username, password }: NonNullable<ObixSettings['credentials']>): string {
  return Buffer.from(`${username}:${password}`).toString('base64')
}

// Shorter ones would take half of every message with them, and hide little.
const MIN_HIDDEN_LENGTH = 3

/** Shows text of a server, which may repeat our secrets: they are taken out before it is cut to a line. */
export function hideSecrets(credentials: ObixSettings['credentials']): Show {
  if (!credentials) return excerpt
  const secrets = [credentials.password, basicToken(credentials)].filter((each) => each.length >= MIN_HIDDEN_LENGTH)
  return (text) => excerpt(secrets.reduce((shown, secret) => shown.replaceAll(secret, '***'), text))
}
