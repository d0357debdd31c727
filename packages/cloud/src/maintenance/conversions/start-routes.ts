import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import type { Mapping, SourceAnalysis, SourceName } from '@plantroom/contract/conversion'
import type { SourceUpload } from '@plantroom/contract/conversion-jobs'
import { Failure } from '@plantroom/contract/failure'
import type { ConversionJobName } from '@plantroom/contract/jobs'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import { type FileStore, sourceKey, sourceUploadName } from '../../platform/files/index.ts'
import type { NewJob } from '../../platform/jobs/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { readFileName, readSourceName, type UploadRecorder } from '../uploads/index.ts'
import { MAPPING_BODY_BYTES, requireMapping } from './check-mapping.ts'
import type { AcceptedUpload, ConversionOptions } from './conversion-options.ts'
import type { ConversionStore } from './conversion-store.ts'
import { keepMapping } from './mapping-routes.ts'

export interface StartDeps {
  /** Accepts a job, which then always runs, and returns its id. */
  accept(job: Omit<NewJob, 'startedBy'>, request: FastifyRequest): Promise<string>
  recordUpload: UploadRecorder
  store: Pick<ConversionStore, 'find'>
  files: Pick<FileStore, 'stat'>
  activity: Pick<ActivityLog, 'change'>
  clock: Clock
}

interface Given {
  source: SourceName
  files: readonly SourceUpload[]
  attachments?: SourceUpload | undefined
  preset?: string | undefined
  mapping?: Mapping
  analysisId?: string | undefined
  allowMissing?: boolean | undefined
}

type OfSite = FastifyRequest<{ Params: { orgId: string; propertyId: string } }>

/** Starts the jobs that read the files of an export. */
export function startRoutes(app: FastifyInstance, deps: StartDeps): void {
  addRoute(app, API.startSourceAnalysis, (request) => {
    const [first] = request.body.files
    return start(deps, request, 'TICKET_SOURCE_ANALYSIS', request.body, first?.filename ?? '')
  })

  const limits = { bodyLimit: MAPPING_BODY_BYTES, whenTooLarge: 'shorten the mapping' }

  addRoute(
    app,
    API.startConversionTrial,
    async (request) => {
      requireMapping(request.body.mapping)
      const [first] = request.body.files
      return start(deps, request, 'TICKET_CONVERSION_TRIAL', request.body, first?.filename ?? '')
    },
    limits,
  )

  addRoute(
    app,
    API.startConversion,
    async (request) => {
      const { orgId: organizationId, propertyId: siteId } = request.params
      const { mapping, source, keepAs } = request.body
      requireMapping(mapping)
      const filename = readFileName(request.body.filename)
      await deps.recordUpload({ organizationId, siteId, filename })
      const started = await start(deps, request, 'TICKET_CONVERSION', request.body, filename)
      if (keepAs !== undefined) await keepMapping(deps, request, { source, name: keepAs, mapping })
      return started
    },
    limits,
  )
}

async function start(
  deps: StartDeps,
  request: OfSite,
  name: ConversionJobName,
  given: Given,
  filename: string,
): Promise<{ jobId: string }> {
  const { orgId: organizationId, propertyId: siteId } = request.params
  const { source, preset = null, mapping = null, analysisId = null, allowMissing = false } = given
  const accepted: AcceptedUpload[] = []
  for (const file of given.files) accepted.push(await acceptUpload(deps, request, file))
  const attachments = given.attachments ? await acceptUpload(deps, request, given.attachments) : null
  const records = analysisId === null ? 0 : await recordsOf(deps.store, siteId, analysisId)
  const chosen = { preset, mapping, analysisId, allowMissing }
  const options: ConversionOptions = { source, files: accepted, attachments, ...chosen, records }
  const keyId = request.keyId ?? null
  const job = { organizationId, siteId, name, filename, packageVersion: null, options, keyId }
  return { jobId: await deps.accept(job, request) }
}

/** Finds an uploaded file of this site. Starting a job counts as a use, so that the sweep leaves the file to the job. */
async function acceptUpload(deps: StartDeps, request: OfSite, upload: SourceUpload): Promise<AcceptedUpload> {
  const { orgId: organizationId, propertyId: siteId } = request.params
  const { uploadId, filename } = upload
  readSourceName(filename)
  const file = await deps.files.stat(sourceKey(organizationId, siteId, uploadId))
  if (!file) {
    throw new Failure('notFound', `the file ${shown(filename)} is not here, or not any more: upload it again`)
  }
  await deps.recordUpload({ organizationId, siteId, filename: sourceUploadName(uploadId) })
  return { uploadId, filename, version: file.version }
}

async function recordsOf(store: StartDeps['store'], siteId: string, analysisId: string): Promise<number> {
  const analysis = await store.find(siteId, analysisId)
  if (analysis?.name !== 'TICKET_SOURCE_ANALYSIS') {
    throw new Failure('notFound', `this site has no analysis ${shown(analysisId)}`)
  }
  return (analysis.output as SourceAnalysis | null)?.records ?? 0
}
