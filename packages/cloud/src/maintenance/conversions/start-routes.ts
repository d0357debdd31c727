import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
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
import { readFileName, readSourceName } from '../packages/index.ts'
import { MAPPING_BODY_BYTES, requireMapping } from './check-mapping.ts'
import type { AcceptedUpload, ConversionOptions } from './conversion-options.ts'
import type { ConversionStore } from './conversion-store.ts'
import { keepMapping } from './mapping-routes.ts'

const UPLOAD_EXPIRES_S = 3600

export interface StartDeps {
  /** Accepts a job, which then always runs, and returns its id. */
  accept(job: Omit<NewJob, 'startedBy'>, request: FastifyRequest): Promise<string>
  /** Records the name, so that the file is removed if nobody uses it. Throws when there are too many. */
  recordUpload(upload: { organizationId: string; siteId: string; filename: string }): Promise<void>
  store: Pick<ConversionStore, 'find'>
  files: Pick<FileStore, 'uploadUrl' | 'stat'>
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

/** Gives out addresses for files of exports and starts the jobs that read them. */
export function startRoutes(app: FastifyInstance, deps: StartDeps): void {
  addRoute(app, API.getSourceUploadUrl, async (request) => {
    const { orgId: organizationId, propertyId: siteId } = request.params
    readSourceName(request.query.filename)
    const uploadId = newId('upload')
    await deps.recordUpload({ organizationId, siteId, filename: sourceUploadName(uploadId) })
    const key = sourceKey(organizationId, siteId, uploadId)
    return { uploadId, url: await deps.files.uploadUrl(key, { expiresInS: UPLOAD_EXPIRES_S }) }
  })

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
