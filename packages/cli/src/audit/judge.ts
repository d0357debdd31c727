import { fingerprintOf, isSignedBy } from '@plantroom/base/audit-key'
import { sha256 } from '@plantroom/base/sha256'
import { AuditHead } from '@plantroom/contract/audit-head'
import { readIfValid } from '@plantroom/contract/read'
import type { EntrySignature } from '@plantroom/contract/reports'
import type { ChainOwner, ChainVerdict } from './verify-chain.ts'

/** The last line of an export: what the service says about it, as exact text, and its signature. */
export interface HeadLine {
  head: string
  signed: EntrySignature
}

/** What an export contains. */
export interface Contents {
  owner: ChainOwner
  /** Exports of form 1, from before this version, have no head. */
  form: number
  chain: ChainVerdict
  head: HeadLine | undefined
  /** The SHA-256 of all lines before the head. */
  lines: string
}

/** What the caller knows to be right, by fingerprint. */
export interface Trust {
  /** Keys of the service. */
  service: readonly string[]
  /** Keys of controllers. */
  controller: readonly string[]
}

/** `intact`: nothing is missing, added or changed. `unvouched`: nothing contradicts, and the file alone cannot prove more. */
export interface Judgement {
  standing: 'intact' | 'unvouched' | 'broken'
  /** Why it is not intact, and what to do. */
  reason?: string
  /** When the service exported it. */
  at?: string
  /** The fingerprint of the key that signed the head. */
  signedBy?: string
}

/** Decides what an export proves. Pure. */
export function judge(contents: Contents, trust: Trust): Judgement {
  const { form, chain, head: line } = contents
  const broken = (reason: string): Judgement => ({ standing: 'broken', reason })
  if (chain.misfit) return broken(chain.misfit.problem)
  if (form === 1) return { standing: 'unvouched', reason: OLD_FORM }
  if (!line) return broken('the end of the file is missing: export it again')
  const head = readHead(line)
  if (!head) return broken('the head, which is the last line, was changed')
  const problem = contradiction(contents, head)
  if (problem !== undefined) return broken(problem)
  const signedBy = fingerprintOf(line.signed.key)
  const known = { at: head.at, signedBy }
  if (trust.service.length === 0) return { standing: 'unvouched', reason: NO_TRUST, ...known }
  if (!trust.service.includes(signedBy)) {
    return { ...broken(`the head is signed with ${signedBy}, which is not the key that you trust`), ...known }
  }
  const vouched = new Set(trust.controller)
  for (const { fingerprint, reason } of head.keys) if (reason !== 'unexplained') vouched.add(fingerprint)
  const stranger = chain.keys.find((key) => !vouched.has(key))
  if (stranger === undefined) return { standing: 'intact', ...known }
  return { standing: 'unvouched', reason: strange(stranger, head), ...known }
}

const OLD_FORM = 'the file is from an earlier version and does not say where it ends: export it again'
const NO_TRUST =
  'give the key of the service with --trust (plantroom audit key prints it; get it in another way than the file)'

function strange(key: string, { keys }: AuditHead): string {
  const isRecorded = keys.some(({ fingerprint }) => fingerprint === key)
  const why = isRecorded
    ? 'the service recorded it as a change without a replacement or a lost memory'
    : 'the service has not recorded it'
  return `entries are signed with ${key}: ${why}. If it is the key in the log of your controller, give it with --key`
}

function readHead({ head, signed }: HeadLine): AuditHead | undefined {
  if (!isSignedBy(signed, sha256(head))) return undefined
  try {
    return readIfValid(AuditHead, JSON.parse(head))
  } catch {
    return undefined
  }
}

/** Returns what the file lacks, or has too much, by its head. */
function contradiction({ owner, chain, lines }: Contents, head: AuditHead): string | undefined {
  const isOwn =
    'deviceId' in owner ? owner.deviceId === head.deviceId : owner.organizationId === (head.organizationId ?? null)
  if (!isOwn || 'deviceId' in owner !== (head.deviceId !== undefined)) return 'the head is that of another export'
  const [first, last] = [chain.first ?? null, chain.last ?? null]
  if (first === null && head.count > 0) return `all ${head.count} entries were removed`
  if (first !== null && head.first !== null && first > head.first) {
    return `the beginning was cut: entries ${head.first} to ${first - 1} were removed`
  }
  if (last !== null && head.last !== null && last < head.last) {
    return `the end was cut: entries ${last + 1} to ${head.last} were removed`
  }
  if (chain.entries !== head.count || first !== head.first || last !== head.last) {
    return `the file has ${chain.entries} entries, and its head says ${head.count}`
  }
  if ((chain.hash ?? null) !== head.hash) return `entry ${last} was changed`
  return lines === head.lines ? undefined : 'a line was changed: the head does not fit'
}
