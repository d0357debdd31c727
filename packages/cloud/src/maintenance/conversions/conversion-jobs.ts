import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '@plantroom/base/clock'
import type { ConversionResult, SourceName } from '@plantroom/contract/conversion'
import type { UnplacedValue } from '@plantroom/contract/conversion-account'
import type { AnalysisOutput, ConversionOutput, TrialOutput } from '@plantroom/contract/conversion-jobs'
import { Failure } from '@plantroom/contract/failure'
import type { ConversionJobName } from '@plantroom/contract/jobs'
import type { SourceKind } from '@plantroom/convert/source'
import type { Db } from '../../platform/db/database.ts'
import { storable } from '../../platform/db/storable-text.ts'
import {
  explainWrite,
  exportKey,
  type FileStore,
  packageKey,
  sourceKey,
  sourceUploadName,
  tooManyPackageBytes,
} from '../../platform/files/index.ts'
import { JobFailure, type JobHandlers, type JobTools } from '../../platform/jobs/index.ts'
import { firstSamples } from '../packages/index.ts'
import { forgetUpload } from '../uploads/index.ts'
import { type ConversionOptions, uploadsOf } from './conversion-options.ts'
import { forgetQuotes, saveUnplaced, siteTimeZone } from './conversion-store.ts'
import { explainSource, fetchInputs, type Inputs } from './inputs.ts'
import { createMappingStore } from './mapping-store.ts'
import { boundOutput } from './output-bound.ts'
import { proposeMapping } from './propose-mapping.ts'

export interface ConversionDeps {
  db: Db
  clock: Clock
  files: Pick<FileStore, 'fetch' | 'put' | 'remove' | 'listPackages'>
  /** Folder for exports while they are read, on the disk of the file store. */
  folder: string
  /** What an organization may store as uploaded packages. */
  maxPackageBytes: number
}

/** How many requests a trial shows. */
const TRIAL_SAMPLES = 5
/** The part of an account that is listed by pages. The file has all. */
const MAX_UNPLACED = 10_000
const LISTED_CHARACTERS = 1_000

/** Returns the handlers of the jobs that read exports, for a job process. */
export function createConversionHandlers(deps: ConversionDeps): Pick<JobHandlers, ConversionJobName> {
  return {
    TICKET_SOURCE_ANALYSIS: (tools) => analyze(tools, deps),
    TICKET_CONVERSION_TRIAL: (tools) => tryConversion(tools, deps),
    TICKET_CONVERSION: (tools) => convert(tools, deps),
  }
}

async function analyze(tools: JobTools, deps: ConversionDeps): Promise<AnalysisOutput> {
  const { job, signal } = tools
  const { source, preset } = job.options as ConversionOptions
  await using inputs = await fetchInputs(tools, deps)
  // Loaded here: job processes that import or export packages need no parsers of spreadsheets.
  const { analyzeSource } = await import('@plantroom/convert/convert')
  const kind = await kindOf(source)
  const timeZone = { name: await siteTimeZone(deps.db, job.siteId), from: 'site' } as const
  const options = { signal, timeZone, ...(preset !== null && { preset }) }
  const analysis = await analyzeSource(kind, inputs.paths, options).catch((error: unknown) => {
    throw explainSource(error, inputs)
  })
  return proposeMapping(analysis, await createMappingStore(deps.db).list(job.siteId, source))
}

async function tryConversion(tools: JobTools, deps: ConversionDeps): Promise<TrialOutput> {
  await using inputs = await fetchInputs(tools, deps)
  const { path, result } = await convertInputs(tools, inputs, deps)
  return { ...result, samples: await firstSamples(path, TRIAL_SAMPLES) }
}

