import type { SmtpSettings } from './smtp.ts'

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/
const LOOKS_LIKE_DOMAIN = /\.[a-z][a-z-]*$/i

/**
 * Reads `SMTP_URL`. Throws an error that completes the sentence "SMTP_URL is" and never quotes the value. The sender is its
 * `from`; else its user, if that is an email address; else `plantroom` at the host of this service or of the mail server.
 */
export function readSmtpUrl(text: string, publicUrl: string | undefined): SmtpSettings {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url?.hostname || !['smtp:', 'smtps:'].includes(url.protocol)) {
    throw new Error('not an address that starts with smtp:// or smtps:// and names a host')
  }
  const from = url.searchParams.get('from') ?? defaultSender(url, publicUrl)
  if (!ADDRESS.test(from)) throw new Error('its "from" is not an email address')
  // Removed, because nodemailer would read it as one of its options.
  url.searchParams.delete('from')
  return { url: url.href, from }
}

function defaultSender(url: URL, publicUrl: string | undefined): string {
  const user = unescaped(url.username)
  if (ADDRESS.test(user)) return user
  const hosts = [publicUrl && new URL(publicUrl).hostname, url.hostname]
  return `plantroom@${hosts.find((host) => host && LOOKS_LIKE_DOMAIN.test(host)) ?? 'localhost'}`
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
