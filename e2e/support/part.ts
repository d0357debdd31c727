import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { environment, ROOT, type Settings } from './environment.ts'
import { PATIENCE_MS } from './eventually.ts'

export interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

/** One of our programs in a process of its own, which a test may stop, kill and start again. */
export interface Part<Ready> {
  /** What it said of itself when it was last ready. */
  readonly ready: Ready
  readonly pid: number
  /** All that it wrote, over all its starts. */
  output(): string
  /** How the run that was started last has ended, once it has. */
  readonly ended: Promise<End>
  signal(name: NodeJS.Signals): void
  /** A word over the channel between parent and child, to a program that listens. */
  send(message: object): void
  /** Asks it to end and resolves when it has. */
  stop(): Promise<End>
  /** As a power cut would. */
  kill(): Promise<End>
  /** Starts it again where it was, and ends it first if it still runs; what `changed` names is set anew from now on. */
  start(changed?: Settings): Promise<void>
}

export type Room = 'cloud' | 'edge' | 'simulator'

/**
 * Resolves when the program is ready; `settings` of a later start may depend on what it was `before`. Another `program`
 * is one of the tests that stands in for the room's own.
 */
export async function startPart<Ready>(
  room: Room,
  settings: (before: Ready | undefined) => Settings,
  program = join(ROOT, 'packages', room, 'src/main.ts'),
): Promise<Part<Ready>> {
  let written = ''
  let changes: Settings = {}
  let ready: Ready | undefined
  let running: { child: ChildProcess; ended: Promise<End> }

  async function start(): Promise<Ready> {
    const child = spawn(process.execPath, [program], {
      cwd: ROOT,
      env: environment({ ...settings(ready), ...changes }),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    const keep = (chunk: Buffer) => {
      written += chunk.toString()
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    const ended = new Promise<End>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve({ code, signal }))
    })
    running = { child, ended }
    return await readiness<Ready>(room, child, () => written)
  }

  async function end(name: NodeJS.Signals): Promise<End> {
    const { child, ended } = running
    child.kill(name)
    const tooLong = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
    try {
      return await ended
    } finally {
      clearTimeout(tooLong)
    }
  }

  const first = await start()
  ready = first
  return {
    get ready() {
      return ready ?? first
    },
    get pid() {
      return running.child.pid ?? 0
    },
    output: () => written,
    get ended() {
      return running.ended
    },
    send: (message) => void running.child.send(message, () => {}),
    signal: (name) => void running.child.kill(name),
    async stop() {
      // A process that a test has halted hears no other signal.
      running.child.kill('SIGCONT')
      return await end('SIGTERM')
    },
    kill: () => end('SIGKILL'),
    async start(changed = {}) {
      await end('SIGKILL')
      changes = { ...changes, ...changed }
      ready = await start()
    },
  }
}

function readiness<Ready>(room: Room, child: ChildProcess, written: () => string): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => {
      child.kill('SIGKILL')
      reject(new Error(`${room} ${reason}: ${written().slice(-2000)}`))
    }
    const deadline = setTimeout(() => fail('is not ready'), PATIENCE_MS)
    child.once('message', (message: { ready: Ready }) => {
      clearTimeout(deadline)
      resolve(message.ready)
    })
    child.once('close', (code, signal) => {
      clearTimeout(deadline)
      fail(`ended with ${signal ?? code}`)
    })
  })
}
