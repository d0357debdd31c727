import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '@plantroom/base/log'
import { type Binaries, findBinaries } from './binaries.ts'
import { openFolder } from './folders.ts'
import { keptBinaries } from './layout.ts'
import { messageOf } from './unavailable.ts'

/** What a server needs to run, of all that the package contains. */
const NEEDED = ['package.json', 'native/pg-symlinks.json', 'native/bin/postgres', 'native/lib', 'native/share']

/**
 * Copies the programs of the server beside its data. After an update to another major version, the package has only the new
 * ones, and only the old ones can read the data. Never rejects: the server works without.
 */
export async function keepBinaries(folder: string, log: Log): Promise<void> {
  try {
    const layout = await openFolder(folder)
    const binaries = findBinaries()
    const target = keptBinaries(layout, binaries.majorVersion)
    if (versionIn(target) === versionIn(binaries.packageFolder)) return
    await copyBinaries(binaries, target)
    await removeUnused(layout.folder, binaries.majorVersion)
  } catch (error) {
    log.warn(`the programs of the database server could not be kept beside its data (${messageOf(error)})`)
  }
}

/** Copies them completely or not at all. */
export async function copyBinaries(binaries: Pick<Binaries, 'packageFolder'>, target: string): Promise<void> {
  const fresh = `${target}.new`
  await rm(fresh, { recursive: true, force: true })
  // The server may run as another user.
  await mkdir(join(fresh, 'native/bin'), { recursive: true, mode: 0o755 })
  for (const path of NEEDED) {
    await cp(join(binaries.packageFolder, path), join(fresh, path), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !source.endsWith('.a'),
    })
  }
  await rm(target, { recursive: true, force: true })
  await rename(fresh, target)
}

function versionIn(folder: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

/** Removes programs of older versions, unless their data are still there. */
async function removeUnused(folder: string, majorVersion: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const version = /^server-(\d+)$/.exec(name)?.[1]
    if (version === undefined || version === majorVersion || existsSync(join(folder, `data-${version}`))) continue
    await rm(join(folder, name), { recursive: true, force: true })
  }
}
