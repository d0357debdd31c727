import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import type { ImportOutput } from '@plantroom/contract/jobs'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import { show } from '@plantroom/fpl/check-package'
import { packageKey } from '../files/keys.ts'
import type { JobTools } from '../jobs/job.ts'
import { JobFailure } from '../jobs/job-failure.ts'
import { type CheckedPackage, openChecked, type PackageDeps } from './checked-package.ts'
import { createExtractor } from './extract.ts'
import { listFindings } from './finding-store.ts'
import type { PlacedTicket } from './manifest-ticket.ts'
import { countTickets, findTickets } from './match-store.ts'
import { readTickets } from './read-tickets.ts'
import { findResult, saveResult } from './result-store.ts'
import { type Batch, type ImportCounts, writeBatch } from './write-batch.ts'

/** Where an import can be cut off: everything that is named here is tried by a test that does it. */
export const IMPORT_POINTS = ['extracted', 'written', 'committed', 'recorded', 'removed'] as const
export type ImportPoint = (typeof IMPORT_POINTS)[number]

/** Batches after which the site has grown enough for the database to take notice. */
const COUNTED_AFTER: ReadonlySet<number> = new Set([1, 4, 16, 64, 256, 1024])

export interface ImportDeps extends PackageDeps {
  clock: Clock
  /** For those who want to know how far it has come, or to end it just there. */
  reached?(point: ImportPoint): void | Promise<void>
}

/**
 * Puts the requests of a package on the site. Safe to run again: what an earlier attempt wrote stays and is not written
 * again, and at the end the output tells of all attempts as of one.
 */
export async function importPackage(tools: JobTools, deps: ImportDeps): Promise<ImportOutput> {
  const { job } = tools
  const reached = deps.reached ?? (() => {})
  let output = await findResult(deps.db, job.id)
  if (!output) {
    output = await importAll(tools, { ...deps, reached })
    // From here on the package is not needed any more, also by whoever takes the job over.
    await saveResult(deps.db, job, output)
    await reached('recorded')
  }
  const key = packageKey(job.organizationId, job.siteId, job.filename)
  await deps.files.remove(key, job.packageVersion ?? '')
  await reached('removed')
  return output
}

async function importAll(tools: JobTools, deps: Required<Pick<ImportDeps, 'reached'>> & ImportDeps) {
  const { job } = tools
  await using checked = await openChecked(tools, deps)
  const counts: ImportCounts = { tickets: 0, comments: 0, attachments: 0, skipped: 0 }
  const place: Place = { counts, total: checked.report.tickets, begun: [] }
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

/** How far an import has come. */
interface Place {
  readonly counts: ImportCounts
  readonly total: number
  /** The first requests of the batches that were begun. */
  readonly begun: { index: number; externalId: string }[]
}

/** The files of a batch are extracted while those of the batch before it are flushed and its requests written. */
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

  async function write({ tickets, before }: Batch, kept: Promise<void>): Promise<void> {
    await kept
    await reached('extracted')
    const written = await writeBatch(
      job,
      { tickets, before },
      { db, importedAt, fileOf, written: () => reached('written') },
    )
    for (const name of ['tickets', 'comments', 'attachments', 'skipped'] as const) place.counts[name] += written[name]
    progress({ stage: 'importing', done: passed(place), total: place.total })
    await reached('committed')
    batches += 1
    if (COUNTED_AFTER.has(batches)) await countTickets(db)
  }

  async function take(tickets: readonly PlacedTicket[]): Promise<void> {
    const externalIds = tickets.map(({ ticket }) => ticket.externalId)
    place.begun.push({ index: tickets[0]?.index ?? 0, externalId: externalIds[0] ?? '' })
    const before = await findTickets(db, job.siteId, externalIds)
    const fresh = tickets.filter(({ ticket }) => !before.has(ticket.externalId))
    const { kept } = await extract(
      fresh.map(({ ticket }) => ticket),
      signal,
    )
    await writing
    writing = write({ tickets, before }, kept)
    // It is told when the next batch waits for it.
    writing.catch(() => {})
  }

  try {
    await readTickets(opened, take, { signal })
  } finally {
    // Also when reading failed: what is being written is then whole, and counted, before anything is said of it.
    await writing
  }
}

const passed = ({ counts }: Place) => counts.tickets + counts.skipped

/** What to tell of an import that did not get through. */
function stopped(error: unknown, place: Place): JobFailure {
  const onSite = passed(place)
  const next = place.begun.find(({ index }) => index === onSite)
  const isKnown = error instanceof Failure || error instanceof JobFailure
  const why = isKnown ? error.message : 'an unexpected error occurred'
  const where = `request ${onSite + 1} of ${place.total}${next ? ` (externalId ${show(next.externalId)})` : ''}`
  const there = onSite === 1 ? '1 request of the package is' : `${onSite} requests of the package are`
  return new JobFailure(
    `The import stopped at ${where}: ${why}. So far ${there} on the site; running the import again continues from there.`,
    { final: error instanceof JobFailure && error.final, cause: error },
  )
}
