import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand } from './run-command.ts'

export interface SystemProgram {
  name: string
  debianPackage: string
  /** Where it is, as a pattern, when it is a library, or a program that is looked for in one place and not on the path. */
  place?: string
}

/** What the browser tests run in. */
export const CHROMIUM: SystemProgram = { name: 'chromium', debianPackage: 'chromium', place: '/usr/bin/chromium' }

/** Programs of the system that some suites test against. Such a suite skips itself where its program is missing. */
const SYSTEM_PROGRAMS: readonly SystemProgram[] = [
  { name: 'mosquitto', debianPackage: 'mosquitto' },
  { name: 'mbpoll', debianPackage: 'mbpoll' },
  { name: 'curl', debianPackage: 'curl' },
  { name: 'openssl', debianPackage: 'openssl' },
  { name: 'zip', debianPackage: 'zip' },
  { name: 'unzip', debianPackage: 'unzip' },
  { name: '7z', debianPackage: 'p7zip-full' },
  { name: 'bsdtar', debianPackage: 'libarchive-tools' },
  { name: 'jar', debianPackage: 'openjdk-17-jdk-headless' },
  { name: 'python3', debianPackage: 'python3' },
  ...['pymodbus', 'serial', 'serial_asyncio'].map((name) => ({
    name: `python3 with ${name}`,
    debianPackage: `python3-${name.replace('_', '-')}`,
    place: `/usr/lib/python3/dist-packages/${name}/__init__.py`,
  })),
  CHROMIUM,
  { name: 'libfaketime', debianPackage: 'libfaketime', place: '/usr/lib/*/faketime/libfaketime.so.1' },
]

/** Installs what is missing where that can be done without asking. Returns what is missing still. */
export async function bringSystemPrograms(signal: AbortSignal): Promise<readonly SystemProgram[]> {
  const missing = missingOf(SYSTEM_PROGRAMS)
  if (missing.length === 0 || process.getuid?.() !== 0 || missingOf([APT_GET]).length > 0) return missing

  const packages = missing.map((program) => program.debianPackage)
  console.log(`installing ${packages.join(', ')} (Debian packages that the tests use) ...`)
  const run = (...args: string[]) => runCommand(['apt-get', ...args], { cwd: '/', signal, env: QUIETLY })
  await run('update')
  const { code, output } = await run(...WAIT_FOR_LOCK, 'install', '-y', '--no-install-recommends', ...packages)
  if (code !== 0 && !signal.aborted) console.error(`${output.trimEnd()}\napt-get could not install them`)
  return missingOf(missing)
}

const APT_GET: SystemProgram = { name: 'apt-get', debianPackage: 'apt' }
const WAIT_FOR_LOCK = ['-o', 'DPkg::Lock::Timeout=120']

// The last two keep the packages from starting services: a broker that nobody asked for would take our port.
const QUIETLY = { DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1', RUNLEVEL: '1' }

/** Those that this machine does not have. */
export function missingOf(programs: readonly SystemProgram[], path = process.env.PATH ?? ''): readonly SystemProgram[] {
  // Debian puts servers into a folder that is on the path of root only.
  const folders = [...path.split(delimiter), '/usr/sbin']
  return programs.filter(({ name, place }) =>
    place === undefined
      ? !folders.some((folder) => isThere(join(folder, name), constants.X_OK))
      : !globSync(place).some((file) => isThere(file, constants.R_OK)),
  )
}

function isThere(file: string, mode: number): boolean {
  try {
    accessSync(file, mode)
    return true
  } catch {
    return false
  }
}
