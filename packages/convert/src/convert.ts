import { randomUUID } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import type { ConversionResult, DateOrder, Mapping, SourceAnalysis } from '@plantroom/contract/conversion'
import type { UnplacedValue } from '@plantroom/contract/conversion-account'
import type { ConversionNote } from '@plantroom/contract/conversion-notes'
import { checkPackage } from '@plantroom/fpl/check-package'
import type { ManifestTicket } from '@plantroom/fpl/manifest'
import { writePackage } from '@plantroom/fpl/write-package'
import { createAccount } from './account.ts'
import { createContradictions } from './contradictions.ts'
import { createAttacher } from './files/attach.ts'
import { openFileStore } from './files/file-store.ts'
import { applyColumns } from './mapping/apply.ts'
import { createColumnStudy, describeColumns } from './mapping/columns.ts'
import { type CompiledMapping, compileMapping } from './mapping/compile.ts'
import { statesByEvidence } from './mapping/evidence.ts'
import { headerHints, type ProposedZone, proposeMapping } from './mapping/propose.ts'
import { describeUnrecognized, isRecognized } from './mapping/recognized.ts'
import { note } from './notes.ts'
import { createProblemList, type ProblemList } from './problems.ts'
import { type OpenOptions, type Source, SourceError, type SourceKind, type SourceRecord } from './source.ts'
import { type TicketDeps, ticketOf } from './ticket.ts'

export interface AnalyzeOptions {
  preset?: string | undefined
  /** Of dates that name none, unless the system is known to use another. */
  timeZone?: ProposedZone | undefined
  /** Of dates that fit both orders. */
  dateOrder?: DateOrder | undefined
  signal?: AbortSignal | undefined
  open?: OpenOptions | undefined
}

export interface ConvertOptions {
  kind: SourceKind
  inputs: readonly string[]
  mapping: Mapping
  /** A folder or a ZIP file with the attachments. */
  attachments?: string | undefined
  /** The path of the package. */
  output: string
  /** The path of a CSV file with every value that has no field of its own: place,column,value,became. */
  unplacedCsv?: string | undefined
  /** Called for every value that has no field of its own. */
  onUnplaced?(value: UnplacedValue): void
  /** Accounts for attachments that are not there instead of refusing the source. */
  allowMissing?: boolean | undefined
  open?: OpenOptions | undefined
  signal?: AbortSignal | undefined
  /** The present, in milliseconds. Without it, dates in the future are not counted. */
  now?: number | undefined
  onProgress?(done: { records: number }): void
}

const PROGRESS_EVERY = 500
/** More do not fit into the 100 MB of a manifest, and their ids are all remembered. */
const MOST_RECORDS = 500_000

function requireFew(records: number): void {
  if (records <= MOST_RECORDS) return
  const message = `has more than ${MOST_RECORDS} requests, which do not fit into one package; split it into several`
  throw new SourceError([{ place: 'the export', message }])
}

/**
 * Reads a whole source and proposes a mapping from its headers and values. Throws a `SourceError` with every problem of
 * the source.
 */
export async function analyzeSource(
  kind: SourceKind,
  inputs: readonly string[],
  { preset, timeZone, dateOrder, signal, open }: AnalyzeOptions = {},
): Promise<SourceAnalysis> {
  await using source = await kind.open(inputs, open)
  const study = createColumnStudy(source.columns ?? [], headerHints(kind))
  const problems = createProblemList()
  try {
    for await (const record of source.records()) {
      if (study.records() % PROGRESS_EVERY === 0) signal?.throwIfAborted()
      study.add(record)
      if (study.records() > MOST_RECORDS) break
    }
  } catch (error) {
    problems.absorb(error)
  }
  requireFew(study.records())
  const facts = { columns: study.columns(), commentDates: study.commentDates }
  const known = { preset, timeZone, dateOrder }
  let proposal = proposeMapping(kind, facts, known)
  if (problems.count() === 0 && proposal.unknownStates.size > 0) {
    const states = await statesByEvidence(source, compileMapping(proposal.mapping), proposal.unknownStates, signal)
    proposal = proposeMapping(kind, facts, known, states)
  }
  const { mapping, timeZoneFrom, notes } = proposal
  // A person corrects all mistakes of a file in one go, so look for those of its values too.
  if (problems.count() > 0) await findWrongValues(source, mapping, problems)
  problems.throwIfAny()
  return {
    source: kind.name,
    records: study.records(),
    columns: describeColumns(study.columns()),
    mapping,
    timeZoneFrom,
    notes: [...(source.notes ?? []), ...notes],
  }
}

