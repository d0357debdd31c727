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
    if (process.send) process.once('disconnect', () => resolve())
  })

  try {
    const running = await options.start()
    if (process.connected) process.send?.({ ready: running.ready })
    await stopAsked
    systemClock.after(STOP_LIMIT_MS, () => process.exit(1))
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
