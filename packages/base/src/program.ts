import { systemClock } from './clock.ts'

/** A program that has started. */
export interface Running {
  /** Information for the parent process, for example the chosen ports. */
  ready: object
  stop(): Promise<void>
}

const STOP_LIMIT_MS = 15_000

/**
 * Runs a program: handles `--help`, signals and exit codes, and reports to a supervising parent.
 *
 * With an IPC channel it sends `{ ready }` once. It stops when the parent is gone, so a killed parent leaves nothing
 * behind.
 */
export async function runProgram(options: { name: string; usage: string; start(): Promise<Running> }): Promise<void> {
  const [argument] = process.argv.slice(2)
  if (argument === '--help' || argument === '-h') {
    process.stdout.write(`${options.usage}\n`)
    return
  }
  if (argument !== undefined) {
    process.stderr.write(`plantroom ${options.name}: unknown argument ${argument}; see --help\n`)
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
    const running = await options.start()
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

function oneLine(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/\s*\n\s*/g, ' ')
}
