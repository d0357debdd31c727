import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { ImportOutput } from '@plantroom/contract/jobs'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { show } from '@plantroom/fpl/check-package'
import { packageKey } from '../files/index.ts'
import { JobFailure, type JobTools } from '../jobs/index.ts'
import { type CheckedPackage, openChecked, type PackageDeps } from './checked-package.ts'
import { createExtractor } from './extract.ts'
import { analyzeRequests, findRequests } from './match-store.ts'
import { findResult, listFindings, saveResult } from './outcome-store.ts'
import { type PlacedRequest, readRequests } from './read-requests.ts'
import { removeSamples } from './sample-store.ts'
import { type Batch, type ImportCounts, writeBatch } from './write-batch.ts'

/** Points at which tests interrupt an import. */
export const IMPORT_POINTS = ['extracted', 'written', 'committed', 'recorded', 'removed'] as const
export type ImportPoint = (typeof IMPORT_POINTS)[number]

/** Batches after which the table has grown enough to need new statistics. */
const ANALYZED_AFTER: ReadonlySet<number> = new Set([1, 4, 16, 64, 256, 1024])

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
  let output = await findResult(deps.db, job.id)
  if (!output) {
    output = await importAll(tools, { ...deps, reached })
    // From here on no attempt needs the package.
    await saveResult(deps.db, job, output)
    await reached('recorded')
  }
  const key = packageKey(job.organizationId, job.siteId, job.filename)
  await deps.files.remove(key, job.packageVersion ?? '')
  await removeSamples(deps.db, job)
  await reached('removed')
  return output
}

async function importAll(tools: JobTools, deps: Required<Pick<ImportDeps, 'reached'>> & ImportDeps) {
  const { job } = tools
  await using checked = await openChecked(tools, deps)
  const counts: ImportCounts = { tickets: 0, comments: 0, attachments: 0, skipped: 0 }
  const place: Place = { counts, total: checked.report.tickets, started: [] }
  await writeAll(tools, deps, checked, place).catch((error: unknown) => {
    tools.signal.throwIfAborted()
    throw stopped(error, place)
  })
  const { tickets, comments, attachments, skipped } = counts
  const found = await listFindings(deps.db, job.id)
  return {
    created: { tickets, comments, attachments, tags: found.tagCount },
    skipped,
    unmatchedEmails: found.emails,
    unmatchedUnits: found.units,
  }
}

/** The progress of an import. */
interface Place {
  readonly counts: ImportCounts
  readonly total: number
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
  const { extract, fileOf } = createExtractor(opened, job.siteId, deps.files)
  let writing: Promise<void> = Promise.resolve()
  let batches = 0

  async function write(batch: Batch, kept: Promise<void>): Promise<void> {
    // Rows must not be committed before a power cut can no longer lose their files.
    await kept
    await reached('extracted')
    const written = await writeBatch(job, batch, { db, importedAt, fileOf, written: () => reached('written') })
    for (const name of ['tickets', 'comments', 'attachments', 'skipped'] as const) place.counts[name] += written[name]
    progress({ stage: 'importing', done: passed(place), total: place.total })
    await reached('committed')
    batches += 1
    if (ANALYZED_AFTER.has(batches)) await analyzeRequests(db)
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
    writing = write({ requests, before }, kept)
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

/** Describes where an import stopped. */
function stopped(error: unknown, place: Place): JobFailure {
  const onSite = passed(place)
  const next = place.started.find(({ index }) => index === onSite)
  const isKnown = error instanceof Failure || error instanceof JobFailure
  const why = isKnown ? error.message : 'an unexpected error occurred'
  const where = `request ${onSite + 1} of ${place.total}${next ? ` (externalId ${show(next.externalId)})` : ''}`
  const there = onSite === 1 ? '1 request of the package is' : `${onSite} requests of the package are`
  return new JobFailure(
    `The import stopped at ${where}: ${why}. So far ${there} on the site; running the import again continues from there.`,
    { final: error instanceof JobFailure && error.final, cause: error },
  )
}
