import { createTransport } from 'nodemailer'

/** The mail server and the sender address. */
export interface SmtpSettings {
  /** smtp:// or smtps://; the query may contain options of nodemailer. */
  url: string
  from: string
}

interface MailToSend {
  /** The same in every attempt, so that receivers recognize duplicates. */
  id: string
  recipient: string
  subject: string
  body: string
}

/** The result of an attempt. `reason` is shown to people. */
export type Delivery =
  | { kind: 'sent' }
  /** The server will never accept this mail. */
  | { kind: 'refused'; reason: string }
  /** The server does not accept this mail now. */
  | { kind: 'deferred'; reason: string }
  /** No server, or no access to it. Says nothing about the mail. */
  | { kind: 'unreachable'; reason: string }

export interface Smtp {
  /** Never rejects. */
  send(mail: MailToSend): Promise<Delivery>
}

const STEP_MS = 30_000
const VERIFY_MS = 8_000
// nodemailer parses lists and names in an address, and would mail to all recipients of a list.
const ONE_ADDRESS = /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u
const MAX_REASON = 500

/** Connects, encrypts if the server offers it, and signs in. Sends no mail. Rejects with the reason. */
export async function verifySmtp({ url }: SmtpSettings): Promise<void> {
  const transport = connectTo(url, VERIFY_MS)
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

const connectTo = (url: string, stepMs: number) =>
  createTransport({
    url,
    disableFileAccess: true,
    disableUrlAccess: true,
    dnsTimeout: stepMs,
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
  })

/** Connects to a mail server. With smtp://, uses encryption if the server offers it, and then requires a valid certificate. */
export function createSmtp({ url, from }: SmtpSettings): Smtp {
  const transport = connectTo(url, STEP_MS)
  const domain = from.slice(from.lastIndexOf('@') + 1)

  return {
    async send({ id, recipient, subject, body }) {
      if (!ONE_ADDRESS.test(recipient)) return { kind: 'refused', reason: 'the recipient is not an email address' }
      try {
        await transport.sendMail({
          from: { name: 'Plantroom', address: from },
          to: { name: '', address: recipient },
          envelope: { from, to: [recipient] },
          messageId: `<${id}@${domain}>`,
          subject,
          text: body,
          // Suppresses automatic replies.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return { kind: 'sent' }
      } catch (error) {
        return explain(error as SmtpError)
      }
    },
  }
}

type SmtpError = Error & { responseCode?: number; command?: string }

/** Only replies to RCPT TO and DATA are about the mail; all others are about the server or the connection. */
function explain({ message, responseCode, command }: SmtpError): Delivery {
  const reason = message
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_REASON)
    .toWellFormed()
  // 421: the server is closing the connection.
  const isVerdict = (command === 'RCPT TO' || command === 'DATA') && responseCode !== undefined && responseCode !== 421
  if (!isVerdict) return { kind: 'unreachable', reason }
  return { kind: responseCode >= 500 ? 'refused' : 'deferred', reason }
}
