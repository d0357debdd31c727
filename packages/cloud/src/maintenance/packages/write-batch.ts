import { newId } from '@plantroom/base/ids'
import type { Actor } from '@plantroom/contract/activity'
import type { PlacedRequest } from '@plantroom/fpl/read-requests'
import type { Db } from '../../platform/db/database.ts'
import { type AddedRows, preferIndexes } from '../../platform/db/planner-statistics.ts'
import { JobFailure, type JobRow, requireClaim } from '../../platform/jobs/index.ts'
import { insertParts, insertRequests, lockNumbers, nameCreatedPeople, recordChange } from '../requests/index.ts'
import { TURNED_OFF } from './checked-package.ts'
import type { Choices } from './choices.ts'
import { addedNames, createMissing, namesForNameless } from './create-missing.ts'
import type { Extracted } from './extract.ts'
import { findNames, findRequests, isTurnedOn } from './match-store.ts'
import { addFindings, recordPassed } from './outcome-store.ts'
import { findingsIn, type KnownRequests, linkRequest, namesIn, personNamesIn, planRequests } from './plan.ts'
import { requestRow } from './request-rows.ts'

/** What an import has done over all attempts. */
export interface ImportCounts {
  tickets: number
  comments: number
  attachments: number
  skipped: number
}

/** For a job from before its caller was recorded. */
export const UNKNOWN: Actor = { kind: 'unknown', id: null, name: null }

export interface Batch {
  readonly requests: readonly PlacedRequest[]
  /** Those that were on the site before their files were extracted. */
  readonly before: KnownRequests
  /** Requests of the package. */
  readonly total: number
}

interface WriteDeps extends Extracted {
  db: Db
  choices: Choices
  importedAt: string
  /** Called before the commit. */
  written(): void | Promise<void>
}

/**
 * Writes the new requests of a batch in one transaction. Throws when another worker has claimed the job or Maintenance
 * Requests were turned off.
 */
export async function writeBatch(
  job: JobRow,
  { requests, before, total }: Batch,
  deps: WriteDeps,
): Promise<ImportCounts & { added: AddedRows }> {
  const { siteId, id: jobId } = job
  return deps.db.transaction().execute(async (trx) => {
    await preferIndexes(trx)
    await requireClaim(trx, job)
    if (!(await isTurnedOn(trx, siteId))) throw new JobFailure(TURNED_OFF, { final: true })
    const last = await lockNumbers(trx, siteId)
    // Under the lock, this sees what others have added since, and nobody adds more.
    const now = await findRequests(
      trx,
      siteId,
      requests.map(({ request }) => request.externalId),
    )
    const planned = planRequests(requests, new Map([...before, ...now]), jobId)
    const fresh = planned.filter(({ outcome }) => outcome === 'create')
    const added = fresh.map(({ request }) => request)
    const names = deps.choices.people.create ? personNamesIn(added) : new Map<string, string>()
    const found = await findNames(trx, siteId, namesIn(added), deps.choices)
    // Under the lock nobody else adds requests, so every name that is created here is used.
    const known = await createMissing(trx, siteId, found, names)
    const rows = fresh.map((each) =>
      requestRow(each, linkRequest(each.request, known), { id: newId('ticket'), ...deps }),
    )

    await insertRequests(trx, { siteId, jobId, last }, rows)
    await insertParts(trx, rows)
    await recordChange(
      trx,
      { at: new Date(deps.importedAt), by: job.startedBy ?? UNKNOWN },
      rows.map(({ id }) => ({ requestId: id, kind: 'imported' })),
    )
    await addFindings(trx, jobId, findingsIn(fresh, known))
    await recordPassed(trx, jobId, { passed: (requests.at(-1)?.index ?? -1) + 1, total })
    await nameCreatedPeople(trx, { siteId, jobId }, namesForNameless(known, names))
    await deps.written()

    const ours = [...fresh, ...planned.filter(({ outcome }) => outcome === 'created')]
    return {
      tickets: ours.length,
      comments: ours.reduce((sum, { comments }) => sum + comments, 0),
      attachments: ours.reduce((sum, { attachments }) => sum + attachments, 0),
      skipped: requests.length - ours.length,
      added: { ticket: fresh.length, ...addedNames(known) },
    }
  })
}
