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
  return pino(options, destination ?? toOutput())
}

// Write synchronously: buffered output would be retried forever at exit if the reader is gone.
const toOutput = () => pino.destination({ fd: 1, sync: true })

/** The last lines of a log, oldest first. */
export interface RecentLog {
  lines(): readonly string[]
}

/** Lines that are longer are of no use to people. */
const MAX_LINE = 4096

/** Writes to stdout, and keeps the last lines in memory. */
export function keepRecentLines(most: number, output: DestinationStream = toOutput()) {
  const kept: string[] = []
  let next = 0
  return {
    destination: {
      write(line: string) {
        output.write(line)
        if (line.length > MAX_LINE) return
        kept[next] = line
        next = (next + 1) % most
      },
    } satisfies DestinationStream,
    lines: () => [...kept.slice(next), ...kept.slice(0, next)],
  } satisfies RecentLog & { destination: DestinationStream }
}
