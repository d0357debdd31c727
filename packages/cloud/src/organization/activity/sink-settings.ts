import type { SyslogSettings } from './syslog.ts'
import type { WebhookSettings } from './webhook.ts'

const SECRET_LENGTH = 32
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/
const SYSLOG_PORT = 514

export type SinkSettings = { syslog: SyslogSettings } | { webhook: WebhookSettings }

/** Identifies how far a sink got, also after its address changed. */
export const sinkName = (settings: SinkSettings) => ('syslog' in settings ? 'syslog' : 'webhook')

/** Reads where the activity log is sent on to. Throws with what to change. */
export function readSink(given: {
  syslog: string | undefined
  webhook: string | undefined
  webhookSecret: string | undefined
}): SinkSettings | undefined {
  const { syslog, webhook, webhookSecret } = given
  if (syslog && webhook) throw new Error('PLANTROOM_ACTIVITY_SYSLOG and PLANTROOM_ACTIVITY_WEBHOOK: set only one')
  if (syslog) return { syslog: readSyslog(syslog) }
  return webhook ? { webhook: readWebhook(webhook, webhookSecret) } : undefined
}

function readSyslog(text: string): SyslogSettings {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const transport = url?.protocol.slice(0, -1)
  if (!url?.hostname || (transport !== 'udp' && transport !== 'tcp')) {
    throw new Error('PLANTROOM_ACTIVITY_SYSLOG: not an address such as udp://host:514 or tcp://host:514')
  }
  return { transport, host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || SYSLOG_PORT) }
}

function readWebhook(text: string, secret: string | undefined): WebhookSettings {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname))
  if (!url || !isSafe || url.username !== '' || url.password !== '') {
    throw new Error(
      'PLANTROOM_ACTIVITY_WEBHOOK: not an address that starts with https:// and has no password; http:// works on this machine only',
    )
  }
  if (!secret || secret.length < SECRET_LENGTH) {
    throw new Error(
      `PLANTROOM_ACTIVITY_WEBHOOK_SECRET: shorter than ${SECRET_LENGTH} characters; "openssl rand -base64 32" makes one`,
    )
  }
  return { url: url.href, secret }
}
