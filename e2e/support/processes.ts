import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { isRunning } from '@plantroom/testkit/child-program'
import { eventually } from './eventually.ts'

/** Finds the processes that use a folder: in their command line, environment or working directory. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => pid !== process.pid && isRunning(pid) && traces(pid).some((trace) => trace.includes(folder)))
}

/** Kills the processes that a failed test, or one that kills parents, left on its folder. */
export async function endProcessesOf(folder: string): Promise<void> {
  for (const pid of processesOf(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended meanwhile.
    }
  }
  await eventually(() => {
    if (processesOf(folder).length > 0) throw new Error(`processes of ${folder} are still running after SIGKILL`)
  })
}

function traces(pid: number): string[] {
  const from = [
    () => readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
    () => readFileSync(`/proc/${pid}/environ`, 'utf8'),
    () => readlinkSync(`/proc/${pid}/cwd`),
  ]
  return from.map((read) => {
    try {
      return read()
    } catch {
      return ''
    }
  })
}
