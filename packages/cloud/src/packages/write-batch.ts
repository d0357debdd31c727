import { newId } from '@plantroom/base/ids'
import type { Db } from '../db/database.ts'
import { JobFailure, type JobRow, requireClaim } from '../jobs/index.ts'
import { insertParts, insertTags, insertTickets, lockNumbers } from '../tickets/import-store.ts'
import { TURNED_OFF } from './checked-package.ts'
import type { Extracted } from './extract.ts'
import { addFindings } from './finding-store.ts'
import type { PlacedTicket } from './manifest-ticket.ts'
import { findNames, findTickets, isTurnedOn } from './match-store.ts'
import { findingsOf, type Known, linkTicket, namesIn, planTickets } from './plan.ts'
import { ticketRow } from './ticket-rows.ts'

/** What an import has done, over all of its attempts. */
export interface ImportCounts {
  tickets: number
  comments: number
  attachments: number
  skipped: number
}

export interface Batch {
  readonly tickets: readonly PlacedTicket[]
  /** Those of them that were on the site before their files were extracted. */
  readonly before: Known['tickets']
}

interface WriteDeps extends Extracted {
  db: Db
  importedAt: string
  /** Told before the transaction is committed. */
  written(): void | Promise<void>
}

/**
 * Writes a batch of requests in one transaction: each of them that is new is there whole, or none is. Throws when another
 * worker has taken the job over, or when the site was switched off.
 */
export async function writeBatch(job: JobRow, { tickets, before }: Batch, deps: WriteDeps): Promise<ImportCounts> {
  const { siteId, id: jobId } = job
  return deps.db.transaction().execute(async (trx) => {
    await requireClaim(trx, job)
    if (!(await isTurnedOn(trx, siteId))) throw new JobFailure(TURNED_OFF, { final: true })
    const last = await lockNumbers(trx, siteId)
    // Under the lock: what another import has put there since then is seen, and nothing is added any more.
    const now = await findTickets(
      trx,
      siteId,
      tickets.map(({ ticket }) => ticket.externalId),
    )
    const planned = planTickets(tickets, new Map([...before, ...now]), jobId)
    const fresh = planned.filter(({ outcome }) => outcome === 'create')
    const known = await findNames(trx, siteId, namesIn(fresh.map(({ ticket }) => ticket)))
    const rows = fresh.map((each) => ticketRow(each, linkTicket(each.ticket, known), { id: newId('ticket'), ...deps }))

    const added = await insertTickets(trx, { siteId, jobId, last }, rows)
    const addedRows = rows.filter(({ id }) => added.has(id))
    const { ids, made } = await insertTags(trx, siteId, [...new Set(addedRows.flatMap(({ tags }) => tags))], known.tags)
    await insertParts(trx, addedRows, ids)
    const created = fresh.filter((_, place) => added.has(rows[place]?.id ?? ''))
    const findings = created.flatMap((each) => findingsOf(each, known))
    await addFindings(
      trx,
      jobId,
      findings.filter(({ kind, key }) => kind !== 'tag' || made.has(key)),
    )
    await deps.written()

    const ours = [...created, ...planned.filter(({ outcome }) => outcome === 'made')]
    return {
      tickets: ours.length,
      comments: ours.reduce((sum, { comments }) => sum + comments, 0),
      attachments: ours.reduce((sum, { attachments }) => sum + attachments, 0),
      skipped: tickets.length - ours.length,
    }
  })
}
