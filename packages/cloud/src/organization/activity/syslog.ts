import { hostname } from 'node:os'
import type { ActivityEntry } from '@plantroom/contract/activity'
import { type Receiver, sendDatagrams, sendStream } from '../../platform/outbound/index.ts'
import type { Sink } from './sink.ts'

export interface SyslogSettings extends Receiver {
  transport: 'udp' | 'tcp'
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
      if (settings.transport === 'udp') await sendDatagrams(messages, settings, signal)
      else await sendStream(framesOf(messages), settings, signal)
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

/** Each message has its length in front (RFC 6587), because an entry may contain line breaks. */
const framesOf = (messages: readonly Buffer[]) =>
  Buffer.concat(messages.flatMap((message) => [Buffer.from(`${message.length} `), message]))
