import { type DestinationStream, type Logger, pino } from 'pino'

export type Log = Logger

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Fields that contain secrets, in an event or in an object in it. */
const FIELDS = ['secret', 'deviceSecret', 'password', 'apiKey', 'adminToken', 'token']
const HEADERS = ['authorization', 'cookie', 'x-api-key']
const SECRETS = [
  ...FIELDS.flatMap((name) => [name, `*.${name}`]),
  ...HEADERS.flatMap((name) => [`headers["${name}"]`, `req.headers["${name}"]`]),
]

/** Creates a logger that writes one JSON line per event to stdout and redacts secrets. */
export function createLog(name: string, level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    name,
    level,
    redact: { paths: SECRETS, censor: '[secret]' },
  }
  // Write synchronously: buffered output would be retried forever at exit if the reader is gone.
  return pino(options, destination ?? pino.destination({ fd: 1, sync: true }))
}
