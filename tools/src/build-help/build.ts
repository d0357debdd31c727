import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { swapIn } from '../build-console/output.ts'
import { hashOf, sourcesBelow, stampOfBuild, stampPath } from '../build-console/stamp.ts'
import { removeLeftovers, workFolderIn } from '../build-console/work-folder.ts'
import { API_DESCRIPTION, listSources } from './source-files.ts'

/** Where the cloud finds the help. */
export const HELP = 'docs/dist'

/**
 * Builds the help from the documentation into `docs/dist`. Resolves with `undefined` when it is up to date. A build that
 * fails leaves the previous one in place. The same sources give the same bytes.
 */
export async function buildHelp(root: string): Promise<{ pages: number; seconds: number } | undefined> {
  const docs = join(root, 'docs')
  const dist = join(root, HELP)
  const stamp = stampOfHelp(root)
  removeLeftovers(docs)
  if (stampOfBuild(dist) === stamp) return undefined
  const started = performance.now()
  const work = workFolderIn(docs)
  mkdirSync(work)
  try {
    const fresh = join(work, 'fresh')
    // Imported here: most starts find the help up to date and should not wait for its tools to load.
    const { writeSite } = await import('./site.ts')
    const pages = await writeSite(root, fresh)
    writeFileSync(stampPath(fresh), stamp)
    swapIn(fresh, dist, join(work, 'old'))
    return { pages, seconds: (performance.now() - started) / 1000 }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

function stampOfHelp(root: string): string {
  const { pages, images, files } = listSources(root)
  const folders = ['packages/web/src/help', 'tools/src/build-help']
  return hashOf(root, [
    ...[...pages, ...images, ...files],
    ...folders.flatMap((folder) => sourcesBelow(root, folder)),
    ...['package-lock.json', 'packages/web/src/tokens.json', 'packages/contract/src/version.ts', API_DESCRIPTION],
  ])
}
