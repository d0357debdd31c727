import { describeDiskError } from '@plantroom/base/disk-error'
import { ApiError, UnreachableError } from '@plantroom/client/http'
import { shown } from '@plantroom/contract/shown'
import { ReportedFailure, UsageError } from './command.ts'
import { verbHelp } from './help.ts'
import { overview, referenceAsJson } from './reference/reference.ts'
import { COMMANDS, REFERENCE } from './registry.ts'
import { nearest, similarNames } from './suggest.ts'

/** Long enough for every problem of a commissioning file. */
const LONGEST_MESSAGE = 20_000
const HELP = ['--help', '-h']
const VERSION_FLAGS = ['--version', '-V']

/** Runs one command and returns the exit code: 0 success, 1 failure, 2 wrong usage, 3 `audit verify` cannot know. */
export async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name !== undefined && VERSION_FLAGS.includes(name)) return run(['version', ...args])
  if (name === undefined || name === 'help' || HELP.includes(name)) return help(name, args)
  if (name === '__complete') {
    const { completionReply } = await import('./commands/completion/reply.ts')
    for (const line of await completionReply(args).catch(() => [])) console.log(line)
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) return fail(name, unknownCommand(name), args)
  if (asks(args, ...HELP)) {
    console.log(verbHelpOf(name, args) ?? command.usage)
    return 0
  }
  try {
    await command.run(args)
    return 0
  } catch (error) {
    return error instanceof ReportedFailure ? error.exitCode : fail(name, error as Error, args)
  }
}

/** `help` alone lists commands; with `--json` it is everything, for tools. */
function help(name: string | undefined, args: readonly string[]): number {
  const [about, ...rest] = args
  const command = about !== undefined && Object.hasOwn(COMMANDS, about) ? COMMANDS[about] : undefined
  if (name === 'help' && asks(args, '--json')) console.log(JSON.stringify(referenceAsJson(REFERENCE)))
  else if (command && about !== undefined) console.log(verbHelpOf(about, rest) ?? command.usage)
  else console.log(overview(REFERENCE))
  return name === undefined ? 2 : 0
}

/** Returns the help of the verb that the arguments begin with. */
function verbHelpOf(name: string, args: readonly string[]): string | undefined {
  const verbs = REFERENCE[name]?.verbs ?? {}
  const found = [args.slice(0, 2).join(' '), args[0] ?? ''].find((words) => words !== '' && Object.hasOwn(verbs, words))
  const verb = found === undefined ? undefined : verbs[found]
  return verb && verbHelp(`${name} ${found}`, verb)
}

function unknownCommand(name: string): UsageError {
  const near = nearest(name, Object.keys(REFERENCE))
  return new UsageError(`unknown command ${shown(name)}${similarNames(near)}`)
}

/** An error of a command, as `--json` prints it on stderr. */
export interface PrintedError {
  error: {
    message: string
    /** `USAGE`, `UNREACHABLE`, `FAILED`, or the code of the service. */
    code: string
    /** The HTTP status of the service, if it answered. */
    status: number | null
    /** The service that was asked. */
    service: string | null
  }
}

/** Prints one line, even if the message repeats text from the service or a file. */
function fail(name: string, error: Error, args: readonly string[]): number {
  const text = describeDiskError(error)
  const message = shown(text, LONGEST_MESSAGE)
  if (asks(args, '--json')) {
    const printed: PrintedError = { error: { message: text, ...codeOf(error), service: serviceOf(error) } }
    console.error(JSON.stringify(printed))
  } else {
    const isKnown = Object.hasOwn(COMMANDS, name)
    console.error(`plantroom${isKnown ? ` ${name}` : ''}: ${message}${hint(error, isKnown ? name : undefined)}`)
  }
  return error instanceof UsageError ? 2 : 1
}

function codeOf(error: Error): { code: string; status: number | null } {
  if (error instanceof UsageError) return { code: 'USAGE', status: null }
  if (error instanceof ApiError) return { code: error.code, status: error.status }
  return { code: error instanceof UnreachableError ? 'UNREACHABLE' : 'FAILED', status: null }
}

const serviceOf = (error: Error & { service?: string }) => error.service ?? null

function hint(error: Error, name: string | undefined): string {
  if (error instanceof UsageError) return `; see plantroom ${name === undefined ? '' : `${name} `}--help`
  const service = serviceOf(error)
  if (!(error instanceof ApiError)) return ''
  return ` (${error.status} ${error.code}${service === null ? '' : ` from ${service}`})`
}

/** Reports whether one of these flags is given, before `--`. */
function asks(args: readonly string[], ...flags: readonly string[]): boolean {
  const end = args.indexOf('--')
  return (end === -1 ? args : args.slice(0, end)).some((arg) => flags.includes(arg))
}
