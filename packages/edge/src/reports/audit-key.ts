import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Log } from '@plantroom/base/log'
import type { EntrySignature } from '@plantroom/contract/reports'
import type { FactStore } from '../store/fact-store.ts'

/** Signs the audit with the key of this controller. The key is made on first use and never leaves the journal. */
export interface AuditSigner {
  /** Signs the hash of an entry, in hexadecimal digits. Returns `undefined` while a new key cannot be stored. */
  sign(hash: string): EntrySignature | undefined
}

export function createAuditSigner({ facts, log }: { facts: Pick<FactStore, 'text'>; log: Log }): AuditSigner {
  let key: AuditKey | undefined

  function open(): AuditKey | undefined {
    try {
      const opened = openAuditKey(facts.text('audit-key', newAuditKey))
      log.info({ fingerprint: opened.fingerprint }, 'the audit is signed with the key of this controller')
      return opened
    } catch (error) {
      // A full disk must not keep the audit from the cloud: sending it frees space.
      log.warn({ err: error }, 'the key of the audit could not be stored; entries are sent unsigned until it can')
      return undefined
    }
  }

  return {
    sign(hash) {
      key ??= open()
      return key?.sign(hash)
    },
  }
}

interface AuditKey {
  /** Identifies the key to people, who compare it with what `plantroom audit verify` prints. */
  readonly fingerprint: string
  sign(hash: string): EntrySignature
}

function newAuditKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  return privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
}

function openAuditKey(text: string): AuditKey {
  const privateKey = createPrivateKey({ key: Buffer.from(text, 'base64'), type: 'pkcs8', format: 'der' })
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const key = publicKey.toString('base64')
  return {
    fingerprint: createHash('sha256').update(publicKey).digest('hex'),
    sign: (hash) => ({ key, signature: sign(null, Buffer.from(hash, 'hex'), privateKey).toString('base64') }),
  }
}
