import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Returns the secret stored in a file, readable by its owner only. Creates it on the first start; simultaneous first
 * starts get the same secret.
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
    // Creating a link is atomic and never replaces a secret that another start has just created.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(temporary, { force: true })
  }
  const secret = await read(path)
  if (secret === undefined) throw new Error(`${path} is empty; remove it to have a new secret created`)
  return secret
}
