import type { AuditKey } from '@plantroom/base/audit-key'
import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { sha256 } from '@plantroom/base/sha256'
import type { ChainedActivity } from '@plantroom/contract/activity'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Db } from '../../platform/db/database.ts'
import { storable } from '../../platform/db/storable-text.ts'
import { addEntry, lockHead, SERVICE_CHAIN } from './activity-store.ts'
import { type AuditKeys, createAuditKeys } from './audit-keys.ts'
import type { ActingParty, Happened, Note } from './happened.ts'

/** Longer texts are cut: names are shorter, and an entry must stay small. */
const LONGEST_TEXT = 255
const LONGEST_DETAILS = 2_000

/** Records who did what, in the transaction of the action. */
export interface ActivityLog {
  /**
   * Runs a change and records what it notes, in one transaction: both happen or neither does. The entries are written
   * after all work, so that a chain is locked last, for a short time, and in the same order everywhere.
   */
  change<Result>(
    caller: { readonly actor: ActingParty },
    work: (tx: Db, note: Note) => Promise<Result>,
  ): Promise<Result>
  /** Records in a transaction that is already open. Must be its last step: it locks the chains. */
  append(tx: Db, by: ActingParty, happened: readonly Happened[]): Promise<void>
  /** Signs the log, and the heads of exports. */
  readonly key: AuditKey
  /** The keys of controllers, which the log records. */
  readonly auditKeys: AuditKeys
}

export function createActivityLog(deps: { db: Db; key: AuditKey; clock: Clock }): ActivityLog {
  const { db, key, clock } = deps

  async function append(tx: Db, by: ActingParty, happened: readonly Happened[]): Promise<void> {
    // Sorted, so that two transactions never wait for each other.
    for (const [chain, one] of happened.flatMap(chainsOf).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))) {
      const { seq, previous } = await lockHead(tx, chain)
      const at = clock.now()
      const entry = JSON.stringify(toEntry(chain, { seq, previous, at }, by, one))
      const hash = sha256(entry)
      await addEntry(tx, { chain, seq, at: new Date(at), entry, hash, ...key.sign(hash) })
    }
  }

  return {
    append,
    key,
    auditKeys: createAuditKeys(key),
    change: ({ actor }, work) =>
      db.transaction().execute(async (tx) => {
        const happened: Happened[] = []
        const result = await work(tx, (one) => void happened.push(one))
        await append(tx, actor, happened)
        return result
      }),
  }
}

function chainsOf(happened: Happened): (readonly [chain: string, Happened])[] {
  const chains = [happened.organizationId ?? []].flat()
  return chains.length === 0 ? [[SERVICE_CHAIN, happened]] : chains.map((chain) => [chain, happened])
}

/** The order of the fields is part of the signed text. */
function toEntry(
  chain: string,
  { seq, previous, at }: { seq: number; previous: string | null; at: number },
  caller: ActingParty,
  { siteId = null, action, subject, details = {}, outcome = 'done', by = caller }: Happened,
): ChainedActivity {
  const { kind, id, name, address } = by
  const small = JSON.stringify(details).length <= LONGEST_DETAILS ? details : { omitted: true }
  return bounded({
    id: newId('act'),
    seq,
    at: formatTimestamp(at),
    organizationId: chain === SERVICE_CHAIN ? null : chain,
    siteId,
    actor: { kind, id, name },
    address,
    action,
    subject: subject ? { kind: subject.kind, id: subject.id, name: subject.name } : null,
    details: small,
    outcome,
    previous,
  })
}

/** Cuts long texts, and replaces characters that no column can store: a strange name must not prevent an action. */
function bounded<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value, (_name, part: unknown) =>
      typeof part === 'string' ? storable(part.slice(0, LONGEST_TEXT)) : part,
    ),
  ) as Value
}
