import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runCommand } from './run-command.ts'

export interface SystemProgram {
  name: string
  debianPackage: string
}

/** Programs of the system that some suites test against. Such a suite skips itself where its program is missing. */
const SYSTEM_PROGRAMS: readonly SystemProgram[] = [
  { name: 'mosquitto', debianPackage: 'mosquitto' },
  { name: 'mbpoll', debianPackage: 'mbpoll' },
  { name: 'openssl', debianPackage: 'openssl' },
]

/** Installs what is missing where that can be done without asking. Returns what is missing still. */
export async function bringSystemPrograms(signal: AbortSignal): Promise<readonly SystemProgram[]> {
  const missing = SYSTEM_PROGRAMS.filter((program) => !isInstalled(program.name))
  if (missing.length === 0 || process.getuid?.() !== 0 || !isInstalled('apt-get')) return missing

  const packages = missing.map((program) => program.debianPackage)
  console.log(`installing ${packages.join(', ')} (Debian packages that the tests use) ...`)
  const run = (...args: string[]) => runCommand(['apt-get', ...args], { cwd: '/', signal, env: QUIETLY })
  await run('update')
  const { code, output } = await run(...WAIT_FOR_LOCK, 'install', '-y', '--no-install-recommends', ...packages)
  if (code !== 0 && !signal.aborted) console.error(`${output.trimEnd()}\napt-get could not install them`)
  return missing.filter((program) => !isInstalled(program.name))
}

const WAIT_FOR_LOCK = ['-o', 'DPkg::Lock::Timeout=120']

// The last two keep the packages from starting services: a broker that nobody asked for would take our port.
const QUIETLY = { DEBIAN_FRONTEND: 'noninteractive', SYSTEMD_OFFLINE: '1', RUNLEVEL: '1' }

function isInstalled(name: string): boolean {
  // Debian puts servers into a folder that is on the path of root only.
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
