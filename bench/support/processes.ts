import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Starts a program of ours as its own process and waits for what it says when it is ready. */
export function startProgram<Ready>(
  path: string,
  options: { args?: readonly string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<{ child: ChildProcess; ready: Ready }> {
  const child = fork(path, options.args ?? [], {
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (message: { ready: Ready }) => resolve({ child, ready: message.ready }))
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code}`)))
  })
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await gone
}

/** Memory of a process that is in RAM, in MB. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
