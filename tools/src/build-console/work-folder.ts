import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const WORK_FOLDER = '.building-'

/** The folder in which this process builds what goes into `folder`. */
export const workFolderIn = (folder: string) => join(folder, `${WORK_FOLDER}${process.pid}`)

/** Removes the work folders of builds that were killed. */
export function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = name.startsWith(WORK_FOLDER) ? Number(name.slice(WORK_FOLDER.length)) : undefined
    if (pid !== undefined && !isRunning(pid)) rmSync(join(folder, name), { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  // The process that had our id before has ended.
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
