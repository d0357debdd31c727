import { createTransport } from 'nodemailer'

/** Where mail is handed over, and in whose name. */
export interface SmtpSettings {
  /** smtp:// or smtps://, with whatever of nodemailer's options as its query. */
  url: string
  from: string
}

export interface MailToSend {
  /** Stays the same when it is sent again, so that a receiver can tell. */
  id: string
  recipient: string
  subject: string
  body: string
}

/** What became of a mail. `reason` is for people. */
export type Delivery =
  | { kind: 'sent' }
  /** For good: the server will not take this mail. */
  | { kind: 'refused'; reason: string }
  /** The server will not take this mail now. */
  | { kind: 'deferred'; reason: string }
  /** Nothing is said about the mail: no server, or none that lets us in. */
  | { kind: 'unreachable'; reason: string }

export interface Smtp {
  /** Never rejects. */
  send(mail: MailToSend): Promise<Delivery>
}

const STEP_MS = 30_000
// nodemailer takes a list, or a name with an address, where it is given one address: it would mail to all of them.
const ONE_ADDRESS = /^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u
const LONGEST_REASON = 500

/** A server that takes mail. With smtp:// the connection is encrypted where the server offers it, and then its certificate must hold. */
export function createSmtp({ url, from }: SmtpSettings): Smtp {
  const transport = createTransport({
    url,
    disableFileAccess: true,
    disableUrlAccess: true,
    dnsTimeout: STEP_MS,
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
  })
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
          // Nobody's holiday message should answer a machine.
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

/** A reply to the recipient or to the message is about this mail; everything else is about the server or about us. */
function explain({ message, responseCode, command }: SmtpError): Delivery {
  const reason = message
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, LONGEST_REASON)
    .toWellFormed()
  // 421: the server is about to close, whatever it was asked.
  const isVerdict = (command === 'RCPT TO' || command === 'DATA') && responseCode !== undefined && responseCode !== 421
  if (!isVerdict) return { kind: 'unreachable', reason }
  return { kind: responseCode >= 500 ? 'refused' : 'deferred', reason }
}
