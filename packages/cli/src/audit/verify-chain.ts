import { fingerprintOf, isSignedBy } from '@plantroom/base/audit-key'
import { sha256 } from '@plantroom/base/sha256'
import { read } from '@plantroom/contract/read'
import type { EntrySignature } from '@plantroom/contract/reports'
import { integer, nullable, object, optional, text } from '@plantroom/contract/schema'

/** One line of an export: the exact text of an entry, and the signature over it if it has one. */
export interface ChainLine {
  entry: string
  signed?: EntrySignature | undefined
}

/** The first entry that does not fit, and why. */
export interface Misfit {
  seq: number
  problem: string
}

export interface ChainVerdict {
  entries: number
  /** The number of the oldest entry. Above 1, earlier ones are from before the audit was signed, or missing. */
  first: number | undefined
  /** The number and the hash of the newest entry. */
  last: number | undefined
  hash: string | undefined
  /** The keys that signed, by fingerprint, in the order of their first use. */
  keys: readonly string[]
  misfit: Misfit | undefined
}

/** Whose chain it is: the audit of a device, or the activity of an organization (`null` for the service itself). */
export type ChainOwner = { deviceId: string } | { organizationId: string | null }

/** The fields of an entry that its place in the chain depends on. */
const EntryFields = object({
  seq: integer({ minimum: 0 }),
  previous: optional(nullable(text())),
  deviceId: optional(text()),
  organizationId: optional(nullable(text())),
})

interface Entry {
  seq: number
  previous: string | null
  hash: string
  signed: EntrySignature | undefined
}

/** With the fingerprint of the key that signed it. */
interface SignedEntry extends Entry {
  fingerprint: string
}

/**
 * Checks a chain of audit entries from its oldest. The last signature of a key covers all entries before it through their
 * hashes, so one check of a signature suffices for an intact chain, however long it is.
 */
export function createChainCheck(options: { owner: ChainOwner; fingerprints?: readonly string[] }) {
  const { owner } = options
  const signed: SignedEntry[] = []
  const keys: string[] = []
  let misfit: Misfit | undefined
  let entries = 0
  let first: number | undefined
  let before: Entry | undefined

  function check(entry: Entry, of: { deviceId?: unknown; organizationId?: unknown }): Misfit | undefined {
    const { seq, previous } = entry
    const isOwn = 'deviceId' in owner ? of.deviceId === owner.deviceId : of.organizationId === owner.organizationId
    if (!isOwn) {
      const another = 'deviceId' in owner ? 'another device' : 'another organization'
      return { seq, problem: `entry ${seq} is of ${another}: it was added` }
    }
    if (!before && 'organizationId' in owner) return checkFirst(entry)
    if (!before) return undefined
    if (seq > before.seq + 1) {
      const first = before.seq + 1
      return removed(first, seq - 1)
    }
    if (seq <= before.seq) return { seq, problem: `entry ${seq} was added after entry ${before.seq}, or moved` }
    if (previous === before.hash) return undefined
    // A signature over the entry before shows which of the two is not what it was.
    const changed = before.signed && fits(before) ? seq : before.seq
    return { seq: changed, problem: `entry ${changed} was changed` }
  }

  return {
    add(line: ChainLine): void {
      const fields = read(EntryFields, JSON.parse(line.entry))
      const entry = {
        seq: fields.seq,
        previous: fields.previous ?? null,
        hash: sha256(line.entry),
        signed: line.signed,
      }
      misfit ??= check(entry, fields)
      entries += 1
      first ??= entry.seq
      before = entry
      if (!line.signed) return
      const fingerprint = fingerprintOf(line.signed.key)
      signed.push({ ...entry, fingerprint })
      if (keys.at(-1) !== fingerprint) keys.push(fingerprint)
    },

    verdict(): ChainVerdict {
      return {
        entries,
        first,
        last: before?.seq,
        hash: before?.hash,
        keys,
        misfit: misfit ?? checkSignatures(signed, before, keys, options.fingerprints ?? []),
      }
    },
  }
}

/** Activity is signed from its first entry on, unlike the audit of a controller with an earlier version. */
function checkFirst({ seq, previous }: Entry): Misfit | undefined {
  if (seq > 1) return removed(1, seq - 1)
  return seq === 1 && previous === null ? undefined : { seq, problem: `entry ${seq} was changed` }
}

function removed(first: number, last: number): Misfit {
  const range = first === last ? `entry ${first} was` : `entries ${first} to ${last} were`
  return { seq: first, problem: `${range} removed` }
}

function checkSignatures(
  signed: readonly SignedEntry[],
  last: Entry | undefined,
  keys: readonly string[],
  fingerprints: readonly string[],
): Misfit | undefined {
  if (!last) return undefined
  const latest = signed.at(-1)
  if (!latest) return { seq: last.seq, problem: 'no entry is signed' }
  const other = keys.find((key) => fingerprints.length > 0 && !fingerprints.includes(key))
  if (other !== undefined) return { seq: latest.seq, problem: `it is signed with another key: ${other}` }
  // A controller that was replaced has a new key, and never an earlier one again.
  if (new Set(keys).size < keys.length) {
    return { seq: latest.seq, problem: `it is signed with several keys by turns: ${keys.join(', ')}` }
  }
  if (latest.seq !== last.seq) return { seq: latest.seq + 1, problem: `the entries after ${latest.seq} are not signed` }
  // The signature of a new controller covers the entries of the one before only as the cloud reported them.
  for (const key of keys) {
    const misfit = checkKey(signed.filter(({ fingerprint }) => fingerprint === key))
    if (misfit) return misfit
  }
  return undefined
}

/** Checks the last signature of one key, which covers those before. */
function checkKey(signed: readonly Entry[]): Misfit | undefined {
  const latest = signed.at(-1)
  if (!latest || fits(latest)) return undefined
  // Whoever changes an entry changes all later hashes, so the signatures fit up to the change and not from there on.
  const unfit = signed[firstUnfit(signed)] ?? latest
  const good = signed[signed.indexOf(unfit) - 1]
  const from = good ? good.seq + 1 : 1
  const where = from === unfit.seq ? `entry ${unfit.seq}` : `one of the entries ${from} to ${unfit.seq}`
  return { seq: from, problem: `${where} was changed: the signature does not fit` }
}

/** Finds the first signature that does not fit, by halves. */
function firstUnfit(signed: readonly Entry[]): number {
  let [low, high] = [0, signed.length - 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const entry = signed[middle]
    if (entry && fits(entry)) low = middle + 1
    else high = middle
  }
  return low
}

const fits = ({ hash, signed }: Entry): boolean => signed !== undefined && isSignedBy(signed, hash)
