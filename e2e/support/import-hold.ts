import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/** There for as long as an import of the site is held. */
export const heldFile = (folder: string, siteId: string) => join(folder, 'held', siteId)

/** An import that stands still at the point that the name of its package says. */
export interface Held {
  /** The process of the job. */
  readonly child: number
  readonly worker: number
  letGo(): void
}

/** Resolves when the import of the site has come to its point. */
export async function importHeld(folder: string, siteId: string): Promise<Held> {
  const file = heldFile(folder, siteId)
  const pids = await eventually(() => JSON.parse(readFileSync(file, 'utf8')) as { child: number; worker: number })
  return { ...pids, letGo: () => rmSync(file, { force: true }) }
}
