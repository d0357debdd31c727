import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'

/** A key that signs hashes of entries. */
export interface AuditKey {
  /** Identifies the key to people, who compare it with what `plantroom audit verify` prints. */
  readonly fingerprint: string
  /** Signs a hash in hexadecimal digits. The public key and the signature are in Base64. */
  sign(hash: string): { key: string; signature: string }
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
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const key = publicKey.toString('base64')
  return {
    fingerprint: createHash('sha256').update(publicKey).digest('hex'),
    sign: (hash) => ({ key, signature: sign(null, Buffer.from(hash, 'hex'), privateKey).toString('base64') }),
  }
}
