import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** One JSON line an event on stdout. Whatever looks like a secret is never written. */
export function createLog(name: string, level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    name,
    level,
    redact: {
      paths: [
        'secret',
        '*.secret',
        'password',
        '*.password',
        'apiKey',
        '*.apiKey',
        'headers["x-api-key"]',
        'headers.authorization',
      ],
      censor: '[secret]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}
