import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

const NAME = 'files-secret'

/**
 * What addresses of files are signed with: the secret in the data folder, made at the first start and readable by its
 * owner only. All processes on one folder have the same. Whoever removes it makes every address invalid.
 */
export async function loadSigningSecret(folder: string): Promise<Buffer> {
  const path = join(folder, NAME)
  return (await readSecret(path)) ?? (await makeSecret(path))
}

async function readSecret(path: string): Promise<Buffer | undefined> {
  try {
    const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')
    if (secret.length !== 32) throw new Error(`${path} is damaged: remove it, and a new secret is made`)
    return secret
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function makeSecret(path: string): Promise<Buffer> {
  const temporary = `${path}.${randomUUID()}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    await file.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await file.sync()
    await file.close()
    // A link is there whole or not at all, and never replaces the secret that another start has just made.
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(temporary, { force: true })
  }
  const secret = await readSecret(path)
  if (!secret) throw new Error(`${path} was removed while it was made`)
  return secret
}
