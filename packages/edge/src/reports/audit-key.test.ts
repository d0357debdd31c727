import { createPublicKey, verify } from 'node:crypto'
import { createLog } from '@plantroom/base/log'
import { sha256 } from '@plantroom/base/sha256'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'
import { createFactStore } from '../store/fact-store.ts'
import { openJournal } from '../store/journal.ts'
import { createAuditSigner } from './audit-key.ts'

const log = createLog('test', 'silent')
const HASH = sha256('an entry')

function signerIn(folder: string) {
  const journal = openJournal(folder)
  const close = () => void (journal.isOpen && journal.close())
  onTestFinished(close)
  return { ...createAuditSigner({ facts: createFactStore(journal), log }), close }
}

test('a signature fits its key and its entry only', () => {
  const { key = '', signature = '' } = signerIn(temporaryFolder()).sign(HASH) ?? {}
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), type: 'spki', format: 'der' })
  const fits = (hash: string) => verify(null, Buffer.from(hash, 'hex'), publicKey, Buffer.from(signature, 'base64'))
  expect([fits(HASH), fits(sha256('another entry'))]).toEqual([true, false])
})

test('the key stays the same after a restart, and differs between controllers', () => {
  const folder = temporaryFolder()
  const before = signerIn(folder)
  const signed = before.sign(HASH)
  before.close()
  expect(signerIn(folder).sign(HASH)).toEqual(signed)
  expect(signerIn(temporaryFolder()).sign(HASH)?.key).not.toBe(signed?.key)
})

test('a key that cannot be stored is not used, and is stored as soon as it can be', () => {
  let full = true
  const facts = {
    text(_name: string, make: () => string) {
      if (full) throw new Error('database or disk is full')
      return make()
    },
  }
  const signer = createAuditSigner({ facts, log })
  expect(signer.sign(HASH)).toBeUndefined()
  full = false
  expect(signer.sign(HASH)).toBeDefined()
})
