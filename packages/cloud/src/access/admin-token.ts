import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { randomText } from './api-key.ts'

/**
 * The operator's token: the one that was set, else the one in the data folder, else a new one, readable by its owner
 * only. Of two first starts at once, both get the same.
 */
export async function loadAdminToken(folder: string, configured: string | undefined): Promise<string> {
  if (configured !== undefined) return configured
  const path = join(folder, 'admin-token')
  return (await readToken(path)) ?? (await makeToken(folder, path))
}

async function readToken(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function makeToken(folder: string, path: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  const temporary = `${path}.${randomUUID()}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    await file.writeFile(`pla_${randomText(40)}\n`)
    await file.sync()
    await file.close()
    // A link is there whole or not at all, and never replaces the token that another start has just made.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(temporary, { force: true })
  }
  const token = await readToken(path)
  if (token === undefined) throw new Error(`${path} is empty: remove it, and a new token is made`)
  return token
}
