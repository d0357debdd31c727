import { API } from '@plantroom/contract/api'
import type { ConversionJob } from '@plantroom/contract/conversion-jobs'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { exportKey, type FileStore } from '../../platform/files/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { sendCsv } from '../../platform/streams/index.ts'
import type { ConversionStore } from './conversion-store.ts'

const CSV_PAGE = 1_000

/** Shows the jobs of conversions and their reports. */
export function readRoutes(
  app: FastifyInstance,
  { store, files }: { store: ConversionStore; files: Pick<FileStore, 'read'> },
): void {
  addRoute(app, API.listConversions, async (request) => {
    const { items, next } = await store.list({ ...request.query, siteId: request.params.propertyId })
    return { conversions: items.map((job) => withoutOthers(request, job)), nextCursor: next }
  })

  addRoute(app, API.getConversion, async (request) => {
    const { propertyId, jobId } = request.params
    return withoutOthers(request, await requireConversion(store, propertyId, jobId))
  })

  addRoute(app, API.listConversionProblems, async (request, reply) => {
    const { propertyId, jobId } = request.params
    const { format, limit, cursor } = request.query
    await requireConversion(store, propertyId, jobId)
    if (format === 'csv') {
      return sendCsv(reply, {
        filename: `${jobId}-problems.csv`,
        columns: ['place', 'column', 'message'],
        read: (cursor) => store.problems({ jobId, limit: CSV_PAGE, cursor }),
        cells: ({ place, column, message }) => [place, column ?? '', message],
      })
    }
    const { items, next } = await store.problems({ jobId, limit, cursor })
    return { problems: items, nextCursor: next }
  })

  addRoute(app, API.listUnplacedValues, async (request, reply) => {
    const { propertyId: siteId, jobId } = request.params
    const { format, limit, cursor } = request.query
    const job = await requireConversion(store, siteId, jobId)
    if (!hasAccount(job)) {
      throw new Failure('notFound', 'this job has no account: only a conversion that succeeded has one, for seven days')
    }
    if (format === 'csv') {
      const file = await files.read(exportKey(siteId, jobId))
      const disposition = `attachment; filename="${jobId}-unplaced.csv"`
      return reply.type('text/csv; charset=utf-8').header('content-disposition', disposition).send(file)
    }
    const { items, next } = await store.unplaced({ jobId, limit, cursor })
    return { unplaced: items, nextCursor: next }
  })
}

const hasAccount = ({ output }: ConversionJob) => output !== null && 'hasAccount' in output && output.hasAccount

/** Finds a conversion of a site. Unknown jobs, jobs of other kinds and jobs of other sites get the same answer. */
async function requireConversion(store: ConversionStore, siteId: string, id: string): Promise<ConversionJob> {
  const found = await store.find(siteId, id)
  if (!found) throw new Failure('notFound', `this site has no conversion ${shown(id)}`)
  return found
}

/** A key sees of others only what kind of caller they are. */
function withoutOthers({ keyId }: Pick<FastifyRequest, 'keyId'>, job: ConversionJob): ConversionJob {
  const { startedBy } = job
  if (keyId === undefined || startedBy === null || startedBy.id === keyId) return job
  return { ...job, startedBy: { kind: startedBy.kind, id: null, name: null } }
}
