import { systemClock } from './clock.ts'

/** A program that has started. */
export interface Running {
  /** Information for the parent process, for example the chosen ports. */
  ready: object
  stop(): Promise<void>
}

const STOP_LIMIT_MS = 15_000

/**
 * Runs a program: handles `--help`, `--config FILE`, signals and exit codes, and reports to a supervising parent.
 *
 * With an IPC channel it sends `{ ready }` once. It stops when the parent is gone, so a killed parent leaves nothing
 * behind.
 */
export async function runProgram(options: {
  name: string
  usage: string
  /** `configFile` is the file of settings that the command line names. */
  start(configFile: string | undefined): Promise<Running>
}): Promise<void> {
  const { configFile, rest } = takeConfigFile(process.argv.slice(2))
  const [argument] = rest
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(`${options.usage}\n`)
    return
  }
  if (argument !== undefined) {
    const problem = argument === '--config' ? 'name a file after --config' : `unknown argument ${argument}`
    process.stderr.write(`plantroom ${options.name}: ${problem}; see --help\n`)
    process.exitCode = 2
    return
  }

  const stopAsked = new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
    process.once('disconnect', () => resolve())
    // The parent ended while this process was loading, so no further event will come.
    if (process.connected === false) resolve()
  })
  // Start the timer with the request to stop, because a start may hang.
  void stopAsked.then(() => systemClock.after(STOP_LIMIT_MS, () => process.exit(1)))

  try {
    const running = await options.start(configFile)
    // The callback ignores the error if the parent ends at this very moment.
    if (process.connected) process.send?.({ ready: running.ready }, undefined, undefined, () => {})
    await stopAsked
    await running.stop()
    process.exit(0)
  } catch (error) {
    process.stderr.write(`plantroom ${options.name}: ${oneLine(error)}\n`)
    process.exit(1)
  }
}

/** Takes `--config FILE` out of the arguments of a program. Without a file, it stays among the others. */
function takeConfigFile(args: readonly string[]): { configFile: string | undefined; rest: readonly string[] } {
  const [flag = '', file, ...rest] = args
  if (flag.startsWith('--config=')) return { configFile: flag.slice('--config='.length), rest: args.slice(1) }
  if (flag !== '--config' || file === undefined) return { configFile: undefined, rest: args }
  return { configFile: file, rest }
}

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\s*\n\s*/g, ' ')
}
