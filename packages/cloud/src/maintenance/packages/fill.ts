import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { FillOutput } from '@plantroom/contract/jobs'
import { show } from '@plantroom/fpl/check-package'
import { type PlacedRequest, readRequests } from '@plantroom/fpl/read-requests'
import type { Db } from '../../platform/db/database.ts'
import { preferIndexes } from '../../platform/db/planner-statistics.ts'
import { JobFailure, type JobRow, type JobTools, requireClaim } from '../../platform/jobs/index.ts'
import {
  applyFills,
  type FillableRequest,
  findFillable,
  lockNumbers,
  lockPeople,
  nameCreatedPeople,
  recordChange,
} from '../requests/index.ts'
import { openChecked, type PackageDeps, TURNED_OFF } from './checked-package.ts'
import { type Choices, readChoices } from './choices.ts'
import { createMissing, namesForNameless } from './create-missing.ts'
import { addFills, countFills, removeFills } from './fill-outcome-store.ts'
import { changesOf, fillablePart, type PlannedFill, planFill, withFutureIds } from './fill-plan.ts'
import { findNames, isTurnedOn } from './match-store.ts'
import { addFindings, findResult, listFindings, removeFindings, saveResult } from './outcome-store.ts'
import { findingsIn, type KnownNames, namesIn, personNamesIn } from './plan.ts'
import { UNKNOWN } from './write-batch.ts'

export interface FillDeps extends PackageDeps {
  clock: Clock
  /** The number of requests in a batch; tests use small ones. */
  batchRequests?: number
  /** Called after each commit; tests use it to interrupt the fill there. */
  filled?(): void | Promise<void>
}

/** What a pass over the package counts. The rest is in the tables of the job. */
interface Seen {
  total: number
  notOnSite: number
  notImported: number
}

/** Counts what a fill would do. Does not change the site. */
export async function previewFill(tools: JobTools, deps: FillDeps): Promise<FillOutput> {
  const { job } = tools
  const choices = readChoices(job.options)
  // Left by an earlier run that its worker returned to the queue.
  await removeFindings(deps.db, job.id)
  await removeFills(deps.db, job.id)
  return eachBatch(tools, deps, async (requests) => {
    const found = await findFillable(deps.db, job.siteId, idsOf(requests), { lock: false })
    const parts = partsOf(requests, found)
    const known = await findNames(deps.db, job.siteId, namesIn(parts.map(({ request }) => request)), choices)
    await record(deps.db, job.id, parts, known, planAll(parts, found, withFutureIds(known)))
    return found
  })
}

/**
 * Fills what is empty in requests that an import added. Safe to run again: what an earlier attempt filled is not empty any
 * more, and the output covers all attempts.
 */
export async function fillFromPackage(tools: JobTools, deps: FillDeps): Promise<FillOutput> {
  const { job } = tools
  const { db, clock } = deps
  const finished = await findResult<FillOutput>(db, job.id)
  if (finished) return finished
  const choices = readChoices(job.options)
  const output = await eachBatch(tools, deps, async (requests) => {
    const found = await fillBatch(job, requests, { db, choices, at: new Date(clock.now()) })
    await deps.filled?.()
    return found
  })
  await saveResult(db, job, output)
  return output
}

async function eachBatch(
  tools: JobTools,
  { batchRequests, ...deps }: FillDeps,
  take: (requests: readonly PlacedRequest[]) => Promise<ReadonlyMap<string, FillableRequest>>,
): Promise<FillOutput> {
  const { job, progress, signal } = tools
  const seen: Seen = { total: 0, notOnSite: 0, notImported: 0 }
  await using checked = await openChecked(tools, deps)
  const total = checked.report.tickets
  await readRequests(
    checked.opened,
    async (requests) => {
      const found = await take(requests).catch((error: unknown) => {
        signal.throwIfAborted()
        throw stopped(error, { next: requests[0], total })
      })
      seen.total += requests.length
      seen.notOnSite += requests.length - found.size
      for (const { isImported } of found.values()) if (!isImported) seen.notImported += 1
      progress({ stage: 'filling', done: seen.total, total })
    },
    { signal, batchRequests },
  )
  return outputOf(deps.db, job.id, seen)
}

