import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What holds a secret, as a field of an event or of an object in it. */
const FIELDS = ['secret', 'deviceSecret', 'password', 'apiKey', 'adminToken', 'token']
const HEADERS = ['authorization', 'cookie', 'x-api-key']
const SECRETS = [
  ...FIELDS.flatMap((name) => [name, `*.${name}`]),
  ...HEADERS.flatMap((name) => [`headers["${name}"]`, `req.headers["${name}"]`]),
]

/** One JSON line an event on stdout. A field that holds a secret is never written. */
export function createLog(name: string, level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    name,
    level,
    redact: { paths: SECRETS, censor: '[secret]' },
  }
  // Written at once: what is left for later is tried again for ever at the end of a process whose reader is gone.
  return pino(options, destination ?? pino.destination({ fd: 1, sync: true }))
}
