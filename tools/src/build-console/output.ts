import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** The part of Vite's manifest that we read: the imports that each file needs before it can run. */
export type Manifest = Record<string, { file: string; isEntry?: boolean; imports?: readonly string[] }>

/** Images and fonts are already compressed. */
const COMPRESSIBLE = /\.(js|css|svg|json|txt|wasm)$/
const TRIES = 10

/** Of Brotli. The last percent takes most of the time: a first start waits for it, and a release is made once. */
const QUALITY = { ofCheckout: 6, ofRelease: 10 } as const

/** Writes a `.br` and a `.gz` beside every compressible file. A release has a twentieth smaller files than a checkout. */
export async function compressFiles(folder: string, use: keyof typeof QUALITY): Promise<void> {
  const names = readdirSync(folder).filter((name) => COMPRESSIBLE.test(name))
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const content = await readFile(path)
      const [brotli, gzipped] = await Promise.all([
        promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY[use] } }),
        promisify(gzip)(content, { level: 9 }),
      ])
      await Promise.all([writeFile(`${path}.br`, brotli), writeFile(`${path}.gz`, gzipped)])
    }),
  )
}

/** The page itself: the entry imports it as soon as it has the texts of its language. */
const START = 'src/start.tsx'

/** Returns the gzipped bytes of script that load before the first page shows: the entries, the page and their imports, each once. */
export function firstLoad(folder: string): number {
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Manifest
  return firstScripts(manifest).reduce((sum, file) => sum + statSync(join(folder, `${file}.gz`)).size, 0)
}

export function firstScripts(manifest: Manifest): string[] {
  const seen = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    for (const imported of manifest[key]?.imports ?? []) visit(imported)
  }
  for (const [key, { isEntry }] of Object.entries(manifest)) if (isEntry || key === START) visit(key)
  return [...seen].flatMap((key) => manifest[key]?.file ?? []).filter((file) => file.endsWith('.js'))
}

/**
 * Moves `fresh` to `place`, and the folder that was there to `aside`. A process killed in between leaves nothing at `place`,
 * never a part. When two processes swap concurrently, the last one wins.
 */
export function swapIn(fresh: string, place: string, aside: string): void {
  for (let tried = 1; !tryToSwap(fresh, place, aside); tried += 1) {
    if (tried === TRIES) throw new Error(`other processes keep replacing ${place}: try again`)
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
    // Another process was faster: its folder is moved aside next.
    if (['ENOTEMPTY', 'EEXIST'].includes(codeOf(error))) return false
    if (existsSync(aside)) renameSync(aside, place)
    throw error
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''
