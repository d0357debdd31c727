/** Encrypts secrets that the service must be able to read again, with a key that is not in the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { keptSecret } from '@plantroom/base/kept-secret'
import { Failure } from '@plantroom/contract/failure'

const IV_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

export interface Seal {
  /** `owner` is bound to the result: it opens for no other. */
  seal(text: string, owner: string): Buffer
  /** Throws `unavailable` when the text was sealed with another key. */
  open(sealed: Buffer, owner: string): string
}

/** What is sealed. Each use has a key of its own, derived from the same text. */
const USES = {
  factors: {
    label: 'plantroom second factors',
    problem:
      'the codes of authenticator apps cannot be checked, because the key of their secrets has changed: ask the operator to restore the file factor-key or PLANTROOM_FACTOR_KEY, or use a recovery code',
  },
  webhooks: {
    label: 'plantroom webhooks',
    problem:
      'the secret of this webhook cannot be read, because its key has changed: ask the operator to restore the file factor-key or PLANTROOM_FACTOR_KEY in every cloud and worker, or rotate the secret',
  },
  exports: {
    label: 'plantroom automatic exports',
    problem:
      'the password or key of this target cannot be read, because the key that seals it has changed: ask the operator to restore the file factor-key or PLANTROOM_FACTOR_KEY in every cloud and worker, or enter it again',
  },
  openadr: {
    label: 'plantroom openadr',
    problem:
      'the client secret of this program cannot be read, because the key that seals it has changed: ask the operator to restore the file factor-key or PLANTROOM_FACTOR_KEY in every cloud and worker, or enter it again',
  },
} as const

/** The text that keys are derived from: the configured one, or the one stored in the data folder. */
export async function loadSealKey(folder: string, configured: string | undefined): Promise<string> {
  return configured ?? keptSecret(join(folder, 'factor-key'), () => randomBytes(KEY_BYTES).toString('base64url'))
}

/** AES-256-GCM with a key derived from a long random text. */
export function createSeal(key: string, use: keyof typeof USES): Seal {
  const { label, problem } = USES[use]
  const derived = Buffer.from(hkdfSync('sha256', key, '', label, 32))
  return {
    seal(text, owner) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', derived, iv).setAAD(Buffer.from(owner))
      return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open(sealed, owner) {
      const tag = sealed.subarray(-TAG_BYTES)
      try {
        const decipher = createDecipheriv('aes-256-gcm', derived, sealed.subarray(0, IV_BYTES), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
        return decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new Failure('unavailable', problem)
      }
    },
  }
}
