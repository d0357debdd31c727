import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { isRunning } from '@plantroom/testkit/child-program'
import { eventually } from './eventually.ts'

/** Every process that has to do with a folder: by its command line, its settings or where it works. */
export function processesOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number)
    .filter((pid) => pid !== process.pid && isRunning(pid) && traces(pid).some((trace) => trace.includes(folder)))
}

/** Ends at once what a failed test, or one that kills parents, has left on its own folder. */
export async function endProcessesOf(folder: string): Promise<void> {
  for (const pid of processesOf(folder)) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It ended by itself in between.
    }
  }
  await eventually(() => {
    if (processesOf(folder).length > 0) throw new Error(`processes of ${folder} do not end`)
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
