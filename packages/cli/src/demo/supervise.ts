import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { type Clock, sleep } from '@plantroom/base/clock'
import { MOST_UNANSWERED, PING_MS, watchLoop } from './watch-loop.ts'

const RESTART_MS = 250
const STOP_LIMIT_MS = 20_000
const STDERR_TAIL = 4_000

/** A child process that restarts when it dies or no longer answers, as under a service manager. */
export interface Supervised<Ready> {
  readonly ready: Ready
  readonly pid: number
  stop(): Promise<void>
}

export interface SuperviseOptions<Ready> {
  name: string
  program: string
  /** Node flags in addition to those of this process. */
  nodeFlags?: readonly string[]
  /** Returns the settings of the next start. `before` is the ready message of the previous process. */
  environment(before: Ready | undefined): NodeJS.ProcessEnv
  logFile: string
  clock: Clock
  /** Called when the program runs again under a new process id. */
  onRestart(): void
  /** True if a killed process leaves something behind that only a restart followed by a clean stop removes. */
  needsCleanStop?: boolean
}

/** Starts a program and resolves when it is ready. Rejects with the program's error message if it ends before. */
export async function supervise<Ready>(options: SuperviseOptions<Ready>): Promise<Supervised<Ready>> {
  const { clock, environment, onRestart } = options
  let stopping = false
  let child = launch(options, environment(undefined))
  let ready = await untilReady<Ready>(child, options)
  /** The start of the child, while it is under way. */
  let starting: Promise<unknown> = Promise.resolve()
  keepAlive()

  function keepAlive(): void {
    child.process.once('exit', () => void restart())
    if (hasEnded(child.process)) void restart()
  }

  let restarting = false
  async function restart(): Promise<void> {
    if (restarting) return
    restarting = true
    while (!stopping) {
      await sleep(clock, RESTART_MS)
      if (stopping) break
      child = launch(options, environment(ready))
      const isReady = untilReady<Ready>(child, options)
      starting = isReady.catch(() => {})
      try {
        ready = await isReady
        restarting = false
        keepAlive()
        return onRestart()
      } catch {
        // The log has the reason. Keep trying for as long as the demo runs.
      }
    }
  }

  return {
    get ready() {
      return ready
    },
    get pid() {
      return child.process.pid ?? 0
    },
    async stop() {
      stopping = true
      if (!options.needsCleanStop) return end(child.process, clock)
      // A program that is still loading would die of the signal.
      await withinLimit(starting, clock)
      await end(child.process, clock)
      if (child.process.exitCode === 0) return
      child = launch(options, environment(ready))
      await withinLimit(untilReady<Ready>(child, options), clock)
      await end(child.process, clock)
    },
  }
}

interface Launched {
  process: ChildProcess
  /** Returns the end of its stderr output. */
  stderrTail(): string
}

function launch<Ready>(
  { name, program, nodeFlags = [], logFile, clock }: SuperviseOptions<Ready>,
  env: NodeJS.ProcessEnv,
): Launched {
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 })
  // An unwritable log must not stop the building's controller.
  log.on('error', () => {})
  const child = spawn(process.execPath, [...process.execArgv, ...nodeFlags, program], {
    env,
    // A separate process group: Ctrl-C is for the demo, which stops its parts in order. The IPC channel closes when the
    // demo dies in any way, and the part then stops.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let stderrTail = ''
  child.stdout?.on('data', (chunk: Buffer) => log.write(chunk))
  child.stderr?.on('data', (chunk: Buffer) => {
    log.write(chunk)
    stderrTail = (stderrTail + chunk.toString()).slice(-STDERR_TAIL)
  })
  child.once('close', () => log.end())
  const stopWatching = watchLoop(child, clock, () => {
    const seconds = (MOST_UNANSWERED * PING_MS) / 1000
    log.write(`plantroom demo: ${name} has not answered for ${seconds} s, so the demo kills it and starts it again\n`)
    // Also ends a halted process, which receives no other signal.
    child.kill('SIGKILL')
  })
  child.once('exit', stopWatching)
  return { process: child, stderrTail: () => stderrTail }
}

function untilReady<Ready>(child: Launched, { name, logFile }: SuperviseOptions<Ready>): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.process.on('message', (message: { ready?: Ready }) => {
      if (message.ready !== undefined) resolve(message.ready)
    })
    child.process.once('error', reject)
    child.process.once('close', (code, signal) => {
      const how = `${name} ended with ${signal ?? code}`
      reject(new Error(reasonIn(child.stderrTail()) ?? `${how}; see ${logFile}`))
    })
  })
}

/** Finds the line that explains a failure: the program's own message, or the error of a crash report. */
function reasonIn(output: string): string | undefined {
  const lines = output.split('\n').map((line) => line.trim())
  // The command name may differ from the part's name: `plantroom simulate` runs the simulator.
  const [, own] = lines.map((line) => /^plantroom \w+: (.*)$/.exec(line)).findLast((found) => found) ?? []
  return own ?? lines.findLast((line) => /^\w*Error\b.*: /.test(line))
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

/** Waits for a start, successful or not, but not for one that hangs. */
async function withinLimit(starting: Promise<unknown>, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const cancel = clock.after(STOP_LIMIT_MS, resolve)
  await Promise.race([starting.catch(() => {}), promise])
  cancel()
}

async function end(child: ChildProcess, clock: Clock): Promise<void> {
  if (hasEnded(child)) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const cancel = clock.after(STOP_LIMIT_MS, () => child.kill('SIGKILL'))
  await gone
  cancel()
}
