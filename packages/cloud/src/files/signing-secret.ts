import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { keptSecret } from '@plantroom/base/kept-secret'

const BYTES = 32

/**
 * What addresses of files are signed with: the secret in the data folder, the same for all processes on it. Whoever
 * removes it makes every address invalid.
 */
export async function loadSigningSecret(folder: string): Promise<Buffer> {
  const path = join(folder, 'files-secret')
  const secret = Buffer.from(await keptSecret(path, () => randomBytes(BYTES).toString('hex')), 'hex')
  if (secret.length !== BYTES) throw new Error(`${path} is damaged: remove it, and a new secret is made`)
  return secret
}
