import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

/** Starts one of our programs in its own process and waits for its ready message. */
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
    child.once('exit', (code) => reject(new Error(`${path} exited with ${code}`)))
  })
}

export async function stopProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGINT')
  await gone
}

/** Returns the resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Returns the CPU time of all threads of a process in ms. */
export function cpuMs(pid: number): number {
  const tasks = `/proc/${pid}/task`
  // A restarted process would not be the one measured so far.
  if (!existsSync(tasks)) throw new Error(`the process ${pid} ended while it was measured`)
  return readdirSync(tasks).reduce((sum, task) => {
    const [onCore] = readFileSync(`${tasks}/${task}/schedstat`, 'utf8').split(' ')
    return sum + Number(onCore) / 1e6
  }, 0)
}

const LOOK_MS = 300
const IDLE_SHARE = 0.15
const TIMEOUT_MS = 60_000

/**
 * Waits until processes have finished the work left over from a load, so that it does not affect the next measurement.
 */
export async function untilIdle(pids: readonly number[]): Promise<void> {
  const giveUpAt = performance.now() + TIMEOUT_MS
  const used = () => pids.reduce((sum, pid) => sum + cpuMs(pid), 0)
  for (;;) {
    const [before, from] = [used(), performance.now()]
    await setTimeout(LOOK_MS)
    if ((used() - before) / (performance.now() - from) < IDLE_SHARE) return
    if (performance.now() > giveUpAt) throw new Error(`the processes are still busy after ${TIMEOUT_MS / 1000} s`)
  }
}

/** Sends a message to one of our programs and resolves with its reply. */
export function ask<Answer>(child: ChildProcess, question: object): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null) => reject(new Error(`${child.spawnargs.at(1)} exited with ${code}`))
    child.once('exit', gone)
    child.once('message', (answer) => {
      child.off('exit', gone)
      resolve(answer as Answer)
    })
    child.send(question)
  })
}
