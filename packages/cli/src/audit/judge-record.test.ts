import { newAuditKey, openAuditKey } from '@plantroom/base/audit-key'
import { sha256 } from '@plantroom/base/sha256'
import { jsonOf } from '@plantroom/contract/commissioning'
import { expect, test } from 'vitest'
import { judgeRecord } from './judge-record.ts'

const SERVICE = openAuditKey(newAuditKey())
const FORGER = openAuditKey(newAuditKey())

function recordBy(key = SERVICE) {
  const site = { id: 'site_1', name: 'Site', timeZone: 'UTC' }
  const device = { id: 'dev_1', name: 'Plant room', software: null }
  const at = '2030-01-01T00:00:00.000Z'
  const record = { at, organizationId: 'org_1', site, device, systems: [], rolledBack: [], tests: [] }
  const hash = sha256(jsonOf(record))
  const { key: publicKey, signature } = key.sign(hash)
  return { record, hash, signed: { key: publicKey, signature } }
}

const standing = (document: unknown, trusted = [SERVICE.fingerprint]) => judgeRecord(document, trusted).standing

test('a record is intact with the key of the service, whatever the order of its fields', () => {
  const made = recordBy()
  expect(standing(made)).toBe('intact')
  const { tests, ...rest } = made.record
  expect(standing({ ...made, record: { tests, ...rest } })).toBe('intact')
})

test('a record without a trusted key proves nothing', () => {
  expect(standing(recordBy(), [])).toBe('unvouched')
  expect(standing(recordBy(FORGER))).toBe('unvouched')
})

test('a record that was changed, added to or signed again is not intact', () => {
  const made = recordBy()
  const renamed = { ...made.record, device: { ...made.record.device, name: 'Other' } }
  expect(standing({ ...made, record: renamed })).toBe('broken')
  expect(standing({ ...made, record: { ...made.record, approved: true } })).toBe('broken')
  expect(standing({ ...made, record: renamed, hash: sha256(jsonOf(renamed)) })).toBe('broken')
  expect(standing({ ...made, signed: { ...made.signed, key: FORGER.publicKey } })).toBe('broken')
  for (const other of [undefined, null, [], 'text', { record: {} }]) expect(standing(other)).toBe('broken')
})
