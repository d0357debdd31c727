import { installedBy, type Locked, type Lockfile } from './locked-packages.ts'

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
