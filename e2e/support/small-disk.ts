import { closeSync, existsSync, mkdirSync, openSync, rmSync, truncateSync, writeFileSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ownFolder } from './folder.ts'
import { run } from './run.ts'

const MKFS = '/sbin/mkfs.ext4'

/** Root may as a rule, but not in every container. */
export const MAY_MOUNT = process.getuid?.() === 0 && (await canMount())
export const MAY_MOUNT_FILES =
  MAY_MOUNT && [MKFS, '/dev/loop-control', '/sys/fs/ext4'].every((path) => existsSync(path))

/** A disk of the test's own. Disposed, it is gone, whoever still uses it. */
interface Disk extends AsyncDisposable {
  readonly path: string
}

/** In memory, with room for 16 MiB. */
export interface SmallDisk extends Disk {
  /** Takes all the space that is left. Again, it takes what has become free meanwhile. */
  fill(): void
  /** Gives back what `fill` took. */
  free(): void
}

/** A file system in a file, which the kernel turns read-only when it finds an error: also for files that are open. */
export interface FailingDisk extends Disk {
  fail(): void
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
  // Whatever happens, no disk of the machine.
  if (!/^loop\d+$/.test(device)) throw new Error(`${path} is on ${device}, which is no file`)
  const kept = cleanup.move()
  return {
    path,
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
    // The last bytes too: in ever smaller pieces until not one fits.
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

/** In a namespace of its own, so that nothing is left of it. */
async function canMount(): Promise<boolean> {
  const { code } = await run('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).catch(() => ({ code: 1 }))
  return code === 0
}

async function must(program: string, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(program, args)
  if (code !== 0) throw new Error(`${program}: ${stderr}`)
  return stdout
}
