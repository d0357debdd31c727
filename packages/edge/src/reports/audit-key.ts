import { type AuditKey, newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import type { Log } from '@plantroom/base/log'
import type { EntrySignature } from '@plantroom/contract/reports'
import type { FactStore } from '../store/fact-store.ts'

/** Signs the audit with the key of this controller. The key is made on first use and never leaves the journal. */
export interface AuditSigner {
  /** Signs the hash of an entry, in hexadecimal digits. Returns `undefined` while a new key cannot be stored. */
  sign(hash: string): EntrySignature | undefined
  /** The public key in Base64, for the cloud to record. Returns `undefined` while a new key cannot be stored. */
  publicKey(): string | undefined
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
    publicKey() {
      key ??= open()
      return key?.publicKey
    },
  }
}