async function outputOf(db: Db, jobId: string, { total, notOnSite, notImported }: Seen): Promise<FillOutput> {
  const { filled, fields } = await countFills(db, jobId)
  const found = await listFindings(db, jobId)
  return {
    tickets: { total, filled, complete: total - filled - notOnSite - notImported, notOnSite, notImported },
    fields,
    tagsToCreate: found.tags,
    unmatchedEmails: found.emails,
    unmatchedUnits: found.units,
    ...(found.unlisted && { unlisted: found.unlisted }),
    missing: found.counts,
  }
}

/** Fills the requests of a batch in one transaction. Throws when another worker has claimed the job. */
async function fillBatch(
  job: JobRow,
  requests: readonly PlacedRequest[],
  { db, choices, at }: { db: Db; choices: Choices; at: Date },
): Promise<ReadonlyMap<string, FillableRequest>> {
  const { siteId, id: jobId } = job
  return db.transaction().execute(async (trx) => {
    await preferIndexes(trx)
    await requireClaim(trx, job)
    if (!(await isTurnedOn(trx, siteId))) throw new JobFailure(TURNED_OFF, { final: true })
    await lockNumbers(trx, siteId)
    const before = partsOf(requests, await findFillable(trx, siteId, idsOf(requests), { lock: false }))
    const named = before.map(({ request }) => request)
    const names = choices.people.create
      ? personNamesIn(requests.map(({ request }) => request))
      : new Map<string, string>()
    const known = await createMissing(trx, siteId, await findNames(trx, siteId, namesIn(named), choices), names)
    await lockPeople(
      trx,
      [...known.people.values()].flatMap(({ id }) => id ?? []),
    )
    const found = await findFillable(trx, siteId, idsOf(requests), { lock: true })
    const parts = partsOf(requests, found)
    const planned = planAll(parts, found, known)
    await applyFills(
      trx,
      at,
      [...planned.values()].map(({ fill }) => fill),
    )
    const changes = parts.flatMap(({ index, request }) => {
      const fill = planned.get(index)
      return fill ? changesOf(fill, request, known) : []
    })
    await recordChange(trx, { at, by: job.startedBy ?? UNKNOWN }, changes)
    await record(trx, jobId, parts, known, planned)
    await nameCreatedPeople(trx, { siteId, jobId }, namesForNameless(known, names))
    return found
  })
}

const idsOf = (requests: readonly PlacedRequest[]) => requests.map(({ request }) => request.externalId)

/** The fillable parts of the requests that an import added. */
function partsOf(
  requests: readonly PlacedRequest[],
  found: ReadonlyMap<string, FillableRequest>,
): readonly PlacedRequest[] {
  return requests.flatMap(({ index, request }) => {
    const own = found.get(request.externalId)
    return own?.isImported ? [{ index, request: fillablePart(request, own) }] : []
  })
}

/** What is set in each request, by its index in the package. */
function planAll(
  parts: readonly PlacedRequest[],
  found: ReadonlyMap<string, FillableRequest>,
  known: KnownNames,
): ReadonlyMap<number, PlannedFill> {
  return new Map(
    parts.flatMap(({ index, request }) => {
      const own = found.get(request.externalId)
      const planned = own && planFill(request, own, known)
      return planned ? [[index, planned]] : []
    }),
  )
}

async function record(
  db: Db,
  jobId: string,
  parts: readonly PlacedRequest[],
  known: KnownNames,
  planned: ReadonlyMap<number, PlannedFill>,
): Promise<void> {
  await addFindings(db, jobId, findingsIn(parts, known))
  const fills = parts.flatMap(({ index, request: { externalId } }) => {
    const plan = planned.get(index)
    return plan ? [{ position: index, number: plan.number, externalId, fields: plan.fields }] : []
  })
  await addFills(db, jobId, fills)
}

/** Describes where a fill stopped. */
function stopped(error: unknown, { next, total }: { next: PlacedRequest | undefined; total: number }): JobFailure {
  const isKnown = error instanceof Failure || error instanceof JobFailure
  const why = isKnown ? error.message : 'an unexpected error occurred'
  const where = `request ${(next?.index ?? 0) + 1} of ${total} (externalId ${show(next?.request.externalId ?? '')})`
  return new JobFailure(
    `The fill stopped at ${where}: ${why}. What came before it is filled; running it again continues from there.`,
    { final: error instanceof JobFailure && error.final, cause: error },
  )
}
