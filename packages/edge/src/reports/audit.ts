import { newId } from '@plantroom/base/ids'
import type { Log } from '@plantroom/base/log'
import { sha256 } from '@plantroom/base/sha256'
import {
  type ChainedEntry,
  REPORT_CODES,
  REPORT_GROUP,
  REPORT_LEVEL,
  type ReportBatch,
  type ReportCode,
} from '@plantroom/contract/reports'
import { jsonArray, jsonFields, toJson } from '../json-text.ts'
import type { Change, Commits } from '../store/commits.ts'
import type { Outbox } from '../store/confirmed-sender.ts'
import type { ReportStore } from '../store/report-store.ts'
import type { AuditSigner } from './audit-key.ts'

/** An entry without its number. It may still wait for the equipment's answer. */
export type PendingEntry = Omit<ChainedEntry, 'seq' | 'previous'> & {
  /** The override was undone and nothing was written for it: the entry is dropped. */
  isDropped?: true
}

/** The content of an entry, without what follows from its code. */
export type Happened = Omit<
  PendingEntry,
  'isDropped' | 'id' | 'name' | 'title' | 'group' | 'level' | 'deviceId' | 'code'
> & {
  code: ReportCode
}

/**
 * The audit log. An entry is made together with the decision it is about, and numbered once everything in it is known.
 * So a slow link delays only its own entries, and the numbers have no gaps. Each entry contains the hash of the one
 * before, so nobody can change, remove or add one later without it showing.
 */
export interface Audit {
  entry(happened: Happened): PendingEntry
  /** Numbers an entry and queues it for the cloud. */
  add(to: Change, entry: PendingEntry): void
  /** Runs a part of a change whose entries about this override are dropped: it is undone, and nothing was written for it. */
  without(overrideId: string, part: () => void): void
}

export function createAudit(deps: {
  store: ReportStore
  commits: Commits
  deviceId: string
  log: Log
  /** Called when there is something to send. */
  onReady(): void
}): Audit {
  const { store, commits, deviceId, log, onReady } = deps
  const last = commits.stagedMap([['seq' as const, store.lastSeq()]])
  const hashes = commits.stagedMap<'last', string | null>([['last', store.lastHash()]])
  let undone: string | undefined
  const isUndone = ({ overrideId }: Pick<PendingEntry, 'overrideId'>) => overrideId !== null && overrideId === undone

  return {
    entry: (happened) => ({ ...pendingEntry(deviceId, happened), ...(isUndone(happened) && { isDropped: true }) }),
    add(to, pending) {
      if (pending.isDropped || isUndone(pending)) return
      const seq = (last.get('seq') ?? 0) + 1
      last.set('seq', seq)
      const entry: ChainedEntry = { ...pending, seq, previous: hashes.get('last') ?? null }
      hashes.set('last', sha256(store.add(to, entry)))
      to.after(() => log.info({ report: withoutNames(entry) }, entry.title))
      to.onDisk(onReady)
    },
    without(overrideId, part) {
      undone = overrideId
      try {
        part()
      } finally {
        undone = undefined
      }
    },
  }
}

/** The entry as it is logged: a person's name is their mail address, and their id is enough to find them. */
function withoutNames({ placedBy, cancelledBy, ...entry }: ChainedEntry): object {
  return { ...entry, placedBy: placedBy?.id ?? null, cancelledBy: cancelledBy?.id ?? null }
}

/** Makes an entry that is not numbered yet. */
export function pendingEntry(deviceId: string, { code, ...rest }: Happened): PendingEntry {
  const head = { id: newId('rep'), code, ...REPORT_CODES[code], group: REPORT_GROUP, level: REPORT_LEVEL }
  return { ...head, deviceId, ...rest }
}

/** About half a megabyte, far below the largest message. */
const BATCH_SIZE = 1000

/** Hands out audit entries in order, signs the last of each batch, and deletes them once the cloud has confirmed them. */
export function createReportOutbox(deps: {
  store: ReportStore
  commits: Commits
  signer: Pick<AuditSigner, 'sign'>
  /** Called before confirmed entries are deleted, so that a test can end the process at that point. */
  reached?: (point: 'report:confirmed') => void
}): Outbox {
  const { store, commits, signer, reached = () => {} } = deps
  // Deleting shares a flush with the next change. Until then, confirmed entries must not be sent again.
  let confirmed = 0

  return {
    nextBatch() {
      const entries = store.ready(confirmed, BATCH_SIZE)
      const last = entries.at(-1)
      if (!last) return undefined
      const signed = signer.sign(sha256(last.json))
      const payload = jsonFields<ReportBatch>({
        entries: jsonArray(entries.map(({ json }) => json)),
        ...(signed && { signed: toJson(signed) }),
      })
      return { upTo: last.seq, payload }
    },
    forget(upTo) {
      reached('report:confirmed')
      confirmed = upTo
      void commits.record((to) => store.forget(to, upTo))
    },
  }
}
