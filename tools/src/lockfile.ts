import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Lockfile {
  packages: Record<string, LockedPackage>
}

interface LockedPackage {
  resolved?: string
  link?: boolean
  deprecated?: string
  integrity?: string
  optional?: boolean
  os?: readonly string[]
  cpu?: readonly string[]
  libc?: readonly string[]
}

export interface Manifest {
  name?: string
  version?: string
  workspaces?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/

/** Lists the problems of the lockfiles and manifests of a checkout, one line each, with the file and the package. */
export function lockfileProblems(root: string): string[] {
  const read = <T>(path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as T
  const patterns = read<Manifest>('package.json').workspaces ?? []
  const paths = globSync(
    patterns.map((pattern) => `${pattern}/package.json`),
    { cwd: root },
  )
  const manifests = ['package.json', 'runtime/package.json', ...paths.sort()].map(
    (path) => [path, read<Manifest>(path)] as const,
  )
  const ours = new Map(manifests.map(([, manifest]) => [manifest.name ?? '', manifest.version ?? '']))
  return [
    ...['package-lock.json', 'runtime/package-lock.json'].flatMap((path) => problemsIn(path, read<Lockfile>(path))),
    ...manifests.flatMap(([path, manifest]) => looseVersions(path, manifest, ours)),
  ]
}

/** Lists entries that a supported machine could not install, and deprecated ones. */
export function problemsIn(path: string, lockfile: Lockfile): string[] {
  return Object.entries(lockfile.packages).flatMap(([folder, entry]) => {
    const problems: string[] = []
    if (entry.resolved && !entry.link)
      problems.push(`${path}: ${folder} is bound to ${entry.resolved}; recreate the file with tools/src/relock.ts`)
    if (entry.deprecated) problems.push(`${path}: ${folder} is deprecated: ${entry.deprecated}`)
    if (runsHere(entry) && entry.integrity === undefined) {
      problems.push(
        `${path}: ${folder} has no hash, so npm skips it; choose a version that is published for x64 and arm64`,
      )
    } else if (entry.integrity === undefined && isInstalled(folder, entry)) {
      problems.push(`${path}: ${folder} has no hash, so npm installs whatever it gets; run tools/src/relock.ts`)
    }
    return problems
  })
}

/** Reports whether a supported machine installs an entry: not our own folders, nor optional binaries of other platforms. */
function isInstalled(folder: string, { link, optional, os, cpu, libc }: LockedPackage): boolean {
  const isOfOtherPlatform = optional === true && (os ?? cpu ?? libc) !== undefined
  return folder.includes('node_modules/') && link !== true && !isOfOtherPlatform
}

/** Reports whether an entry is the binary of a platform that we support: Linux with glibc, on x64 or arm64. */
function runsHere({ os, cpu, libc }: LockedPackage): boolean {
  const isOurs = os?.includes('linux') && (cpu?.includes('x64') || cpu?.includes('arm64'))
  return isOurs === true && !(libc?.includes('musl') ?? false)
}

/** Lists dependencies without an exact version. One of `ours` (name to version) must have the version of its manifest. */
export function looseVersions(path: string, manifest: Manifest, ours: ReadonlyMap<string, string>): string[] {
  const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  return Object.entries(all).flatMap(([name, version]) => {
    const own = ours.get(name)
    if (own !== undefined) return version === own ? [] : [`${path}: ${name} must be ${own}, not ${version}`]
    return EXACT.test(version) ? [] : [`${path}: ${name} needs an exact version, not ${version}`]
  })
}
