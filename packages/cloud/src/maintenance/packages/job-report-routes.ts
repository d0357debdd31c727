import { API } from '@plantroom/contract/api'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Page } from '../../platform/db/page.ts'
import type { JobStore, PageOfJob } from '../../platform/jobs/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { sendCsv } from '../../platform/streams/index.ts'
import { requireJob } from './job-routes.ts'
import type { ReportStore } from './report-store.ts'

const CSV_PAGE = 1_000

interface ReportRequest {
  params: { propertyId: string; jobId: string }
  query: { format: 'json' | 'csv'; limit: number; cursor?: string }
}

interface Report<Item> {
  name: 'problems' | 'findings' | 'fills' | 'numbers'
  read(page: PageOfJob): Promise<Page<Item>>
  columns: readonly string[]
  cells(item: Item): readonly string[]
}

/** Adds the reports of a job beside its output: problems, findings and assigned numbers. */
export function jobReportRoutes(
  app: FastifyInstance,
  { store, reports }: { store: Pick<JobStore, 'find'>; reports: ReportStore },
): void {
  const answer =
    <Item>(report: Report<Item>) =>
    async (request: ReportRequest, reply: FastifyReply) => {
      await requireJob(store, request.params.propertyId, request.params.jobId)
      return sendReport(report, request, reply)
    }

  addRoute(
    app,
    API.listJobProblems,
    answer({
      name: 'problems',
      read: reports.problems,
      columns: ['path', 'value', 'rule', 'row', 'externalId'],
      cells: ({ row, externalId, path, value, rule }) => [path, value ?? '', rule, `${row ?? ''}`, externalId ?? ''],
    }),
  )
  addRoute(app, API.listJobSamples, async (request) => {
    const { propertyId, jobId } = request.params
    await requireJob(store, propertyId, jobId)
    return { samples: await reports.samples(jobId) }
  })
  addRoute(
    app,
    API.listJobFindings,
    answer({
      name: 'findings',
      read: reports.findings,
      columns: ['kind', 'value', 'roles', 'outcome'],
      cells: ({ kind, value, roles, outcome }) => [kind, value, roles.join(' '), outcome],
    }),
  )
  addRoute(
    app,
    API.listJobFills,
    answer({
      name: 'fills',
      read: reports.fills,
      columns: ['externalId', 'number', 'fields'],
      cells: ({ externalId, number, fields }) => [externalId, String(number), fields.join(' ')],
    }),
  )
  addRoute(
    app,
    API.listJobNumbers,
    answer({
      name: 'numbers',
      read: reports.numbers,
      columns: ['externalId', 'number'],
      cells: ({ externalId, number }) => [externalId, String(number)],
    }),
  )
}

async function sendReport<Item>(
  { name, read, columns, cells }: Report<Item>,
  { params: { jobId }, query: { format, limit, cursor } }: ReportRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (format === 'csv') {
    const readAll = (cursor: string | undefined) => read({ jobId, limit: CSV_PAGE, cursor })
    return sendCsv(reply, { filename: `${jobId}-${name}.csv`, columns, read: readAll, cells })
  }
  const { items, next } = await read({ jobId, limit, cursor })
  return reply.type('application/json').send({ [name]: items, nextCursor: next })
}
