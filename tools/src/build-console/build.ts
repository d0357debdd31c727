import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compressFiles, firstLoad, swapIn } from './output.ts'
import { stampOfBuild, stampOfSources, stampPath } from './stamp.ts'
import { removeLeftovers, workFolderIn } from './work-folder.ts'

/** About the most that a phone's network loads in two seconds. */
const FIRST_LOAD_LIMIT = 250_000

export interface BuiltConsole {
  seconds: number
  /** In bytes, gzipped. */
  firstLoad: number
}

/**
 * Builds `packages/web/dist` from the sources of the checkout. Resolves with `undefined` when the build is up to date. A build
 * that fails or is killed leaves the previous one in place.
 */
export async function buildConsole(root: string, limit = FIRST_LOAD_LIMIT): Promise<BuiltConsole | undefined> {
  const web = join(root, 'packages/web')
  const dist = join(web, 'dist')
  const stamp = stampOfSources(root)
  // Even if the build is up to date: a build can be killed after its last step and before its cleanup.
  removeLeftovers(web)
  if (stampOfBuild(dist) === stamp) return undefined

  const started = performance.now()
  const workFolder = workFolderIn(web)
  const fresh = join(workFolder, 'fresh')
  mkdirSync(workFolder)
  try {
    await build(web, fresh)
    await compressFiles(join(fresh, 'assets'), 'ofCheckout')
    const bytes = firstLoad(fresh)
    if (bytes > limit) {
      throw new Error(
        `the first load of the console is ${inKilobytes(bytes)} of script, gzipped; the limit is ${inKilobytes(limit)}: ` +
          'import parts that the first page does not show when they are needed',
      )
    }
    writeFileSync(stampPath(fresh), stamp)
    swapIn(fresh, dist, join(workFolder, 'old'))
    return { seconds: (performance.now() - started) / 1000, firstLoad: bytes }
  } finally {
    rmSync(workFolder, { recursive: true, force: true })
  }
}

export const inKilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

async function build(web: string, outDir: string): Promise<void> {
  // Imported here: most starts find the build up to date and should not wait for Vite to load.
  const vite = await import('vite')
  const environment = process.env.NODE_ENV
  // Always production: a development build is half as large again, and slow.
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
        // We check the size ourselves, and timings say little on a busy machine.
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
