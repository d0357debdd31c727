import { newId } from '@plantroom/base/ids'
import type { Log } from '@plantroom/base/log'
import {
  REPORT_CODES,
  REPORT_GROUP,
  REPORT_LEVEL,
  type ReportCode,
  type ReportEntry,
} from '@plantroom/contract/reports'
import type { Change, Commits } from '../store/commits.ts'
import type { ReportStore } from '../store/report-store.ts'

/** What an entry says beyond what follows from its code and its place in the order. */
export type Happened = Omit<ReportEntry, 'id' | 'name' | 'title' | 'group' | 'level' | 'deviceId' | 'seq' | 'code'> & {
  code: ReportCode
}

/** The audit: in order, each entry once, with the change that it is about or not at all. */
export interface Audit {
  /** An entry that is not settled yet is kept back until the equipment has been asked. */
  add(to: Change, happened: Happened, settled: boolean): ReportEntry
  settle(to: Change, entry: ReportEntry): void
  /**
   * The entries that still wait for an answer of the equipment, found again after a start. All others that waited are
   * sent as they are: nobody is left who would ask.
   */
  takeUp(seqs: readonly number[]): ReadonlyMap<number, ReportEntry>
}

export function createAudit(deps: {
  store: ReportStore
  commits: Commits
  deviceId: string
  log: Log
  /** There is something to send. */
  onReady(): void
}): Audit {
  const { store, commits, deviceId, log, onReady } = deps
  const last = commits.stagedMap([['seq' as const, store.lastSeq()]])

  return {
    add(to, happened, settled) {
      const seq = (last.get('seq') ?? 0) + 1
      last.set('seq', seq)
      const { code, ...rest } = happened
      const head = { id: newId('rep'), code, ...REPORT_CODES[code], group: REPORT_GROUP, level: REPORT_LEVEL }
      const entry: ReportEntry = { ...head, deviceId, ...rest, seq }
      store.add(to, entry, settled)
      to.after(() => log.info({ report: entry }, entry.title))
      if (settled) to.onDisk(onReady)
      return entry
    },
    settle(to, entry) {
      store.settle(to, entry)
      to.onDisk(onReady)
    },
    takeUp(seqs) {
      // Ahead of all other changes. A disk that is full now must not keep the device from starting.
      void commits.record((to) => {
        store.settleAllBut(to, seqs)
        to.onDisk(onReady)
      })
      return new Map(
        seqs.flatMap((seq) => {
          const entry = store.find(seq)
          return entry ? [[seq, entry] as const] : []
        }),
      )
    },
  }
}
