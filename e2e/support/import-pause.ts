import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/** A file that exists for as long as an import of the site is paused. */
export const pausedFile = (folder: string, siteId: string) => join(folder, 'paused', siteId)

/** An import that the name of its package paused (see `import-crash.ts`). */
export interface PausedImport {
  /** Process id of the child that runs the job. */
  readonly child: number
  /** Process id of its worker. */
  readonly worker: number
  resume(): void
}

/** Resolves when the import of the site has reached the point at which it pauses. */
export async function importPaused(folder: string, siteId: string): Promise<PausedImport> {
  const file = pausedFile(folder, siteId)
  const pids = await eventually(() => JSON.parse(readFileSync(file, 'utf8')) as { child: number; worker: number })
  return { ...pids, resume: () => rmSync(file, { force: true }) }
}
