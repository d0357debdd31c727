import { type ChildProcess, spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { type Clock, sleep } from '@plantroom/base/clock'

const RESTART_MS = 250
const STOP_LIMIT_MS = 20_000

/** A program in a process of its own that is started again when it dies, as a service manager would. */
export interface Supervised<Ready> {
  readonly ready: Ready
  readonly pid: number
  stop(): Promise<void>
}

export interface SuperviseOptions<Ready> {
  name: string
  program: string
  /** The settings of the next start; `before` is what the process before it was ready with. */
  environment(before: Ready | undefined): NodeJS.ProcessEnv
  logFile: string
  clock: Clock
  /** It runs again under a new process id. */
  onRestart(): void
}

/** Resolves when the program is ready; rejects with its own last words when it ends before. */
export async function supervise<Ready>(options: SuperviseOptions<Ready>): Promise<Supervised<Ready>> {
  const { clock, environment, onRestart } = options
  let stopping = false
  let { child, ready } = await start<Ready>(options, environment(undefined))
  keepAlive(child)

  function keepAlive(watched: ChildProcess): void {
    watched.once('exit', () => void restart())
  }

  async function restart(): Promise<void> {
    while (!stopping) {
      await sleep(clock, RESTART_MS)
      if (stopping) return
      try {
        const next = await start<Ready>(options, environment(ready))
        child = next.child
        ready = next.ready
        if (stopping) return void child.kill('SIGTERM')
        keepAlive(child)
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
      return child.pid ?? 0
    },
    async stop() {
      stopping = true
      await end(child, clock)
    },
  }
}

function start<Ready>(
  { name, program, logFile }: SuperviseOptions<Ready>,
  env: NodeJS.ProcessEnv,
): Promise<{ child: ChildProcess; ready: Ready }> {
  const log = createWriteStream(logFile, { flags: 'a', mode: 0o600 })
  const child = spawn(process.execPath, [...process.execArgv, program], {
    env,
    // Its own group: a Ctrl-C is for the demo, which stops its parts in order. The IPC channel ends with the
    // demo, however that dies, and then the part stops by itself.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let lastWords = ''
  child.stdout?.pipe(log, { end: false })
  child.stderr?.pipe(log, { end: false })
  child.stderr?.on('data', (chunk: Buffer) => {
    lastWords = (lastWords + chunk.toString()).slice(-2000)
  })
  child.once('close', () => log.end())

  return new Promise((resolve, reject) => {
    child.once('message', (message: { ready: Ready }) => resolve({ child, ready: message.ready }))
    child.once('error', reject)
    child.once('close', (code, signal) => {
      const line = lastWords.trim().split('\n').at(-1)
      reject(
        new Error(line?.replace(`plantroom ${name}: `, '') || `${name} ended with ${signal ?? code}; see ${logFile}`),
      )
    })
  })
}

async function end(child: ChildProcess, clock: Clock): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const cancel = clock.after(STOP_LIMIT_MS, () => child.kill('SIGKILL'))
  await gone
  cancel()
}
