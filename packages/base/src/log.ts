import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import { systemClock } from './clock.ts'
import { currentCorrelation } from './correlation.ts'
import { formatLogLine, lossLine, safeJsonLine } from './log-text.ts'
import { openOutput } from './output.ts'

export type Log = Logger

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const LOG_FORMATS = ['auto', 'text', 'json'] as const

/** How lines look on stdout. */
export interface LogStyle {
  /** `auto`: text for people where stdout is a terminal, JSON elsewhere. */
  format: (typeof LOG_FORMATS)[number]
  /** False turns colours off. A file or a pipe gets none in any case. */
  colours: boolean
}

const JSON_LINES: LogStyle = { format: 'json', colours: false }

/** Reads `PLANTROOM_LOG_FORMAT` and `NO_COLOR` for the settings of a program. Adds what is wrong to `problems`. */
export function readLogStyle(env: Readonly<Record<string, string | undefined>>, problems: string[]): LogStyle {
  const text = env.PLANTROOM_LOG_FORMAT || 'auto'
  const format = LOG_FORMATS.find((known) => known === text)
  if (!format) problems.push(`PLANTROOM_LOG_FORMAT: ${text} is not one of ${LOG_FORMATS.join(', ')}`)
  return { format: format ?? 'auto', colours: !env.NO_COLOR }
}

/** Fields that contain secrets, in an event or in an object in it. */
const FIELDS = ['secret', 'deviceSecret', 'password', 'apiKey', 'adminToken', 'token']
const HEADERS = ['authorization', 'cookie', 'x-api-key']
const SECRETS = [
  ...FIELDS.flatMap((name) => [name, `*.${name}`]),
  ...HEADERS.flatMap((name) => [`headers["${name}"]`, `req.headers["${name}"]`]),
]

/** Creates a logger that writes one line per event, by default to stdout as JSON, and redacts secrets. */
export function createLog(name: string, level: LogLevel, destination?: DestinationStream): Log {
  const options = {
    name,
    level,
    redact: { paths: SECRETS, censor: '[secret]' },
    mixin: currentCorrelation,
  }
  return pino(options, destination ?? logOutput(JSON_LINES))
}

/** Returns what writes lines in this style, by default to stdout. That never blocks: see `openOutput`. */
export function logOutput(
  { format, colours }: LogStyle,
  given?: DestinationStream,
  isTerminal = isatty(1),
): DestinationStream {
  const isText = format === 'text' || (format === 'auto' && isTerminal)
  const styled = (line: string) =>
    isText ? formatLogLine(line, { colours: colours && isTerminal }) : safeJsonLine(line)
  let last = ''
  const output = given ?? openOutput(1, (lost) => styled(lossLine(last, lost, systemClock.now())))
  return {
    write(line) {
      last = line
      output.write(styled(line))
    },
  }
}

/** The last lines of a log, oldest first. */
export interface RecentLog {
  lines(): readonly string[]
}

/** Lines that are longer are of no use to people. */
const MAX_LINE = 4096

/** Writes to stdout, and keeps the last lines in memory. */
export function keepRecentLines(most: number, output: DestinationStream = logOutput(JSON_LINES)) {
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
