import { accessSync, constants, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand } from './run-command.ts'

export interface SystemProgram {
  name: string
  debianPackage: string
  /** A pattern for the file, for libraries and for programs that are not found through the path. */
  place?: string
}

/** The browser of the browser tests. */
export const CHROMIUM: SystemProgram = {
  name: 'chromium-headless-shell',
  debianPackage: 'chromium-headless-shell',
  place: '/usr/bin/chromium-headless-shell',
}
/** The browser for people, which the tests can use instead. */
export const WHOLE_CHROMIUM: SystemProgram = { name: 'chromium', debianPackage: 'chromium', place: '/usr/bin/chromium' }

/** System programs that some tests need. Those tests skip themselves where their program is missing. */
const SYSTEM_PROGRAMS: readonly SystemProgram[] = [
  { name: 'mosquitto', debianPackage: 'mosquitto' },
  { name: 'nats-server', debianPackage: 'nats-server' },
  { name: 'caddy', debianPackage: 'caddy' },
  { name: 'pgbouncer', debianPackage: 'pgbouncer' },
  { name: 'haproxy', debianPackage: 'haproxy' },
  { name: 'mbpoll', debianPackage: 'mbpoll' },
  { name: 'socat', debianPackage: 'socat' },
  { name: 'tshark', debianPackage: 'tshark' },
  { name: 'curl', debianPackage: 'curl' },
  { name: 'openssl', debianPackage: 'openssl' },
  { name: 'zip', debianPackage: 'zip' },
  { name: 'unzip', debianPackage: 'unzip' },
  { name: '7z', debianPackage: 'p7zip-full' },
  { name: 'age', debianPackage: 'age' },
  { name: 'bsdtar', debianPackage: 'libarchive-tools' },
  { name: 'jar', debianPackage: 'openjdk-17-jdk-headless' },
  { name: 'dpkg-deb', debianPackage: 'dpkg' },
  { name: 'shellcheck', debianPackage: 'shellcheck' },
  { name: 'python3', debianPackage: 'python3' },
  ...['pymodbus', 'serial', 'serial_asyncio'].map((name) => ({
    name: `python3 with ${name}`,
    debianPackage: `python3-${name.replace('_', '-')}`,
    place: `/usr/lib/python3/dist-packages/${name}/__init__.py`,
  })),
  { name: 'cc', debianPackage: 'gcc' },
  { name: 'libmodbus', debianPackage: 'libmodbus-dev', place: '/usr/include/modbus/modbus.h' },
  CHROMIUM,
  { name: 'libfaketime', debianPackage: 'libfaketime', place: '/usr/lib/*/faketime/libfaketime.so.1' },
]

/** Installs missing programs if that needs no password. Returns those that are still missing. */
export async function installSystemPrograms(signal: AbortSignal): Promise<readonly SystemProgram[]> {
  const missing = missingOf(SYSTEM_PROGRAMS)
  if (missing.length === 0 || process.getuid?.() !== 0 || missingOf([APT_GET]).length > 0) return missing

  const packages = missing.map((program) => program.debianPackage)
  console.log(`installing ${packages.join(', ')} (Debian packages for the tests) ...`)
  const run = (...args: string[]) => runCommand(['apt-get', ...args], { cwd: '/', signal, env: QUIETLY })
  await run('update')
  const { code, output } = await run(...WAIT_FOR_LOCK, 'install', '-y', '--no-install-recommends', ...packages)
  if (code !== 0 && !signal.aborted) console.error(`${output.trimEnd()}\napt-get failed: see the lines above`)
  return missingOf(missing)
}

const APT_GET: SystemProgram = { name: 'apt-get', debianPackage: 'apt' }
const WAIT_FOR_LOCK = ['-o', 'DPkg::Lock::Timeout=120']

// The last two keep packages from starting services: the broker's service would occupy our port.
const QUIETLY = { DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1', RUNLEVEL: '1' }

/** Returns the programs that this machine does not have. */
export function missingOf(programs: readonly SystemProgram[], path = process.env.PATH ?? ''): readonly SystemProgram[] {
  // Debian installs servers in a folder that is on root's path only.
  const folders = [...path.split(delimiter), '/usr/sbin']
  return programs.filter(({ name, place }) =>
    place === undefined
      ? !folders.some((folder) => isAccessible(join(folder, name), constants.X_OK))
      : !globSync(place).some((file) => isAccessible(file, constants.R_OK)),
  )
}

function isAccessible(file: string, mode: number): boolean {
  try {
    accessSync(file, mode)
    return true
  } catch {
    return false
  }
}
