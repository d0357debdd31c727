import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { onTestFinished } from 'vitest'

interface Delivered {
  from: string
  to: string[]
  /** The raw message. */
  raw: string
  secure: boolean
}

interface MailServer {
  port: number
  url: string
  delivered: Delivered[]
  close(): Promise<void>
}

/** Starts a real mail server that keeps its messages; `options` say what it refuses. Port 0 picks a free port. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const delivered: Delivered[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      void text(stream).then((raw) => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        delivered.push({ from, to: rcptTo.map(({ address }) => address), raw, secure: session.secure })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  let closing: Promise<void> | undefined
  const close = () => (closing ??= new Promise<void>((resolve) => server.close(resolve)))
  onTestFinished(close)
  const bound = (server.server.address() as AddressInfo).port
  return { port: bound, url: `smtp://127.0.0.1:${bound}`, delivered, close }
}

/** Returns the raw value of a header, unfolded. */
export function header(raw: string, name: string): string | undefined {
  const [head = ''] = raw.split('\r\n\r\n')
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')
  return lines.find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))?.slice(name.length + 2)
}

/** Returns the body of a plain-text message. */
export function bodyOf(raw: string): string {
  const at = raw.indexOf('\r\n\r\n')
  const body = raw.slice(at + 4)
  switch (header(raw, 'Content-Transfer-Encoding')) {
    case 'base64':
      return Buffer.from(body, 'base64').toString()
    case 'quoted-printable':
      return Buffer.from(
        body
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString()
    default:
      return body
  }
}

/** Decodes an encoded header. */
export function decoded(value: string | undefined): string {
  return (value ?? '')
    .replace(/(\?=) (=\?)/g, '$1$2')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, coded: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(coded, 'base64').toString()
        : Buffer.from(
            coded
              .replaceAll('_', ' ')
              .replace(/=([0-9A-F]{2})/g, (_match, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ).toString(),
    )
}
