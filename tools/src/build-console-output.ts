import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The part of Vite's manifest that is read: what each file loads before it can run. */
export type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: readonly string[] }>

/** Pictures and fonts are compressed by nature. */
const COMPRESSIBLE = /\.(js|css|svg|json|txt|wasm)$/
const TRIES = 10

/** Puts a `.br` and a `.gz` beside every file that is worth it, as small as can be: it is done once, and sent often. */
export async function compressFiles(folder: string): Promise<void> {
  const names = readdirSync(folder).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const content = await readFile(path)
      const [brotli, gzipped] = await Promise.all([
        promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
        promisify(gzip)(content, { level: 9 }),
      ])
      await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)])
    }),
  )
}

/** The bytes of script, gzipped, that come before the first page is seen: the entries and what they import, each once. */
export function firstLoad(folder: string): number {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
  return scriptsAtFirst(manifest).reduce((sum, file) => sum + statSync(join(folder, `${file}.gz`)).size, 0)
}

export function scriptsAtFirst(manifest: Manifest): string[] {
  const seen = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    for (const imported of manifest[key]?.imports ?? []) visit(imported)
  }
  for (const [key, { isEntry }] of Object.entries(manifest)) if (isEntry) visit(key)
  return [...seen].flatMap((key) => manifest[key]?.file ?? []).filter((file) => file.endsWith('.js'))
}

/**
 * Puts `fresh` in the place of what was there before, which goes to `aside` first. Whoever is killed in between leaves
 * nothing in the place, and never a part. Of two who do it at once, one comes last and stays.
 */
export function swapIn(fresh: string, place: string, aside: string): void {
  for (let tried = 1; !tryToSwap(fresh, place, aside); tried += 1) {
    if (tried === TRIES) throw new Error(`others put theirs at ${place} again and again`)
  }
}

function tryToSwap(fresh: string, place: string, aside: string): boolean {
  rmSync(aside, { recursive: true, force: true })
  try {
    renameSync(place, aside)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  try {
    renameSync(fresh, place)
    return true
  } catch (error) {
    // Somebody else was quicker by a moment: theirs is what is taken away next.
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return false
    if (existsSync(aside)) renameSync(aside, place)
    throw error
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''
