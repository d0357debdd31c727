import { execFile, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from './environment.ts'
import { eventually } from './eventually.ts'

const execute = promisify(execFile)
const RELEASE = 'bookworm'
const CACHE = '/var/tmp'
const MOST_OUTPUT = 64e6

export type Architecture = 'amd64' | 'arm64'
export const OWN: Architecture = process.arch === 'x64' ? 'amd64' : 'arm64'
export const FOREIGN: Architecture = OWN === 'amd64' ? 'arm64' : 'amd64'
const QEMU = { amd64: 'qemu-x86_64', arm64: 'qemu-aarch64' } as const

/** A Debian in a folder. */
export interface Machine extends AsyncDisposable {
  readonly path: string
  /** Runs a shell command in it as root and returns what it prints. */
  run(command: string, env?: Readonly<Record<string, string>>): Promise<string>
}

/** A clean Debian without systemd, on the network of this machine. Each command has a /proc of its own. */
export interface DebianRoot extends Machine {
  /** Returns the process of a unit, or throws if the unit is not active. */
  pidOf(unit: string): number
  /** Returns the processes that run in it. */
  processes(): number[]
}

/** Names what this machine lacks to make such roots; undefined if it lacks nothing. */
export function missingForDebian(): string | undefined {
  if (process.getuid?.() !== 0) return 'root'
  return ['debootstrap', 'dpkg-deb', 'unshare'].find(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status,
  )
}

/** Makes a root from a copy that the first call keeps for the next ones. */
export async function debianRoot(architecture: Architecture): Promise<DebianRoot> {
  const kept = join(CACHE, `plantroom-debian-${RELEASE}-${architecture}.tar`)
  const path = mkdtempSync(join(tmpdir(), `plantroom-debian-${architecture}-`))
  if (existsSync(kept)) await execute('tar', ['-xf', kept, '-C', path])
  else {
    await execute('debootstrap', [`--arch=${architecture}`, '--variant=minbase', RELEASE, path], {
      maxBuffer: MOST_OUTPUT,
    })
    await execute('tar', ['-cf', kept, '-C', path, '.'])
  }
  mkdirSync(join(path, 'run/systemd/system'), { recursive: true })
  cpSync(join(import.meta.dirname, 'systemctl.sh'), join(path, 'usr/bin/systemctl'))
  chmodSync(join(path, 'usr/bin/systemctl'), 0o755)
  for (const folder of ['dev/shm', 'tmp']) chmodSync(join(path, folder), 0o1777)
  chmodSync(path, 0o755)

  const processes = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && rootOf(name) === path)
      .map(Number)
  return {
    path,
    processes,
    pidOf: (unit) => {
      const pid = Number(readFileSync(join(path, 'run/units', `${unit}.service`), 'utf8'))
      if (!processes().includes(pid)) throw new Error(`${unit} is not active`)
      return pid
    },
    run: (command, env = {}) => runIn(path, command, env),
    async [Symbol.asyncDispose]() {
      for (const pid of processes()) spawnSync('kill', ['-KILL', String(pid)])
      await eventually(() => {
        if (processes().length > 0) throw new Error(`processes of ${path} are still running after SIGKILL`)
      })
      rmSync(path, { recursive: true, force: true })
    },
  }
}

function runIn(path: string, command: string, env: Readonly<Record<string, string>>): Promise<string> {
  const mountAndRun = `mount -t proc proc ${path}/proc && exec chroot ${path} sh -euc "$1"`
  return runShell(['unshare', '--mount', 'sh', '-euc', mountAndRun, 'sh'], command, env)
}

/** Runs a shell command, which is the last argument of `program`, with the environment of root on a clean machine. */
export async function runShell(
  [program = '', ...args]: readonly string[],
  command: string,
  env: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    const { stdout } = await execute(program, [...args, command], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root', DEBIAN_FRONTEND: 'noninteractive', ...env },
      maxBuffer: MOST_OUTPUT,
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${command} failed:\n${stdout}${stderr}`.slice(-6000), { cause: error })
  }
}

function rootOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/root`)
  } catch {
    return ''
  }
}

/** Makes the packages of this checkout, without compression. */
export async function makePackages(
  folder: string,
  version: string,
  architectures: readonly Architecture[],
): Promise<void> {
  const wanted = architectures.flatMap((name) => ['--architecture', name])
  const tool = join(ROOT, 'tools/src/build-debian.ts')
  await execute(process.execPath, [tool, folder, '--fast', '--version', version, ...wanted], { maxBuffer: MOST_OUTPUT })
}

/** Lets the kernel start programs of the other architecture in qemu, until it is disposed of. */
export function foreignPrograms(): Disposable {
  const name = QEMU[FOREIGN]
  const folder = '/proc/sys/fs/binfmt_misc'
  if (!existsSync(join(folder, 'register'))) spawnSync('mount', ['-t', 'binfmt_misc', 'binfmt_misc', folder])
  if (existsSync(join(folder, name))) return { [Symbol.dispose]: () => {} }
  const { status, stderr } = spawnSync('sh', ['-c', `cat /usr/lib/binfmt.d/${name}.conf >${folder}/register`], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`programs of ${FOREIGN} cannot run here: ${stderr}; install qemu-user-static`)
  return { [Symbol.dispose]: () => void spawnSync('sh', ['-c', `echo -1 >${folder}/${name}`]) }
}
