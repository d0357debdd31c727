import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A real process that runs one of our programs, or one that a test brought along. */
export interface ChildProgram {
  readonly pid: number
  /** What it sent over its IPC channel so far. */
  readonly messages: readonly unknown[]
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  /** Ends the IPC channel, as the death of the parent would. */
  disconnect(): void
  /** How it ended, with all of its output read. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts a program; one that outlives the running test is killed with it. */
export function startChildProgram(
  program: URL,
  options: { args?: readonly string[]; env?: NodeJS.ProcessEnv; supervised?: boolean } = {},
): ChildProgram {
  const { args = [], env = {}, supervised = false } = options
  const child = spawn(process.execPath, [fileURLToPath(program), ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', ...(supervised ? (['ipc'] as const) : [])],
  })
  onTestFinished(() => void child.kill('SIGKILL'))

  const messages: unknown[] = []
  let stdout = ''
  let stderr = ''
  child.on('message', (message) => messages.push(message))
  child.stdout?.on('data', (chunk: Buffer) => {
    stdout += chunk.toString()
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })

  // Not the event `close`: it does not come when the parent has ended the channel.
  const exit = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  const read = [child.stdout, child.stderr].map((output) => output && once(output, 'close'))
  const ended = Promise.all([exit, ...read]).then(([outcome]) => outcome)

  return {
    pid: child.pid ?? 0,
    messages,
    stdout: () => stdout,
    stderr: () => stderr,
    kill: (signal) => void child.kill(signal),
    disconnect: () => child.disconnect(),
    ended,
  }
}

/** Does this process still run? One that has ended, and that nobody has collected yet, does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch (error) {
    // Elsewhere than on Linux there is no /proc: the signal got through, and that has to do.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux'
  }
}