async function findWrongValues(source: Source, mapping: Mapping, problems: ProblemList): Promise<void> {
  const account = createAccount()
  const compiled = compileMapping(mapping)
  try {
    for await (const record of source.records()) applyColumns(record, { mapping: compiled, account, problems })
  } catch {
    // The same problems as the first time.
  }
}

/**
 * Converts a source into a package that a check accepts: complete and under its name, or not at all. Throws a
 * `SourceError` with every problem, at most 10,000.
 */
export async function convertSource(options: ConvertOptions): Promise<ConversionResult> {
  const { kind, inputs, output, signal } = options
  const mapping = compileMapping(options.mapping, kind.columnOf)
  const problems = createProblemList()
  using files = openFileStore(options.attachments)
  await using source = await kind.open(inputs, options.open)
  await using account = createAccount(options.unplacedCsv, options.onUnplaced)
  const attacher = createAttacher({ files, allowMissing: options.allowMissing ?? false, account, problems })
  const counts = { comments: 0, attachments: 0, derivedIds: 0, derivedTitles: 0, byEvidence: 0 }
  const contradictions = createContradictions(options.now)
  const known = { ids: new Map(), copies: new Map() }
  const deps: TicketDeps = { mapping, account, problems, attacher, ...known, counts, contradictions }
  const columns = new Set(source.columns)
  const temporary = `${output}.${randomUUID()}.part`
  try {
    const tickets = ticketsOf(readRecords(source, columns, mapping, problems, options), deps)
    await written(temporary, { tickets, attachments: attached() }, signal)
    await checked(temporary, signal)
    await account.commit()
    await rename(temporary, output)
  } finally {
    await rm(temporary, { force: true })
  }
  const notes = [...(source.notes ?? []), ...mapping.differences(columns), ...notesOn(counts)]
  const found = contradictions.found()
  return {
    tickets: deps.ids.size,
    comments: counts.comments,
    attachments: counts.attachments,
    unplaced: account.totals(),
    ...(notes.length > 0 && { notes }),
    ...(found.length > 0 && { contradictions: found }),
  }

  // Requested after the last ticket: only then all files are known.
  function* attached() {
    yield* attacher.stored()
  }
}

async function* readRecords(
  source: Source,
  columns: Set<string>,
  mapping: CompiledMapping,
  problems: ProblemList,
  { kind, signal, onProgress }: ConvertOptions,
): AsyncGenerator<SourceRecord, void> {
  let records = 0
  try {
    for await (const record of source.records()) {
      records += 1
      requireFew(records)
      for (const column of record.values.keys()) columns.add(column)
      yield record
      if (records % PROGRESS_EVERY !== 0) continue
      signal?.throwIfAborted()
      onProgress?.({ records })
    }
  } catch (error) {
    problems.absorb(error)
  }
  onProgress?.({ records })
  if (records === 0) problems.add({ place: 'source', message: 'there is no record in it; export it again' })
  else if (!isRecognized(kind, mapping.targets(columns))) {
    problems.add({ place: 'mapping', column: 'columns', message: describeUnrecognized(kind, [...columns]) })
  }
}

/** Collects the problems of all records before it fails. */
async function* ticketsOf(
  records: AsyncIterable<SourceRecord>,
  deps: TicketDeps,
): AsyncGenerator<ManifestTicket, void> {
  for await (const record of records) {
    yield ticketOf(record, deps)
    await deps.account.drained()
  }
  deps.problems.throwIfAny()
}

async function written(
  path: string,
  content: Parameters<typeof writePackage>[1],
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await writePackage(path, content, signal ? { signal } : {})
  } catch (error) {
    const { message } = error as Error
    if (!message.startsWith('The package cannot be written: ')) throw error
    const rule = message.slice('The package cannot be written: '.length)
    throw new SourceError([{ place: 'package', message: `${rule}; split the export into several` }])
  }
}

/** No conversion should write what an import refuses. If one does, nobody gets the file. */
async function checked(path: string, signal: AbortSignal | undefined): Promise<void> {
  const report = await checkPackage(path, signal ? { signal } : {})
  if (report.valid) return
  const problems = report.problems.map(({ path: place, message }) => ({ place, message }))
  throw new SourceError(problems.length > 0 ? problems : [{ place: 'package', message: report.message ?? '' }])
}

function notesOn({ derivedIds, derivedTitles, byEvidence }: TicketDeps['counts']): ConversionNote[] {
  return [
    ...(derivedIds > 0 ? [note('derived-ids', { count: derivedIds })] : []),
    ...(derivedTitles > 0 ? [note('derived-titles', { count: derivedTitles })] : []),
    ...(byEvidence > 0 ? [note('requests-by-evidence', { count: byEvidence })] : []),
  ]
}
