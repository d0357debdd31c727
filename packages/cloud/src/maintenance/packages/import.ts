import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { ImportOutput } from '@plantroom/contract/jobs'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { type PlacedRequest, readRequests } from '@plantroom/fpl/read-requests'
import { createStatisticsUpdater } from '../../platform/db/planner-statistics.ts'
import { isFinalFailure, JobFailure, type JobTools, reasonFor } from '../../platform/jobs/index.ts'
import { removeImported } from '../uploads/index.ts'
import { type CheckedPackage, openChecked, type PackageDeps } from './checked-package.ts'
import { readChoices } from './choices.ts'
import { describeStop } from './describe-stop.ts'
import { createExtractor } from './extract.ts'
import { findRequests } from './match-store.ts'
import { findResult, type ImportProgress, importedSoFar, listFindings, saveResult } from './outcome-store.ts'
import { removeSamples } from './sample-store.ts'
import { type Batch, type ImportCounts, writeBatch } from './write-batch.ts'

/** Points at which tests interrupt an import. */
export const IMPORT_POINTS = ['extracted', 'written', 'committed', 'recorded', 'removed'] as const
export type ImportPoint = (typeof IMPORT_POINTS)[number]

export interface ImportDeps extends PackageDeps {
  clock: Clock
  /** Called at every point; tests use it to interrupt the import there. */
  reached?(point: ImportPoint): void | Promise<void>
  /** The number of requests in a batch; tests use small ones. */
  batchRequests?: number
}

/**
 * Imports the requests of a package. Safe to run again: it skips what an earlier attempt wrote, and its output covers all
 * attempts.
 */
export async function importPackage(tools: JobTools, deps: ImportDeps): Promise<ImportOutput> {
  const { job } = tools
  const reached = deps.reached ?? (() => {})
  let output = await findResult<ImportOutput>(deps.db, job.id)
  if (!output) {
    output = await importAll(tools, { ...deps, reached })
    await saveResult(deps.db, job, output)
    await reached('recorded')
  }
  // The requests are on the site, so a package that cannot be removed does not fail the import. A sweep removes it later.
  await removeImported(deps, job.id).catch(() => {})
  await removeSamples(deps.db, job)
  await reached('removed')
  return output
}

async function importAll(tools: JobTools, deps: Required<Pick<ImportDeps, 'reached'>> & ImportDeps) {
  const { job } = tools
  const counts: ImportCounts = { tickets: 0, comments: 0, attachments: 0, skipped: 0 }
  const place: Place = { counts, total: undefined, started: [] }
  await readAndWrite(tools, deps, place).catch(async (error: unknown) => {
    tools.signal.throwIfAborted()
    throw stopped(error, place, await importedSoFar(deps.db, job.id))
  })
  const { tickets, comments, attachments, skipped } = counts
  const found = await listFindings(deps.db, job.id)
  return {
    created: { tickets, comments, attachments, tags: found.counts.tags.created },
    skipped,
    unmatchedEmails: found.emails,
    unmatchedUnits: found.units,
    // The output of an import counts new tags, but does not list them.
    ...(found.unlisted && { unlisted: { ...found.unlisted, tags: 0 } }),
    ...(job.options && { missing: found.counts }),
  }
}

async function readAndWrite(
  tools: JobTools,
  deps: Required<Pick<ImportDeps, 'reached'>> & ImportDeps,
  place: Place,
): Promise<void> {
  await using checked = await openChecked(tools, deps)
  place.total = checked.report.tickets
  await writeAll(tools, deps, checked, place)
}

/** The progress of an import. */
interface Place {
  readonly counts: ImportCounts
  /** Requests of the package; undefined until it is checked. */
  total: number | undefined
  /** First requests of the batches that were started. */
  readonly started: { index: number; externalId: string }[]
}

/** Extracts the files of one batch while the previous batch is flushed and written. */
async function writeAll(
  { job, progress, signal }: JobTools,
  deps: Required<Pick<ImportDeps, 'reached'>> & ImportDeps,
  { opened }: CheckedPackage,
  place: Place,
): Promise<void> {
  const { db, reached } = deps
  const importedAt = formatTimestamp(deps.clock.now())
  const choices = readChoices(job.options)
  const { extract, fileOf } = createExtractor(opened, job.siteId, deps.files)
  const updateStatistics = createStatisticsUpdater(db)
  let writing: Promise<void> = Promise.resolve()

  async function write(batch: Batch, kept: Promise<void>): Promise<void> {
    // Rows must not be committed before a power cut can no longer lose their files.
    await kept
    await reached('extracted')
    const written = await writeBatch(job, batch, { db, choices, importedAt, fileOf, written: () => reached('written') })
    for (const name of ['tickets', 'comments', 'attachments', 'skipped'] as const) place.counts[name] += written[name]
    progress({ stage: 'importing', done: passed(place), total: place.total ?? 0 })
    await reached('committed')
    await updateStatistics(written.added)
  }

  async function take(requests: readonly PlacedRequest[]): Promise<void> {
    const externalIds = requests.map(({ request }) => request.externalId)
    place.started.push({ index: requests[0]?.index ?? 0, externalId: externalIds[0] ?? '' })
    const before = await findRequests(db, job.siteId, externalIds)
    const fresh = requests.filter(({ request }) => !before.has(request.externalId))
    const { kept } = await extract(
      fresh.map(({ request }) => request),
      signal,
    )
    await writing
    writing = write({ requests, before, total: place.total ?? 0 }, kept)
    // The next batch, or the end, awaits it and sees the rejection.
    writing.catch(() => {})
  }

  try {
    await readRequests(opened, take, { signal, batchRequests: deps.batchRequests })
  } finally {
    // Even when reading failed: the failure message counts what this batch wrote.
    await writing
  }
}

const passed = ({ counts }: Place) => counts.tickets + counts.skipped

/**
 * Describes where an import stopped. Earlier attempts may have come further than this one, which perhaps could not even
 * read the package. The verdict on a package of which nothing was imported stays as it is: the contract fixes its form.
 */
function stopped(error: unknown, place: Place, soFar: ImportProgress): JobFailure {
  const onSite = soFar.passed
  const failure = error instanceof JobFailure ? error : undefined
  if (failure?.problems && onSite === 0) return failure
  const message = describeStop({
    onSite,
    added: soFar.created,
    total: place.total ?? soFar.total,
    externalId: place.started.find(({ index }) => index === onSite)?.externalId,
    why: error instanceof Failure || error instanceof JobFailure ? error.message : reasonFor(error),
  })
  const isFinal = failure?.final ?? (error instanceof Failure && isFinalFailure(error.kind))
  const problems = failure?.problems
  return new JobFailure(message, { final: isFinal, ...(problems && { problems }), cause: error })
}
