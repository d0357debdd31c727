import type { PreviewOutput } from '@plantroom/contract/jobs'
import type { JobTools } from '../jobs/index.ts'
import { openChecked, type PackageDeps } from './checked-package.ts'
import { addFindings, listFindings, removeFindings } from './finding-store.ts'
import { findNames, findTickets } from './match-store.ts'
import { findingsOf, namesIn, planTickets } from './plan.ts'
import { readTickets } from './read-tickets.ts'

// What is compared has 255 characters at most: of a text that is longer nothing need be held.
const LONGEST_TEXT_BYTES = 65_536

/** Checks a package and says what an import would do. Of the site nothing is changed. */
export async function previewPackage(tools: JobTools, deps: PackageDeps): Promise<PreviewOutput> {
  const { job, progress, signal } = tools
  const { db } = deps
  await using checked = await openChecked(tools, deps)
  // Of a preview that was given back in the middle.
  await removeFindings(db, job.id)

  const tickets = { total: 0, new: 0, existing: 0 }
  let comments = 0
  let attachments = 0
  await readTickets(
    checked.opened,
    async (batch) => {
      const ids = batch.map(({ ticket }) => ticket.externalId)
      const planned = planTickets(batch, await findTickets(db, job.siteId, ids), job.id)
      const created = planned.filter(({ outcome }) => outcome === 'create')
      const known = await findNames(db, job.siteId, namesIn(created.map(({ ticket }) => ticket)))
      await addFindings(
        db,
        job.id,
        created.flatMap((each) => findingsOf(each, known)),
      )
      tickets.total += planned.length
      tickets.new += created.length
      for (const each of created) {
        comments += each.comments
        attachments += each.attachments
      }
      progress({ stage: 'comparing', done: tickets.total, total: checked.report.tickets })
    },
    { signal, cutTextsOver: LONGEST_TEXT_BYTES },
  )
  tickets.existing = tickets.total - tickets.new
  const found = await listFindings(db, job.id)
  return {
    tickets,
    comments,
    attachments,
    tagsToCreate: found.tags,
    unmatchedUnits: found.units,
    unmatchedEmails: found.emails,
  }
}
