import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** A folder that is filled beside its place, and appears complete or not at all. */
export interface OutputFolder extends AsyncDisposable {
  /** Where to write until `commit`. */
  readonly path: string
  /** Appends text to a file. */
  append(name: string, text: string): Promise<void>
  /** Flushes the text files and puts the folder in place. `summary` is kept in it. */
  commit(summary: object): Promise<void>
}

/** Marks a folder that we wrote: no other is ever replaced. */
const SUMMARY = 'plantroom-export.json'

/** Throws if the folder exists and may not be replaced. An empty one may always be. */
export async function createOutputFolder(
  output: string,
  { isReplaced = false }: { isReplaced?: boolean | undefined } = {},
): Promise<OutputFolder> {
  const isThere = await mustBeReplaced(output, isReplaced)
  const unique = `${output.replace(/(?<=[^/\\])[/\\]+$/, '')}.${randomUUID()}`
  const path = `${unique}.part`
  await mkdir(path)
  const files = new Map<string, FileHandle>()
  const close = async () => {
    for (const file of files.values()) await file.close()
    files.clear()
  }
  return {
    path,
    async append(name, text) {
      let file = files.get(name)
      if (!file) {
        file = await open(join(path, name), 'wx')
        files.set(name, file)
      }
      await file.appendFile(text)
    },
    async commit(summary) {
      for (const file of files.values()) await file.sync()
      await close()
      await writeFile(join(path, SUMMARY), `${JSON.stringify(summary, null, 2)}\n`, { flush: true })
      if (isThere) await exchanged(path, output, `${unique}.old`)
      else await rename(path, output)
    },
    async [Symbol.asyncDispose]() {
      await close()
      await rm(path, { recursive: true, force: true })
    },
  }
}

async function mustBeReplaced(output: string, isReplaced: boolean): Promise<boolean> {
  let names: string[]
  try {
    names = await readdir(output)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOTDIR') throw new Error(`${output} is a file; name a folder`)
    if (code !== 'ENOENT') throw error
    if (!existsSync(dirname(output))) throw new Error(`${dirname(output)} does not exist; create that folder first`)
    return false
  }
  if (names.length === 0) return false
  if (!names.includes(SUMMARY)) throw new Error(`${output} has other files in it; name a new folder`)
  if (!isReplaced) throw new Error(`${output} exists; name a new folder, or use --force to replace it`)
  return true
}

/** Puts back what was there if the new folder cannot take its place. */
async function exchanged(path: string, output: string, old: string): Promise<void> {
  await rename(output, old)
  try {
    await rename(path, output)
  } catch (error) {
    await rename(old, output)
    throw error
  }
  await rm(old, { recursive: true, force: true })
}
