import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installedBy, type Locked, type LockedPackages, nameAt, placeOf } from '../locked-packages.ts'
import { run } from '../run.ts'

/** A processor as npm calls it. */
export type Cpu = 'x64' | 'arm64'

/**
 * Returns the places of the packages that `names` need on Linux with this processor. `names` says which package of ours
 * needs each.
 */
export function placesFor(packages: LockedPackages, names: Readonly<Record<string, string>>, cpu: Cpu): string[] {
  const roots = Object.entries(names).map(([name, from]) => {
    const place = placeOf(packages, name, `packages/${from}`)
    if (place === undefined) throw new Error(`package-lock.json has no ${name}: run node tools/src/relock.ts`)
    return place
  })
  const places = [...installedBy(packages, roots)].filter((place) => runsOn(packages[place] ?? {}, cpu)).toSorted()
  const ours = places.find((place) => !place.startsWith('node_modules/'))
  if (ours !== undefined) throw new Error(`${ours} is not in the node_modules of the checkout`)
  return places
}

function runsOn({ os, cpu, libc }: Locked, wanted: Cpu): boolean {
  const allows = (list: string | string[] | undefined, name: string) =>
    list === undefined || [list].flat().includes(name)
  return allows(os, 'linux') && allows(cpu, wanted) && allows(libc, 'glibc')
}

/**
 * Copies a locked package of `root` into a new folder. Takes it from the checkout if it is installed there. The packages
 * of another processor come from the registry, and must have the checksum that the lockfile names.
 */
export async function copyLocked(
  root: string,
  lockfile: LockedPackages,
  place: string,
  target: string,
  fetch = npmPack,
): Promise<void> {
  mkdirSync(dirname(target), { recursive: true })
  const installed = join(root, place)
  if (existsSync(installed)) {
    // Packages below it have places of their own.
    const below = join(installed, 'node_modules')
    cpSync(installed, target, { recursive: true, dereference: true, filter: (path) => path !== below })
    return
  }
  const folder = mkdtempSync(`${target}.fetching-`)
  try {
    const archive = await fetchLocked(nameAt(place), lockfile[place] ?? {}, folder, fetch)
    mkdirSync(target)
    await run(['tar', '-xzf', archive, '--strip-components=1', '-C', target], folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Fetches a package from the registry into a folder, and returns the path of its archive. */
async function npmPack(wanted: string, folder: string): Promise<string> {
  const printed = await run(['npm', 'pack', '--silent', wanted, '--pack-destination', folder], folder)
  return join(folder, printed.trim().split('\n').at(-1) ?? '')
}

async function fetchLocked(
  name: string,
  { version, integrity }: Locked,
  folder: string,
  fetch: typeof npmPack,
): Promise<string> {
  if (integrity === undefined)
    throw new Error(`the lockfile has no checksum of ${name}: relock with a complete registry`)
  const archive = await fetch(`${name}@${version}`, folder)
  const [algorithm = '', wanted = ''] = integrity.split('-')
  const found = createHash(algorithm).update(readFileSync(archive)).digest('base64')
  if (found !== wanted) {
    throw new Error(`${name}@${version} is not what the lockfile names (${algorithm} ${found}): do not use it`)
  }
  return archive
}
