import type { ReportBatch } from '@plantroom/contract/reports'
import { type JsonText, jsonArray, jsonMember, jsonObject } from '../json-text.ts'
import type { Commits } from '../store/commits.ts'
import type { Outbox } from '../store/confirmed-sender.ts'
import type { ReportStore } from '../store/report-store.ts'

/** About half a megabyte, far below the largest message. */
const BATCH_SIZE = 1000

/** Hands out audit entries in order, and deletes them once the cloud has confirmed them. */
export function createReportOutbox(deps: {
  store: ReportStore
  commits: Commits
  /** Called before confirmed entries are deleted, so that a test can end the process at that point. */
  reached?: (point: 'report:confirmed') => void
}): Outbox {
  const { store, commits, reached = () => {} } = deps
  // Deleting shares a flush with the next change. Until then, confirmed entries must not be sent again.
  let confirmed = 0

  return {
    nextBatch() {
      const entries = store.ready(confirmed, BATCH_SIZE)
      const last = entries.at(-1)
      if (!last) return undefined
      const batch: { [Name in keyof ReportBatch]: JsonText } = { entries: jsonArray(entries.map(({ json }) => json)) }
      return { upTo: last.seq, payload: jsonObject([jsonMember('entries', batch.entries)]) }
    },
    forget(upTo) {
      reached('report:confirmed')
      confirmed = upTo
      void commits.record((to) => store.forget(to, upTo))
    },
  }
}
