import type { FastifyInstance } from 'fastify'
import type { JobStore } from '../jobs/index.ts'
import { sendCsv } from '../streams/index.ts'
import { BASE, MAY_READ, nextCursor, pageQuery, tags } from './job-schemas.ts'
import type { AssignedNumber, ReportedFinding, ReportedProblem, ReportPage, ReportStore } from './report-store.ts'
import { requireJob } from './shown-job.ts'

const MAX_LIMIT = 10_000
const DEFAULT_LIMIT = 1_000

const querystring = {
  type: 'object',
  properties: {
    format: { enum: ['json', 'csv'], default: 'json', description: 'json returns pages, csv everything' },
    ...pageQuery(MAX_LIMIT, DEFAULT_LIMIT),
  },
} as const

interface ReportRoute {
  Params: { orgId: string; propertyId: string; jobId: string }
  Querystring: { format: 'json' | 'csv'; limit: number; cursor?: string }
}

type ReadPage<Item> = (query: { jobId: string; limit: number; after?: string | undefined }) => Promise<ReportPage<Item>>

/** Reports of a job beside its output: problems, findings and assigned numbers. */
export function jobReportRoutes(
  app: FastifyInstance,
  deps: { store: Pick<JobStore, 'find'>; reports: ReportStore },
): void {
  function report<Item>(options: {
    name: 'problems' | 'findings' | 'numbers'
    summary: string
    item: object
    read: ReadPage<Item>
    columns: readonly string[]
    cells(item: Item): readonly string[]
  }): void {
    const { name, summary, item, read, columns, cells } = options
    app.get<ReportRoute>(
      `${BASE}/jobs/:jobId/${name}`,
      {
        config: { access: MAY_READ },
        schema: {
          tags,
          summary,
          querystring,
          response: {
            200: {
              content: {
                'application/json': {
                  schema: { type: 'object', properties: { [name]: { type: 'array', items: item }, nextCursor } },
                },
                'text/csv': { schema: { type: 'string' } },
              },
            },
          },
        },
      },
      async (request, reply) => {
        const { propertyId, jobId } = request.params
        await requireJob(deps.store, propertyId, jobId)
        const { format, limit, cursor } = request.query
        if (format === 'csv') {
          const readAfter = (after: string | undefined) => read({ jobId, limit: DEFAULT_LIMIT, after })
          return sendCsv(reply, { filename: `${jobId}-${name}.csv`, columns, read: readAfter, cells })
        }
        const { items, next } = await read({ jobId, limit, after: cursor })
        return reply.type('application/json').send({ [name]: items, nextCursor: next })
      },
    )
  }

  const text = { type: 'string' } as const
  report<ReportedProblem>({
    name: 'problems',
    summary: 'List all problems of the package of a job, in the order of the package',
    item: { type: 'object', properties: { path: text, value: { type: ['string', 'null'] }, rule: text } },
    read: deps.reports.problems,
    columns: ['path', 'value', 'rule'],
    cells: ({ path, value, rule }) => [path, value ?? '', rule],
  })
  report<ReportedFinding>({
    name: 'findings',
    summary: 'List all new tags, unknown units and unknown people, in the order of the package',
    item: {
      type: 'object',
      properties: {
        kind: { type: 'string', enum: ['tag', 'unit', 'email'] },
        value: text,
        roles: { type: 'array', items: text },
      },
    },
    read: deps.reports.findings,
    columns: ['kind', 'value', 'roles'],
    cells: ({ kind, value, roles }) => [kind, value, roles.join(' ')],
  })
  report<AssignedNumber>({
    name: 'numbers',
    summary: 'List the numbers assigned to the requests of an import, in the order of the package',
    item: { type: 'object', properties: { externalId: text, number: { type: 'integer' } } },
    read: deps.reports.numbers,
    columns: ['externalId', 'number'],
    cells: ({ externalId, number }) => [externalId, String(number)],
  })
}
