import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** Folders whose files go into the console. */
const SOURCES = ['packages/web', 'packages/client', 'packages/contract']
/** The help has its own build. */
const HELP = 'packages/web/src/help/'
const STAMP = '.built-from'

/** Returns a hash of the console's sources, the lockfile and the build code. */
export function stampOfSources(root: string): string {
  const ownSources = globSync('*.ts', { cwd: import.meta.dirname }).map((name) => join(import.meta.dirname, name))
  return hashOf(root, [
    'package-lock.json',
    ...SOURCES.flatMap((folder) => sourcesBelow(root, folder)).filter((path) => !path.startsWith(HELP)),
    ...ownSources.filter((path) => !isTest(path)).map((path) => relative(root, path)),
  ])
}

/** Returns a hash of files below a root: of their names and contents. */
export function hashOf(root: string, paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths.toSorted()) {
    const content = readFileSync(join(root, path))
    // With its length, so that a line moved to the next file changes the hash.
    hash.update(`${path} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** Returns the files of a folder that go into a build, without tests, as paths below the root. */
export const sourcesBelow = (root: string, folder: string): string[] =>
  filesBelow(join(root, folder)).map((path) => relative(root, path))

/** Returns the stamp of the build in a folder; `undefined` when there is none, or only a part. */
export function stampOfBuild(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, STAMP), 'utf8')
  } catch {
    return undefined
  }
}

/** The stamp's path in a build. It is written last, because it says that the build is complete. */
export const stampPath = (folder: string) => join(folder, STAMP)

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // Builds, finished or not, are made from the other files.
    if (entry.isDirectory()) return /^(node_modules|dist|\..*)$/.test(entry.name) ? [] : filesBelow(path)
    return entry.isFile() && !isTest(path) ? [path] : []
  })
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path)
