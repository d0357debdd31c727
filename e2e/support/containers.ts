import { mkdirSync } from 'node:fs'
import { arch } from 'node:os'
import { join } from 'node:path'
import { run } from './run.ts'

/** The architecture of this machine, as images name it. */
export const ARCHITECTURE = arch() === 'x64' ? 'amd64' : 'arm64'

/** As strict as `deploy/compose`: no rights, and nothing to write to but the volume and /tmp. */
const STRICT = ['--read-only', '--tmpfs=/tmp', '--cap-drop=ALL', '--security-opt=no-new-privileges']
/** The network of the machine. The limits are below those that a test machine may have for itself. */
const HERE = ['--network=host', '--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096']

export interface Containers extends AsyncDisposable {
  load(archive: string): Promise<void>
  /** Starts a container and leaves it running. */
  start(name: string, image: string, options: readonly string[], ...command: string[]): Promise<void>
  podman(...args: string[]): Promise<string>
}

/** Containers of podman with a store of their own below a folder. The images and containers of the machine stay as they are. */
export function containersIn(folder: string): Containers {
  for (const name of ['store', 'run']) mkdirSync(join(folder, name))
  const store = [`--root=${join(folder, 'store')}`, `--runroot=${join(folder, 'run')}`, '--storage-driver=vfs']
  const how = [...store, '--cgroup-manager=cgroupfs', '--runtime=runc', '--events-backend=none']
  const podman = async (...args: string[]) => {
    const { code, stdout, stderr } = await run('podman', [...how, ...args])
    if (code !== 0) throw new Error(`podman ${args.join(' ')}: ${stderr}`)
    return stdout
  }
  return {
    podman,
    load: async (archive) => void (await podman('load', '--quiet', '--input', archive)),
    async start(name, image, options, ...command) {
      await podman('run', '--detach', `--name=${name}`, ...HERE, ...STRICT, ...options, image, ...command)
    },
    async [Symbol.asyncDispose]() {
      const names = (await podman('ps', '--all', '--sort=created', '--format={{.Names}}')).split('\n').filter(Boolean)
      for (const name of names.toReversed()) await podman('rm', '--force', '--time=0', name)
      await podman('system', 'prune', '--all', '--force', '--volumes')
    },
  }
}
