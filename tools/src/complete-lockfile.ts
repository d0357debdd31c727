/** The part of a package-lock.json that we read. */
export interface Lockfile {
  packages: Record<string, LockedPackage>
}

interface LockedPackage {
  version?: string
  integrity?: string
  optional?: boolean
  dev?: boolean
  os?: readonly string[]
  cpu?: readonly string[]
  libc?: readonly string[]
  optionalDependencies?: Readonly<Record<string, string>>
}

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const PROCESSORS = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/**
 * Adds the binaries of other platforms that a registry mirror lacks. `npm ci` refuses a lockfile in which an optional
 * dependency is missing, even one that it would not install here. Their hashes come from the previous lockfile, if that
 * was made with a registry that has them: a mirror that lacks a package cannot say its hash.
 */
export function completeLockfile(lockfile: Lockfile, previous: Lockfile): Lockfile {
  const missing: [string, LockedPackage][] = []
  for (const parent of Object.values(lockfile.packages)) {
    for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`
      if (lockfile.packages[path]) continue
      const known = previous.packages[path]
      const integrity = known?.version === version ? known.integrity : undefined
      const entry = { version, ...(integrity !== undefined && { integrity }), ...platformOf(name), optional: true }
      missing.push([path, { ...entry, ...(parent.dev && { dev: true }) }])
    }
  }
  const packages = [...Object.entries(lockfile.packages), ...missing].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return { ...lockfile, packages: Object.fromEntries(packages) }
}

/** Derives the platform of a binary package from its name. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[/-]/)
  const system = SYSTEMS.find((word) => words.includes(word))
  const processor = PROCESSORS.find((word) => words.includes(word))
  const library = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : undefined
  return {
    ...(system && { os: [system] }),
    ...(processor && { cpu: [processor] }),
    ...(system === 'linux' && library && { libc: [library] }),
  }
}
