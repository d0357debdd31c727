import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compressFiles, firstLoad, swapIn } from './build-console-output.ts'
import { stampOfBuild, stampOfSources, stampPath } from './build-console-stamp.ts'

/** On a phone, at the edge of what its network brings in a second or two. */
const FIRST_LOAD_LIMIT = 250_000
const WORKSHOP = '.building-'

export interface BuiltConsole {
  seconds: number
  /** In bytes, gzipped. */
  firstLoad: number
}

/**
 * Sees to it that `packages/web/dist` is what the sources of the checkout make. Resolves with `undefined` when it was so
 * already. A build that fails, or is killed, leaves what was there before.
 */
export async function bringConsole(root: string, limit = FIRST_LOAD_LIMIT): Promise<BuiltConsole | undefined> {
  const web = join(root, 'packages/web')
  const dist = join(web, 'dist')
  const stamp = stampOfSources(root)
  // Also when nothing is to be built: a build may be killed between its last step and clearing up.
  clearTheDead(web)
  if (stampOfBuild(dist) === stamp) return undefined

  const started = performance.now()
  const workshop = join(web, `${WORKSHOP}${process.pid}`)
  const fresh = join(workshop, 'fresh')
  mkdirSync(workshop)
  try {
    await build(web, fresh)
    await compressFiles(join(fresh, 'assets'))
    const bytes = firstLoad(fresh)
    if (bytes > limit) {
      throw new Error(
        `the first load of the console is ${inKilobytes(bytes)} of script, gzipped, and may be ${inKilobytes(limit)}: ` +
          'load what is not seen at first when it is needed',
      )
    }
    writeFileSync(stampPath(fresh), stamp)
    swapIn(fresh, dist, join(workshop, 'old'))
    return { seconds: (performance.now() - started) / 1000, firstLoad: bytes }
  } finally {
    rmSync(workshop, { recursive: true, force: true })
  }
}

export const inKilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

async function build(web: string, outDir: string): Promise<void> {
  // Only now: most starts find the console as it should be, and need not wait for it to be loaded.
  const vite = await import('vite')
  const environment = process.env.NODE_ENV
  // Whatever it says: a console for development weighs half as much again, and is slow.
  process.env.NODE_ENV = 'production'
  try {
    await vite.build({
      root: web,
      mode: 'production',
      logLevel: 'warn',
      build: {
        outDir,
        emptyOutDir: true,
        manifest: true,
        // What is too large is our own to say, and a machine that is busy is no fault of the console.
        reportCompressedSize: false,
        chunkSizeWarningLimit: 1000,
        rolldownOptions: { checks: { bundlerTimings: false, pluginTimings: false } },
      },
    })
  } finally {
    if (environment === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = environment
  }
}

/** What builds that were killed have left. */
function clearTheDead(web: string): void {
  for (const name of readdirSync(web)) {
    const pid = name.startsWith(WORKSHOP) ? Number(name.slice(WORKSHOP.length)) : undefined
    if (pid !== undefined && !isAlive(pid)) rmSync(join(web, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  // Our own number: one who had it before us is dead.
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
