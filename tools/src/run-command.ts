import { spawn } from 'node:child_process'
import { endProcesses, send, treeOf } from './process-tree.ts'

export interface RunOptions {
  cwd: string
  signal: AbortSignal
  /** Lets the program write to our own output, instead of collecting what it writes. */
  show?: boolean
  env?: Record<string, string>
}

export interface Ended {
  /** `null` when a signal ended the program, or when it could not be started. */
  code: number | null
  output: string
}

/**
 * Runs a program in a process group of its own and resolves when it has ended, never rejects.
 * What it left running in its group is killed then, and when our own process exits. When `signal`
 * aborts, all that stems from it is ended, also what has left the group.
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

    // A program left behind would keep the pipes open, and `close` would never come.
    child.on('exit', killGroup)
    child.on('close', async (code) => {
      signal.removeEventListener('abort', stop)
      process.off('exit', killGroup)
      await stopping
      resolve({ code, output: Buffer.concat(chunks).toString() })
    })
  })
}
