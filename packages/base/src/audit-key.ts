import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'

/** A signature, and the public key that checks it, both in Base64. */
interface Signature {
  key: string
  signature: string
}

/** A key that signs hashes of entries. */
export interface AuditKey {
  /** Identifies the key to people, who compare it with what `plantroom audit verify` prints. */
  readonly fingerprint: string
  /** The public key (SPKI) in Base64. */
  readonly publicKey: string
  /** Signs a hash in hexadecimal digits. The public key and the signature are in Base64. */
  sign(hash: string): Signature
}

/** Makes an Ed25519 private key as text. */
export function newAuditKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
}

/** Opens what `newAuditKey` returned. Throws for any other text. */
export function openAuditKey(text: string): AuditKey {
  const privateKey = createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' })
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('not an Ed25519 key')
  const key = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  return {
    fingerprint: fingerprintOf(key),
    publicKey: key,
    sign: (hash) => ({ key, signature: sign(null, Buffer.from(hash, 'hex'), privateKey).toString('base64') }),
  }
}

/** Returns the fingerprint of a public key in Base64. */
export const fingerprintOf = (key: string): string =>
  createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex')

/** Reports whether a signature is one over this hash, in hexadecimal digits. False for anything that is not one. */
export function isSignedBy({ key, signature }: Signature, hash: string): boolean {
  try {
    if (!isCanonical(key) || !isCanonical(signature)) return false
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), type: 'spki', format: 'der' })
    return verify(null, Buffer.from(hash, 'hex'), publicKey, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** Base64 has several texts for the same bytes. Only one counts, so that no character of a signed file can be changed. */
const isCanonical = (text: string) => Buffer.from(text, 'base64').toString('base64') === text
