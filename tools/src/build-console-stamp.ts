import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** What the console is made of. */
const SOURCES = ['packages/web', 'packages/client', 'packages/contract']
const STAMP = '.built-from'

/** Changes with the sources of the console, with what is installed to build it, and with how it is built. */
export function stampOfSources(root: string): string {
  const ownSources = globSync('build-console*.ts', { cwd: import.meta.dirname }).map((name) =>
    join(import.meta.dirname, name),
  )
  const files = [
    join(root, 'package-lock.json'),
    ...SOURCES.flatMap((folder) => filesBelow(join(root, folder))),
    ...ownSources.filter((path) => !isTest(path)),
  ]
  const hash = createHash('sha256')
  for (const path of files.sort()) {
    const content = readFileSync(path)
    // Its length, so that what one file loses at its end is not what the next one gains.
    hash.update(`${relative(root, path)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** The stamp of what was built into a folder; `undefined` when nothing was, or not to the end. */
export function stampOfBuild(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, STAMP), 'utf8')
  } catch {
    return undefined
  }
}

/** Where the stamp of a build goes: last of all, as it says that the rest is there. */
export const stampPath = (folder: string) => join(folder, STAMP)

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    // What is built, and what was being built, is made of the others.
    if (entry.isDirectory()) return /^(node_modules|dist|\..*)$/.test(entry.name) ? [] : filesBelow(path)
    return entry.isFile() && !isTest(path) ? [path] : []
  })
}

const isTest = (path: string) => /\.test\.tsx?$/.test(path)
