import { inspect } from 'node:util'
import { systemClock } from './clock.ts'
import { openOutput } from './output.ts'
import { notifyServiceManager, type ServiceManager } from './service-manager.ts'

/** A program that has started. */
export interface Running {
  /** Information for the parent process, for example the chosen ports. */
  ready: object
  /** Stops. With `drain`, it first keeps serving while others take over, until that is done or the signal aborts. */
  stop(how?: { drain: AbortSignal }): Promise<void>
  /** How long it may take to stop. By default, `STOP_LIMIT_MS`. */
  stopLimitMs?: number
}

/** The time to stop of a program that has nothing to drain. A service manager must wait longer. */
export const STOP_LIMIT_MS = 15_000

/**
 * Runs a program: handles `--help`, `--version`, `--config FILE`, signals and exit codes, and reports to a supervising parent.
 *
 * With an IPC channel it sends `{ ready }` once, and answers `{ ping }` with `{ pong }`, so that the parent notices a blocked
 * event loop. It stops when the parent is gone, so a killed parent leaves nothing behind. SIGTERM lets it drain; another
 * signal, or the parent's end, cuts that short.
 */
export async function runProgram(options: {
  name: string
  usage: string
  /** What `--version` prints. */
  version?: string
  /** An option with a value that only this program has, for example `--template`. */
  option?: string
  /** `configFile` is the file of settings that the command line names, `value` that of the program's own option. */
  start(configFile: string | undefined, value: string | undefined): Promise<Running>
  /** Learns when the program is ready, whether its event loop runs, and when it stops. */
  serviceManager?: ServiceManager | undefined
}): Promise<void> {
  const { value: configFile, rest: others } = takeValue('--config', process.argv.slice(2))
  const { value, rest } = takeValue(options.option, others)
  const [argument] = rest
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(`${options.usage}\n`)
    return
  }
  if ((argument === '--version' || argument === '-V') && options.version !== undefined) {
    process.stdout.write(`plantroom ${options.version}\n`)
    return
  }
  if (argument !== undefined) {
    const lacksValue = argument === '--config' ? 'a file' : argument === options.option ? 'a value' : undefined
    const problem = lacksValue === undefined ? `unknown argument ${argument}` : `name ${lacksValue} after ${argument}`
    process.stderr.write(`plantroom ${options.name}: ${problem}; see --help\n`)
    process.exitCode = 2
    return
  }

  const stderr = openOutput(2, (lost) => `plantroom ${options.name}: ${lost} lines of stderr were lost\n`)
  // Node would print the error itself, and wait for a reader of stderr.
  process.on('uncaughtException', (error) => {
    stderr.write(`${inspect(error)}\n`)
    process.exit(1)
  })
  process.on('message', (message: { ping?: true }) => {
    if (message.ping) tellParent({ pong: true })
  })
  const notifier =
    options.serviceManager &&
    notifyServiceManager(options.serviceManager, ({ message }) =>
      stderr.write(
        `plantroom ${options.name}: systemd does not learn that the program runs (${message}): install systemd-notify, or set Type=exec and WatchdogSec=0 in the unit\n`,
      ),
    )
  const hurry = new AbortController()
  let limitMs = STOP_LIMIT_MS
  const stopAsked = awaitStop(hurry)
  // Start the timer with the request to stop, because a start may hang.
  let hasStarted = false
  void stopAsked.then(() => {
    // A program that was never ready has nothing to drain.
    if (!hasStarted) hurry.abort()
    systemClock.after(limitMs, () => process.exit(1))
  })

  try {
    const running = await options.start(configFile, value)
    hasStarted = true
    limitMs = running.stopLimitMs ?? STOP_LIMIT_MS
    tellParent({ ready: running.ready })
    notifier?.ready()
    await stopAsked
    notifier?.stopping()
    await running.stop({ drain: hurry.signal })
    process.exit(0)
  } catch (error) {
    stderr.write(`plantroom ${options.name}: ${oneLine(error)}\n`)
    process.exit(1)
  }
}

/** Sends a message to the parent, if there is one. The callback ignores the error if it ends at this very moment. */
function tellParent(message: object): void {
  if (process.connected) process.send?.(message, undefined, undefined, () => {})
}

/** Takes an option and its value out of the arguments of a program. Without a value, it stays among the others. */
function takeValue(
  option: string | undefined,
  args: readonly string[],
): { value: string | undefined; rest: readonly string[] } {
  const [flag = '', value, ...rest] = args
  if (option === undefined) return { value: undefined, rest: args }
  if (flag.startsWith(`${option}=`)) return { value: flag.slice(option.length + 1), rest: args.slice(1) }
  if (flag !== option || value === undefined) return { value: undefined, rest: args }
  return { value, rest }
}

/** Resolves when the process has to stop. Aborts `hurry` when it should not take its time. */
function awaitStop(hurry: AbortController): Promise<void> {
  return new Promise((resolve) => {
    const stopNow = () => {
      hurry.abort()
      resolve()
    }
    process.once('SIGTERM', () => {
      resolve()
      process.once('SIGTERM', stopNow)
    })
    process.once('SIGINT', stopNow)
    process.once('disconnect', stopNow)
    // The parent ended while this process was loading, so no further event will come.
    if (process.connected === false) stopNow()
  })
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/(?<!\s)\s*\n\s*/g, ' ')
}
