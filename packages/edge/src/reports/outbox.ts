import type { Commits } from '../store/commits.ts'
import type { Outbox } from '../store/confirmed-sender.ts'
import type { ReportStore } from '../store/report-store.ts'

/** Half a megabyte: far below the largest message. */
const ENTRIES_AT_ONCE = 1000

/** The audit on its way to the cloud: entries in order, forgotten when the cloud has them and not before. */
export function createReportOutbox(deps: {
  store: ReportStore
  commits: Commits
  /** Called when the cloud has confirmed entries that are about to be forgotten, so that a test can end the process there. */
  reached?: (point: 'report:confirmed') => void
}): Outbox {
  const { store, commits, reached = () => {} } = deps
  // Forgetting shares a flush with what comes next: until then these are not to be sent again.
  let confirmed = 0

  return {
    nextBatch() {
      const entries = store.ready(confirmed, ENTRIES_AT_ONCE)
      const last = entries.at(-1)
      // A `ReportBatch`, of entries that are JSON already.
      return last && { upTo: last.seq, payload: `{"entries":[${entries.map(({ json }) => json).join(',')}]}` }
    },
    forget(upTo) {
      reached('report:confirmed')
      confirmed = upTo
      void commits.record((to) => store.forget(to, upTo))
    },
  }
}
