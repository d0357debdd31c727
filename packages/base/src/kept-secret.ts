import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * The secret that a file keeps, readable by its owner only; made at the first start. Of two first starts at once, both get
 * the same.
 */
export async function keptSecret(path: string, make: () => string): Promise<string> {
  return (await read(path)) ?? (await keep(path, make()))
}

async function read(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function keep(path: string, made: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    await file.writeFile(`${made}\n`)
    await file.sync()
    await file.close()
    // A link is there whole or not at all, and never replaces the secret that another start has just made.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(temporary, { force: true })
  }
  const secret = await read(path)
  if (secret === undefined) throw new Error(`${path} is empty: remove it, and a new secret is made`)
  return secret
}
