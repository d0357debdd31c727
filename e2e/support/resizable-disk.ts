import { mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { ownFolder } from './folder.ts'
import { run } from './run.ts'

const ROOMY = 512 * 1024 * 1024

/** A temporary disk in memory. Disposing it removes it, even while it is in use. */
export interface ResizableDisk extends AsyncDisposable {
  readonly path: string
  /** Leaves space for this many bytes more, rounded up to a page. */
  leave(bytes: number): Promise<void>
  /** Leaves plenty of space. */
  grow(): Promise<void>
}

/** Needs `MAY_MOUNT` of `small-disk.ts`. */
export async function resizableDisk(): Promise<ResizableDisk> {
  await using cleanup = new AsyncDisposableStack()
  const path = join(cleanup.use(ownFolder()).path, 'disk')
  mkdirSync(path)
  await must('mount', '-t', 'tmpfs', '-o', `size=${ROOMY}`, 'tmpfs', path)
  cleanup.defer(async () => void (await must('umount', '--lazy', path)))
  const resize = (bytes: number) => must('mount', '-o', `remount,size=${bytes}`, path)
  const kept = cleanup.move()
  return {
    path,
    async leave(bytes) {
      const { blocks, bfree, bsize } = statfsSync(path)
      await resize((blocks - bfree) * bsize + bytes)
    },
    grow: () => resize(ROOMY),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function must(program: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await run(program, args)
  if (code !== 0) throw new Error(`${program}: ${stderr}`)
}
