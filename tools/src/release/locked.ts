/** A package in a lockfile of npm. */
export interface Locked {
  version?: string | undefined
  integrity?: string
  license?: string
  link?: boolean
  resolved?: string
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
  dependencies?: Record<string, string> | undefined
  optionalDependencies?: Record<string, string> | undefined
  peerDependencies?: Record<string, string>
}

/** The packages of a lockfile by their places below its folder. */
export type LockedPackages = Readonly<Record<string, Locked>>

export interface Lockfile {
  version: string
  packages: LockedPackages
}

/** Returns the places of all packages that these need at run time. */
export function installedBy(packages: LockedPackages, from: readonly string[]): Set<string> {
  const found = new Set<string>()
  const left = [...from]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
    for (const name of Object.keys({ ...peerDependencies, ...dependencies, ...optionalDependencies })) {
      const place = placeOf(packages, name, path)
      // A peer or an optional dependency may be absent.
      if (place !== undefined) left.push(place)
    }
  }
  return found
}

/** Looks for a package as Node does: beside the one that needs it, then in each folder above. */
function placeOf(packages: LockedPackages, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const locked = packages[place]
    if (locked) return locked.link ? locked.resolved : place
    if (folder === '') return undefined
  }
}

/** The name of the package at a place. */
export const nameAt = (place: string): string =>
  place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)

/**
 * Returns the lockfile of a package that depends on some packages of a larger lockfile, with the same versions and hashes.
 * Its text is what `npm ci` reads.
 */
export function lockfileOf(lockfile: string, wanted: Locked & { name: string }): string {
  const { packages }: Lockfile = JSON.parse(lockfile)
  const { name, version, dependencies, optionalDependencies } = wanted
  for (const [needed, asked] of Object.entries({ ...dependencies, ...optionalDependencies })) {
    const locked = packages[`node_modules/${needed}`]?.version
    if (locked === asked) continue
    const found = locked === undefined ? `no ${needed}` : `${needed} ${locked}, not ${asked}`
    throw new Error(`package-lock.json has ${found}: run "node tools/src/relock.ts"`)
  }
  const root = { name, version, dependencies, optionalDependencies }
  const places = installedBy({ ...packages, '': root }, [''])
  const kept = Object.entries(packages).filter(([place]) => place !== '' && places.has(place))
  return `${JSON.stringify({ name, version, lockfileVersion: 3, requires: true, packages: { '': root, ...Object.fromEntries(kept) } }, null, 2)}\n`
}
