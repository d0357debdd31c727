import type { SmtpSettings } from './smtp.ts'

const ADDRESS = /^[^\s@<>"]+@[^\s@<>"]+$/
const LOOKS_LIKE_DOMAIN = /\.[a-z][a-z-]*$/i

/**
 * What `SMTP_URL` says; throws with the end of a sentence that says what is wrong with it, never with what it holds. The
 * sender is its `from`, else its user where that is an address, else `plantroom` at the host of this service or of the
 * mail server.
 */
export function readSmtpUrl(text: string, publicUrl: string | undefined): SmtpSettings {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url?.hostname || !['smtp:', 'smtps:'].includes(url.protocol)) {
    throw new Error('not an address that starts with smtp:// or smtps:// and names a host')
  }
  const from = url.searchParams.get('from') ?? defaultSender(url, publicUrl)
  if (!ADDRESS.test(from)) throw new Error('its "from" is not an email address')
  // Ours: nodemailer would take it for an option of its own.
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
