import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { type Clock, sleep } from '@plantroom/base/clock'

const RESTART_MS = 250
const STOP_LIMIT_MS = 20_000
const STDERR_TAIL = 4_000

/** A program in a process of its own that is started again when it dies, as a service manager would. */
export interface Supervised<Ready> {
  readonly ready: Ready
  readonly pid: number
  stop(): Promise<void>
}

export interface SuperviseOptions<Ready> {
  name: string
  program: string
  /** Of Node, beside those of this process. */
  nodeFlags?: readonly string[]
  /** The settings of the next start; `before` is what the process before it was ready with. */
  environment(before: Ready | undefined): NodeJS.ProcessEnv
  logFile: string
  clock: Clock
  /** It runs again under a new process id. */
  onRestart(): void
  /** When it is killed it leaves something behind that only its next start finds, and its stop then ends. */
  needsCleanStop?: boolean
}

/** Resolves when the program is ready; rejects with its own last words when it ends before. */
export async function supervise<Ready>(options: SuperviseOptions<Ready>): Promise<Supervised<Ready>> {
  const { clock, environment, onRestart } = options
  let stopping = false
  let child = launch(options, environment(undefined))
  let ready = await untilReady<Ready>(child, options)
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
      try {
        ready = await untilReady<Ready>(child, options)
        restarting = false
        keepAlive()
        return onRestart()
      } catch {
        // Its reason is in its log; it is tried for as long as the demo runs.
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
      if (options.needsCleanStop && hasEnded(child.process)) {
        child = launch(options, environment(ready))
        await untilReady<Ready>(child, options).catch(() => {})
      }
      await end(child.process, clock)
    },
  }
}

interface Launched {
  process: ChildProcess
  /** What it has said on stderr, the end of it. */
  stderrTail(): string
}

function launch<Ready>(
  { program, nodeFlags = [], logFile }: SuperviseOptions<Ready>,
  env: NodeJS.ProcessEnv,
): Launched {
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 })
  // A log that cannot be written is no reason to leave a building without its controller.
  log.on('error', () => {})
  const child = spawn(process.execPath, [...process.execArgv, ...nodeFlags, program], {
    env,
    // Its own group: a Ctrl-C is for the demo, which stops its parts in order. The IPC channel ends with the
    // demo, however that dies, and then the part stops by itself.
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
  return { process: child, stderrTail: () => stderrTail }
}

function untilReady<Ready>(child: Launched, { name, logFile }: SuperviseOptions<Ready>): Promise<Ready> {
  return new Promise((resolve, reject) => {
    child.process.once('message', (message: { ready: Ready }) => resolve(message.ready))
    child.process.once('error', reject)
    child.process.once('close', (code, signal) => {
      const how = `${name} ended with ${signal ?? code}`
      reject(new Error(reasonIn(child.stderrTail()) ?? `${how}; see ${logFile}`))
    })
  })
}

/** The one line that says why: the program's own word for it, else the error of a crash report. */
function reasonIn(words: string): string | undefined {
  const lines = words.split('\n').map((line) => line.trim())
  // The name of the command, which need not be that of the part: `plantroom simulate` is the simulator.
  const [, own] = lines.map((line) => /^plantroom \w+: (.*)$/.exec(line)).findLast((found) => found) ?? []
  return own ?? lines.findLast((line) => /^\w*Error\b.*: /.test(line))
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

async function end(child: ChildProcess, clock: Clock): Promise<void> {
  if (hasEnded(child)) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const cancel = clock.after(STOP_LIMIT_MS, () => child.kill('SIGKILL'))
  await gone
  cancel()
}
