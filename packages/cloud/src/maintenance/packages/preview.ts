import type { PreviewOutput } from '@plantroom/contract/jobs'
import { MAX_SAMPLES, type RequestSample } from '@plantroom/contract/request-sample'
import { readRequests } from '@plantroom/fpl/read-requests'
import type { JobTools } from '../../platform/jobs/index.ts'
import { openChecked, type PackageDeps } from './checked-package.ts'
import { readChoices } from './choices.ts'
import { findNames, findRequests } from './match-store.ts'
import { addFindings, listFindings, removeFindings } from './outcome-store.ts'
import { findingsIn, namesIn, planRequests } from './plan.ts'
import { sampleOf } from './sample.ts'
import { saveSamples } from './sample-store.ts'

// Fields that are compared have at most 255 characters, so longer texts need not be kept.
const LONGEST_TEXT_BYTES = 65_536

/** Checks a package and counts what an import would do. Does not change the site. */
export async function previewPackage(tools: JobTools, deps: PackageDeps): Promise<PreviewOutput> {
  const { job, progress, signal } = tools
  const { db } = deps
  await using checked = await openChecked(tools, deps)
  // Left by an earlier run that its worker returned to the queue.
  await removeFindings(db, job.id)

  const choices = readChoices(job.options)
  const tickets = { total: 0, new: 0, existing: 0 }
  const samples: RequestSample[] = []
  let comments = 0
  let attachments = 0
  await readRequests(
    checked.opened,
    async (batch) => {
      const ids = batch.map(({ request }) => request.externalId)
      const planned = planRequests(batch, await findRequests(db, job.siteId, ids), job.id)
      const created = planned.filter(({ outcome }) => outcome === 'create')
      const known = await findNames(db, job.siteId, namesIn(created.map(({ request }) => request)), choices)
      await addFindings(db, job.id, findingsIn(created, known))
      for (const each of planned.slice(0, MAX_SAMPLES - samples.length)) {
        samples.push({ ...sampleOf(each), exists: each.outcome !== 'create' })
      }
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
  await saveSamples(db, job.id, samples)
  const found = await listFindings(db, job.id)
  return {
    tickets,
    comments,
    attachments,
    tagsToCreate: found.tags,
    unmatchedUnits: found.units,
    unmatchedEmails: found.emails,
    ...(found.unlisted && { unlisted: found.unlisted }),
    ...(job.options && { missing: found.counts }),
  }
}
