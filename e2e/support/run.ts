import { spawn } from 'node:child_process'
import { environment, PLANTROOM, ROOT, type Settings } from './environment.ts'
import { PATIENCE_MS } from './eventually.ts'

export interface Ran {
  code: number | null
  stdout: string
  stderr: string
}

/** Runs a program to its end, as from a shell in the checkout. */
export function run(program: string, args: readonly string[], settings: Settings = {}): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: environment(settings),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE_MS,
      killSignal: 'SIGKILL',
    })
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
}

export const plantroom = (args: readonly string[], settings: Settings = {}) => run(PLANTROOM, args, settings)
