import { execFile, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Machine, missingForDebian, OWN, runShell } from './debian.ts'
import { eventually } from './eventually.ts'

const execute = promisify(execFile)
const RELEASE = 'bookworm'
const KEPT = `/var/tmp/plantroom-debian-${RELEASE}-${OWN}-systemd.tar`
const MOST_OUTPUT = 64e6

/** Mounts what systemd expects in a container, makes the folder the root, and becomes systemd. */
const BOOT = `
cd "$1"
mount --make-rprivate /
mount --bind . .
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do touch dev/$name; mount --bind /dev/$name dev/$name; done
mkdir -p dev/shm dev/pts before
mount -t tmpfs -o mode=1777 tmpfs dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
pivot_root . before
umount -l /before
exec env -i container=test PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --show-status=0
`

/** Names what this machine lacks to start systemd in a folder; undefined if it lacks nothing. */
export function missingForSystemd(): string | undefined {
  return missingForDebian() ?? (cgroupFolder() === undefined ? 'cgroup2' : undefined)
}

const cgroupFolder = () => /^\S+ (\S+) cgroup2 /m.exec(readFileSync('/proc/mounts', 'utf8'))?.[1]

/** Starts a clean Debian with a systemd of its own, on the network of this machine. It ends with this process. */
export async function bootDebian(): Promise<Machine> {
  await using cleanup = new AsyncDisposableStack()
  const path = mkdtempSync(join(tmpdir(), 'plantroom-systemd-'))
  cleanup.defer(() => rmSync(path, { recursive: true, force: true }))
  if (existsSync(KEPT)) await execute('tar', ['-xf', KEPT, '-C', path])
  else {
    const how = [`--arch=${OWN}`, '--variant=minbase', '--include=systemd,systemd-sysv,dbus']
    await execute('debootstrap', [...how, RELEASE, path], { maxBuffer: MOST_OUTPUT })
    await execute('tar', ['-cf', KEPT, '-C', path, '.'])
  }
  // Other users than root have to pass.
  chmodSync(path, 0o755)
  const group = join(cgroupFolder() ?? '', `plantroom-systemd-${process.pid}`)
  mkdirSync(group)
  cleanup.defer(() => eventually(() => removeGroup(group)))
  const spaces = ['--pid', '--fork', '--kill-child', '--mount', '--uts', '--ipc', '--cgroup']
  const start = 'echo $$ >"$1"/cgroup.procs && shift && exec unshare "$@"'
  const args = ['-euc', start, 'sh', group, ...spaces, 'sh', '-euc', BOOT, 'sh', path]
  const outer = spawn('sh', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  cleanup.defer(() => void spawnSync('kill', ['-KILL', String(outer.pid)]))
  const init = await eventually(() => {
    const [pid] = readFileSync(`/proc/${outer.pid}/task/${outer.pid}/children`, 'utf8').trim().split(' ')
    if (!pid || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('systemd'))
      throw new Error('systemd has not started')
    return pid
  })

  const inside = ['nsenter', '-t', init, '--mount', '--pid', '--uts', '--ipc', '--cgroup', '--wd=/', 'sh', '-euc']
  const run: Machine['run'] = (command, env = {}) => runShell(inside, command, env)
  // `degraded`, because there is no console.
  await eventually(async () => {
    const state = await run('systemctl is-system-running || true')
    if (!/running|degraded/.test(state)) throw new Error(`systemd is ${state}`)
  })
  const parts = cleanup.move()
  return { path, run, [Symbol.asyncDispose]: () => parts.disposeAsync() }
}

/** Removes a group with the groups in it. Throws while a process is in one of them. */
function removeGroup(folder: string): void {
  for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()))
    removeGroup(join(folder, name))
  rmdirSync(folder)
}
