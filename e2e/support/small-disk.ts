import { closeSync, existsSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ownFolder } from './folder.ts'
import { run } from './run.ts'

const MKFS = '/sbin/mkfs.ext4'

/** Root may mount, except in some containers. */
export const MAY_MOUNT = process.getuid?.() === 0 && (await canMount())
export const MAY_MOUNT_FILES =
  MAY_MOUNT && [MKFS, '/dev/loop-control', '/sys/fs/ext4'].every((path) => existsSync(path))

/** A temporary disk. Disposing it removes it, even while it is in use. */
interface Disk extends AsyncDisposable {
  readonly path: string
}

/** A disk in memory with 16 MiB of space. */
export interface SmallDisk extends Disk {
  /** Fills all free space. Called again, it fills the space that became free meanwhile. */
  fill(): void
  /** Frees the space that `fill` took. */
  free(): void
}

/** A file system in a file, which the kernel turns read-only on an error, even for open files. */
export interface FailingDisk extends Disk {
  fail(): void
  /** Makes every write wait until `thaw`. Reads go on. */
  freeze(): Promise<void>
  /** Safe to call again. */
  thaw(): Promise<void>
}

export async function smallDisk(): Promise<SmallDisk> {
  await using cleanup = new AsyncDisposableStack()
  const path = await mounted(cleanup, ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs'])
  const ballast = join(path, 'ballast')
  const kept = cleanup.move()
  return {
    path,
    fill: () => fill(ballast),
    free: () => rmSync(ballast, { force: true }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

export async function failingDisk(): Promise<FailingDisk> {
  await using cleanup = new AsyncDisposableStack()
  const image = join(cleanup.use(ownFolder()).path, 'image')
  writeFileSync(image, '')
  truncateSync(image, 32 * 1024 * 1024)
  await must(MKFS, '-q', '-F', image)
  const path = await mounted(cleanup, ['-o', 'loop,errors=remount-ro', image])
  const device = basename((await must('findmnt', '-no', 'SOURCE', path)).trim())
  // Never touch a disk of the machine.
  if (!/^loop\d+$/.test(device)) throw new Error(`${path} is on ${device}, which is not a loop device`)
  const thaw = async () => void (await run('fsfreeze', ['--unfreeze', path]))
  cleanup.defer(thaw)
  const kept = cleanup.move()
  return {
    path,
    freeze: async () => void (await must('fsfreeze', '--freeze', path)),
    thaw,
    fail: () => writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, 'found by a test'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function mounted(cleanup: AsyncDisposableStack, args: readonly string[]): Promise<string> {
  const path = join(cleanup.use(ownFolder()).path, 'disk')
  mkdirSync(path)
  await must('mount', ...args, path)
  cleanup.defer(async () => void (await must('umount', '--lazy', path)))
  return path
}

function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    // Fill the last bytes in smaller and smaller pieces.
    for (let size = 1024 * 1024; size >= 1; ) size = tryToWrite(file, size) ? size : Math.floor(size / 2)
  } finally {
    closeSync(file)
  }
}

function tryToWrite(file: number, size: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(size, 1)) > 0
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    return false
  }
}

/** Mounts in a separate namespace, so that nothing remains afterwards. */
async function canMount(): Promise<boolean> {
  const { code } = await run('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).catch(() => ({ code: 1 }))
  return code === 0
}

async function must(program: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(program, args)
  if (code !== 0) throw new Error(`${program}: ${stderr}`)
  return stdout
}
