import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.ts'

export const SUITE = 'bookworm'
/** What Node and PostgreSQL are linked with, a shell for the launcher, and the names of protocols and ports. */
const PACKAGES = ['libc6', 'libstdc++6', 'libgcc-s1', 'busybox-static', 'netbase']
/** Conversions of old character sets, and what only developers read. */
const NOT_NEEDED = [
  '/usr/share/doc/*',
  '/usr/share/man/*',
  '/usr/share/gcc/*',
  '/usr/share/gdb/*',
  '/usr/lib/*/gconv/*',
]
/** What the launcher, the database and health checks call, and what helps a person who looks inside. */
const COMMANDS =
  'cat cp date df dirname du echo env find grep head hostname id kill ls mkdir mv nslookup ping ps readlink rm sed sh sleep tail tar top uname wc wget'
const KEPT_OF_ETC = ['protocols', 'services']
/** Scanners of images read the installed packages here, as they do in other images without a package manager. */
const LIST_PACKAGES =
  'mkdir -p "$1/var/lib/dpkg/status.d" && for deb in "$1"/var/cache/apt/archives/*.deb; do ' +
  'dpkg-deb --field "$deb" > "$1/var/lib/dpkg/status.d/$(dpkg-deb --field "$deb" Package)" || exit 1; done'
const USER = 10_001

const FILES = {
  'etc/passwd': [
    'root:x:0:0:root:/:/bin/sh',
    `plantroom:x:${USER}:${USER}:Plantroom:/var/lib/plantroom:/bin/sh`,
    'nobody:x:65534:65534:nobody:/:/bin/false',
  ],
  'etc/group': ['root:x:0:', `plantroom:x:${USER}:`, 'nogroup:x:65534:'],
  'etc/nsswitch.conf': ['passwd: files', 'group: files', 'hosts: files dns'],
  'etc/os-release': [
    ...['PRETTY_NAME="Debian GNU/Linux 12 (bookworm), reduced"', 'NAME="Debian GNU/Linux"', 'ID=debian'],
    ...['VERSION_ID="12"', `VERSION_CODENAME=${SUITE}`],
  ],
}

/**
 * Unpacks the few packages of Debian that the programs need into a new folder, without a package manager. It runs no
 * program of the packages, so that they may be of another architecture.
 */
export async function writeRoot(folder: string, architecture: string): Promise<void> {
  const without = NOT_NEEDED.map((path) => `--dpkgopt=path-exclude=${path}`)
  const options = [...without, '--dpkgopt=path-include=/usr/share/doc/*/copyright', `--extract-hook=${LIST_PACKAGES}`]
  const all = ['--quiet', '--variant=extract', '--format=directory', `--architectures=${architecture}`, ...options]
  await run(['mmdebstrap', ...all, `--include=${PACKAGES.join(',')}`, SUITE, folder], '.').catch((error: Error) => {
    throw new Error(
      `the packages of Debian for ${architecture} could not be unpacked: ${error.message}; this needs root, mmdebstrap and access to Debian's archive`,
    )
  })
  removeTraces(folder)
  for (const [path, lines] of Object.entries(FILES)) writeFileSync(join(folder, path), `${lines.join('\n')}\n`)
  for (const name of COMMANDS.split(' ')) symlinkSync('busybox', join(folder, 'bin', name))
}

/** A package of Debian in an image. */
export interface DebianPackage {
  name: string
  version: string
  architecture: string
}

/** Lists the packages that a root contains, as scanners do. */
export function packagesIn(folder: string): DebianPackage[] {
  const list = join(folder, 'var/lib/dpkg/status.d')
  return readdirSync(list).map((file) => {
    const text = readFileSync(join(list, file), 'utf8')
    const field = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1] ?? ''
    return { name: field('Package'), version: field('Version'), architecture: field('Architecture') }
  })
}

/** Removes what describes the machine that made the root: its name, its name servers and its sources of packages. */
function removeTraces(folder: string): void {
  const packages = join(folder, 'var/lib/dpkg/status.d')
  if (!existsSync(packages)) throw new Error('mmdebstrap did not list the packages: use version 1.3 or newer')
  const remove = (path: string) => rmSync(join(folder, path), { recursive: true, force: true })
  for (const name of readdirSync(join(folder, 'etc'))) if (!KEPT_OF_ETC.includes(name)) remove(`etc/${name}`)
  for (const name of readdirSync(join(folder, 'var/lib/dpkg'))) if (name !== 'status.d') remove(`var/lib/dpkg/${name}`)
  for (const path of ['dev', 'var/cache', 'var/log', 'var/lib/apt']) remove(path)
  mkdirSync(join(folder, 'usr/bin'), { recursive: true })
}
