import { spawn } from 'node:child_process'
import { endProcesses, send, treeOf } from './process-tree.ts'

export interface RunOptions {
  cwd: string
  signal: AbortSignal
  /** Writes the program's output to ours instead of collecting it. */
  show?: boolean
  env?: Record<string, string>
}

export interface Ended {
  /** `null` when a signal ended the program, or when it did not start. */
  code: number | null
  output: string
}

/**
 * Runs a program in a new process group and resolves when it has ended; never rejects. Processes that it leaves running in
 * its group are killed then, and when our own process exits. When `signal` aborts, all its descendants are ended, even
 * those that left the group.
 */
export function runCommand(command: readonly [string, ...string[]], options: RunOptions): Promise<Ended> {
  const [program, ...args] = command
  const { cwd, signal, show = false, env } = options
  if (signal.aborted) return Promise.resolve({ code: null, output: '' })

  return new Promise((resolve) => {
    const stream = show ? 'inherit' : 'pipe'
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      detached: true,
      stdio: ['ignore', stream, stream],
    })
    const { pid } = child
    if (pid === undefined) {
      child.on('error', (error) => resolve({ code: null, output: `${program}: ${error.message}\n` }))
      return
    }
    const chunks: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))

    let stopping: Promise<void> | undefined
    const stop = () => {
      stopping = endProcesses(treeOf(pid))
    }
    const killGroup = () => send(-pid, 'SIGKILL')
    signal.addEventListener('abort', stop, { once: true })
    process.on('exit', killGroup)

    // A process left running would keep the pipes open, and `close` would never be emitted.
    child.on('exit', killGroup)
    child.on('close', async (code) => {
      signal.removeEventListener('abort', stop)
      process.off('exit', killGroup)
      await stopping
      resolve({ code, output: Buffer.concat(chunks).toString() })
    })
  })
}
