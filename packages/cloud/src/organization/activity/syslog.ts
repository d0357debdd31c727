import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect } from 'node:net'
import { hostname } from 'node:os'
import type { ActivityEntry } from '@plantroom/contract/activity'
import type { Sink } from './sink.ts'

export interface SyslogSettings {
  transport: 'udp' | 'tcp'
  host: string
  port: number
}

/** "Log audit". */
const FACILITY = 13
const SEVERITIES = { done: 6, refused: 5, failed: 4 } as const

/**
 * Sends entries as syslog messages (RFC 5424), each with its exact signed text. UDP has no confirmation. With TCP a batch is
 * one connection, and it counts as delivered when the receiver has closed it after ours.
 */
export function createSyslog(settings: SyslogSettings): Sink {
  const machine = nameOf(hostname())
  return {
    name: 'syslog',
    async send(entries, signal) {
      const messages = entries.map(({ entry }) => Buffer.from(syslogMessage(entry, machine)))
      await (settings.transport === 'udp' ? sendDatagrams : sendFrames)(messages, settings, signal)
    },
  }
}

/** Returns one message: `<priority>1 time host plantroom - action - entry`. */
export function syslogMessage(text: string, machine: string): string {
  const { at, action, outcome } = JSON.parse(text) as ActivityEntry
  return `<${FACILITY * 8 + SEVERITIES[outcome]}>1 ${at} ${machine} plantroom - ${action} - ${text}`
}

/** Host names are printable ASCII without spaces. */
const nameOf = (host: string) => (/^[\x21-\x7e]{1,255}$/.test(host) ? host : '-')

async function sendDatagrams(messages: readonly Buffer[], { host, port }: SyslogSettings, signal: AbortSignal) {
  const socket = createSocket({ type: host.includes(':') ? 'udp6' : 'udp4', signal })
  const failed = once(socket, 'error').then(([error]) => Promise.reject(error as Error))
  failed.catch(() => {})
  try {
    for (const message of messages) {
      const sent = new Promise<void>((resolve, reject) =>
        socket.send(message, port, host, (error) => (error ? reject(error) : resolve())),
      )
      await Promise.race([sent, failed])
    }
  } finally {
    if (!signal.aborted) socket.close()
  }
}

/** Each message has its length in front (RFC 6587), because an entry may contain line breaks. */
async function sendFrames(messages: readonly Buffer[], { host, port }: SyslogSettings, signal: AbortSignal) {
  const socket = connect({ host, port, signal })
  const closed = once(socket, 'close')
  closed.catch(() => {})
  await once(socket, 'connect')
  const frames = messages.flatMap((message) => [Buffer.from(`${message.length} `), message])
  socket.end(Buffer.concat(frames))
  socket.resume()
  // Rejects when the receiver resets the connection, or does not close it in time.
  await closed
}
