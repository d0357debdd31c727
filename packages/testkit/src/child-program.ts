import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A real process that runs one of our programs, or one of a test. */
export interface ChildProgram {
  readonly pid: number
  /** Messages received over its IPC channel so far. */
  readonly messages: readonly unknown[]
  stdout(): string
  stderr(): string
  kill(signal: NodeJS.Signals): void
  /** Closes the IPC channel, as the death of the parent would. */
  disconnect(): void
  /** Resolves with its exit code and signal after all output was read. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** Starts a program and kills it at the end of the running test. */
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

  // Not the `close` event, which does not fire after the parent has closed the channel.
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

/** True if the process is running. A zombie is not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch (error) {
    // Only Linux has /proc. Elsewhere a delivered signal has to be enough.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform !== 'linux'
  }
}
