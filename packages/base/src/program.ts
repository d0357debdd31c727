import { systemClock } from './clock.ts'

/** A program that has started. */
export interface Running {
  /** What a parent process needs to know of it, such as the ports it chose. */
  ready: object
  stop(): Promise<void>
}

const STOP_LIMIT_MS = 15_000

/**
 * The life of a process: `--help`, signals, exit codes, and word to a parent that supervises it.
 *
 * Started over an IPC channel it sends `{ ready }` once, and it stops when the parent is gone: a
 * killed parent leaves nothing behind.
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
    // The parent went while this process was loading: there will be no further word of it.
    if (process.connected === false) resolve()
  })
  // From the moment it is asked, not from when the start is done: a start may hang.
  void stopAsked.then(() => systemClock.after(STOP_LIMIT_MS, () => process.exit(1)))

  try {
    const running = await options.start()
    // With a callback: a parent that goes in this very moment must not end us with an error.
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
