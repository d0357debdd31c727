import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@plantroom/base/clock'
import { createLog } from '@plantroom/base/log'
import { type Client, createClient, type OperationInput } from '@plantroom/client/client'
import { sendWithToken } from '@plantroom/client/http'
import { awaitEmbeddedPostgres } from '@plantroom/cloud/db/embedded/find-server'
import pg from 'pg'
import { REQUEST_ROWS, seedRequests } from './requests-rows.ts'
import { startDemo } from './support/demo.ts'
import { against, type Measurement } from './support/measurement.ts'
import { stopProgram } from './support/processes.ts'

type Query = NonNullable<OperationInput<'listRequests'>['query']>

const ROUNDS = 7
const PAGE = 50
const TARGET = 'target: 300 ms'

/** Every order, filter and search that the page of requests asks for. */
const CASES: readonly (readonly [name: string, query: Query])[] = [
  ...(['created', 'changed', 'number', 'priority', 'state', 'title', 'assignee'] as const).flatMap((sort) =>
    (['desc', 'asc'] as const).map((order) => [`sorted by ${sort} ${order}`, { sort, order }] as const),
  ),
  ['everything', {}],
  ['open, by priority', { state: ['new', 'open', 'in_progress', 'on_hold'], sort: 'priority' }],
  ['unassigned, by title', { assigned: 'nobody', sort: 'title', order: 'asc' }],
  ['of one assignee, by change', { assignee: 'person7@example.ee', sort: 'changed' }],
  ['of one reporter', { reporter: 'reporter11@example.ee' }],
  ['of one unit, by state', { unit: 'Unit 3', sort: 'state' }],
  ['with one tag, by assignee', { tag: 'tag 5', sort: 'assignee' }],
  ['of one month', { createdSince: '2024-03-01T00:00:00Z', createdUntil: '2024-04-01T00:00:00Z' }],
  ['search, a word of many', { q: 'pump' }],
  ['search, a word of many, by assignee', { q: 'pump', sort: 'assignee' }],
  ['search, a rare word in a comment', { q: 'quokka' }],
  ['search, nothing found', { q: 'zzqq' }],
  ['search, two letters', { q: 'qk' }],
  ['search, a number', { q: '#29999' }],
  [
    'all filters and a search, by title',
    { q: 'leak', state: ['open'], unit: 'Unit 3', tag: 'tag 5', priority: 2, sort: 'title' },
  ],
]

/**
 * Measures pages and counts of the list of requests at the API, of a site with 50,000 requests and 150,000 comments beside another
 * one like it. The floor is a bare count of the site's requests in the database.
 */
export async function benchRequests(): Promise<Measurement[]> {
  await using parts = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'plantroom-bench-'))
  parts.defer(() => rm(folder, { recursive: true, force: true }))
  const { demo, child } = await startDemo(folder)
  parts.defer(() => stopProgram(child))
  const address = await awaitEmbeddedPostgres({
    folder: join(folder, 'postgres'),
    clock: systemClock,
    log: createLog('bench', 'silent'),
    signal: AbortSignal.timeout(30_000),
  })
  const db = new pg.Client({ ...address })
  await db.connect()
  parts.defer(() => db.end())
  const client = createClient(sendWithToken(demo.baseUrl, demo.adminToken))
  const { orgId } = demo
  const newSite = async (name: string) =>
    (await client.addSite({ orgId, body: { name, maintenanceRequests: true } })).id
  const propertyId = await newSite('Bench')
  await seedRequests(db, propertyId, 'a')
  await seedRequests(db, await newSite('Beside'), 'b')
  await db.query('VACUUM ANALYZE')
  return await measureCases(client, { orgId, propertyId }, db)
}

async function measureCases(
  client: Client,
  site: { orgId: string; propertyId: string },
  db: pg.Client,
): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  const floor = () => db.query('SELECT count(*) FROM ticket WHERE site_id = $1', [site.propertyId])
  for (const [name, query] of CASES) {
    const { sort: _, order: __, ...filters } = query
    const page = () => client.listRequests({ ...site, query: { ...query, limit: PAGE } })
    const count = () => client.getRequestCounts({ ...site, query: filters })
    const note = `${(await count()).total} of ${REQUEST_ROWS.requests} match; ${TARGET}`
    measurements.push(await compare(`page: ${name}`, page, floor, note))
    if (Object.keys(filters).length > 0) measurements.push(await compare(`count: ${name}`, count, floor, note))
  }
  return measurements
}

async function compare(
  name: string,
  work: () => Promise<unknown>,
  floor: () => Promise<unknown>,
  note: string,
): Promise<Measurement> {
  const values: number[] = []
  const floors: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    floors.push(await timed(floor))
    values.push(await timed(work))
  }
  return against(name, values, 'ms', floors, note)
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now()
  await work()
  return performance.now() - from
}