async function convert(tools: JobTools, deps: ConversionDeps): Promise<ConversionOutput> {
  const { job } = tools
  await using inputs = await fetchInputs(tools, deps)
  const unplaced: UnplacedValue[] = []
  const { path, account, result } = await convertInputs(tools, inputs, deps, (value) => {
    if (unplaced.length < MAX_UNPLACED) unplaced.push(listed(value))
  })
  await requireRoom(tools, deps, path)
  await saveUnplaced(deps.db, job.id, unplaced)
  await deps.files.put(exportKey(job.siteId, job.id), account)
  // Last, so that a failure above leaves no package behind.
  await deps.files.put(packageKey(job.organizationId, job.siteId, job.filename), path)
  // What cannot be removed now is left to the sweep: the package is complete.
  await removeSources(tools, deps).catch(() => {})
  return { ...result, filename: job.filename, hasAccount: true }
}

async function convertInputs(
  { job, progress, signal }: JobTools,
  inputs: Inputs,
  deps: ConversionDeps,
  onUnplaced: (value: UnplacedValue) => void = () => {},
): Promise<{ path: string; account: string; result: ConversionResult }> {
  const { source, mapping, allowMissing, records } = job.options as ConversionOptions
  if (!mapping) throw new Error('the job has no mapping')
  const path = join(inputs.folder, 'package.fpl')
  const account = join(inputs.folder, 'unplaced.csv')
  const { convertSource } = await import('@plantroom/convert/convert')
  await using bound = await boundOutput(inputs.folder, signal, deps)
  try {
    const result = await convertSource({
      kind: await kindOf(source),
      inputs: inputs.paths,
      mapping,
      ...(inputs.attachments !== undefined && { attachments: inputs.attachments }),
      allowMissing,
      output: path,
      unplacedCsv: account,
      onUnplaced,
      signal: bound.signal,
      now: deps.clock.now(),
      onProgress: (done) => progress({ stage: 'converting', done: done.records, total: records }),
    })
    await bound.check()
    return { path, account, result }
  } catch (error) {
    throw explainWrite(explainSource(error, inputs))
  }
}

async function kindOf(source: SourceName): Promise<SourceKind> {
  const { SOURCES } = await import('@plantroom/convert/sources')
  return SOURCES[source]
}

/** A slice would keep the whole text in memory. */
const copyOf = (slice: string) => Buffer.from(slice, 'utf16le').toString('utf16le')

/** Returns the value as the list has it: storable, and short enough that ten thousand of them fit into memory. */
function listed(unplaced: UnplacedValue): UnplacedValue {
  const text = (given: string) => {
    const start = given.length > LISTED_CHARACTERS ? `${copyOf(given.slice(0, LISTED_CHARACTERS))}…` : given
    return storable(start)
  }
  const { place, column, value } = unplaced
  return { ...unplaced, place: text(place), column: text(column), value: text(value) }
}

/** Refuses a package with which the organization would store more than it may. The export goes, so it does not count. */
async function requireRoom({ job }: JobTools, deps: ConversionDeps, path: string): Promise<void> {
  const { organizationId, siteId, filename } = job
  const leaving = new Set(
    uploadsOf(job.options as ConversionOptions).map(({ uploadId }) => sourceKey(organizationId, siteId, uploadId)),
  )
  leaving.add(packageKey(organizationId, siteId, filename))
  let total = (await stat(path)).size
  try {
    for await (const { key, size } of deps.files.listPackages(organizationId)) if (!leaving.has(key)) total += size
  } catch (error) {
    // A bucket that does not allow lists still takes packages.
    if (!(error instanceof Failure && error.kind === 'unavailable')) throw error
  }
  if (total > deps.maxPackageBytes) throw new JobFailure(tooManyPackageBytes(deps.maxPackageBytes), { final: true })
}

/** Removes the export and what analyses and trials quote from it: the package has its personal data now. */
async function removeSources({ job }: JobTools, { db, files }: ConversionDeps): Promise<void> {
  const { organizationId, siteId } = job
  for (const { uploadId, version } of uploadsOf(job.options as ConversionOptions)) {
    await files.remove(sourceKey(organizationId, siteId, uploadId), version)
    await forgetUpload(db, { siteId, filename: sourceUploadName(uploadId) })
    await forgetQuotes(db, siteId, uploadId)
  }
}
