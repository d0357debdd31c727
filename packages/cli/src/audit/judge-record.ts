import { fingerprintOf, isSignedBy } from '@plantroom/base/audit-key'
import { sha256 } from '@plantroom/base/sha256'
import { SignedRecord } from '@plantroom/contract/api'
import { jsonOf } from '@plantroom/contract/commissioning'
import { readIfValid } from '@plantroom/contract/read'
import type { Judgement } from './judge.ts'

type RecordJudgement = Required<Pick<Judgement, 'standing' | 'reason'>> & Pick<Judgement, 'signedBy'>

/** Judges the record of a commissioning: `intact` only with a trusted key of the service. Pure. */
export function judgeRecord(document: unknown, trusted: readonly string[]): RecordJudgement {
  const given = readIfValid(SignedRecord, document)
  if (!given) return { standing: 'broken', reason: 'this is no record that "plantroom device record" printed' }
  // As it is in the file: reading it could leave something out.
  const { record } = document as { record: unknown }
  const { hash, signed } = given
  if (sha256(jsonOf(record)) !== hash) return { standing: 'broken', reason: 'the record was changed' }
  if (!isSignedBy(signed, hash)) return { standing: 'broken', reason: 'the signature does not fit the record' }
  const signedBy = fingerprintOf(signed.key)
  const { device, at } = given.record
  if (trusted.includes(signedBy))
    return { standing: 'intact', reason: `record of ${device.name}, made at ${at}`, signedBy }
  const reason =
    trusted.length === 0
      ? 'consistent, but anyone could have signed it: give the key of the service with --trust'
      : `consistent, but signed with ${signedBy}, which is none of the keys given with --trust`
  return { standing: 'unvouched', reason, signedBy }
}
