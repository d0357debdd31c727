import { type ChildProcess, spawn } from 'node:child_process'
import { environment, ROOT, type Settings } from './environment.ts'
import { PATIENCE_MS } from './eventually.ts'
import { programOf } from './programs.ts'

export interface End {
  code: number | null
  signal: NodeJS.Signals | null
}

/** One of our programs in its own process, which a test can stop, kill and restart. */
export interface Part<Ready> {
  /** The message of the program when it was last ready. */
  readonly ready: Ready
  readonly pid: number
  /** Returns the output of all its starts. */
  output(): string
  /** Resolves when the last start has ended. */
  readonly ended: Promise<End>
  signal(name: NodeJS.Signals): void
  /** Sends a message over the IPC channel. */
  send(message: object): void
  /** Asks the program to end and resolves when it has. */
  stop(): Promise<End>
  /** Kills the program, as a power cut does. */
  kill(): Promise<End>
  /** Restarts the program, killing it first if it runs. Settings in `changed` apply from now on. */
  start(changed?: Settings): Promise<void>
}

export type Room = 'cloud' | 'edge' | 'simulator'

/**
 * Starts a program and resolves when it is ready. `settings` of a restart may depend on the ready message `before`. `program`
 * replaces the main program of the room, and `stdout` is a descriptor for its log.
 */
export async function startPart<Ready>(
  room: Room,
  settings: (before: Ready | undefined) => Settings,
  program = programOf(room),
  stdout: number | 'pipe' = 'pipe',
): Promise<Part<Ready>> {
  let written = ''
  let changes: Settings = {}
  let ready: Ready | undefined
  let running: { child: ChildProcess; ended: Promise<End> }

  async function start(): Promise<Ready> {
    const child = spawn(process.execPath, [program], {
      cwd: ROOT,
      env: environment({ ...settings(ready), ...changes }),
      stdio: ['ignore', stdout, 'pipe', 'ipc'],
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
      // A halted process receives no other signal.
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
    const deadline = setTimeout(() => fail('did not become ready'), PATIENCE_MS)
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
