import { createLog } from '@plantroom/base/log'
import { onTestFinished } from 'vitest'
import { type Db, openDatabase } from '../../db/database.ts'
import { type Answer, asOperator, type startTestCloud, type Tenant } from '../../testing/cloud.ts'
import { insertParts, insertTickets, lockNumbers, type NewTicket } from '../import-store.ts'

type TestCloud = Awaited<ReturnType<typeof startTestCloud>>

/** Asks below the path of a site, as the operator. */
export function onSite(cloud: TestCloud, { orgId, siteId }: Pick<Tenant, 'orgId' | 'siteId'>) {
  const base = `/api/orgs/${orgId}/properties/${siteId}`
  return {
    base,
    get: (path: string) => asOperator(cloud, 'GET', `${base}${path}`),
    post: (path: string, body: unknown) => asOperator(cloud, 'POST', `${base}${path}`, body),
    patch: (path: string, body: unknown) => asOperator(cloud, 'PATCH', `${base}${path}`, body),
    remove: (path: string) => asOperator(cloud, 'DELETE', `${base}${path}`),
  }
}

/** What was answered, when that was what was wanted. */
export function body<Body>({ status, body }: Answer, wanted = 200): Body {
  if (status !== wanted) throw new Error(`${status} instead of ${wanted}: ${JSON.stringify(body)}`)
  return body as Body
}

/** A way into the database of a cloud, beside it. */
export function databaseOf(cloud: TestCloud): Db {
  const db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  return db
}

/** A request as an import would add it. */
export function imported(externalId: string, changes: Partial<NewTicket> = {}): NewTicket {
  return {
    id: `ticket_${externalId}`,
    externalId,
    title: `Title of ${externalId}`,
    state: 'open',
    description: null,
    notes: null,
    resolutionSummary: null,
    priority: null,
    language: null,
    tone: null,
    scope: null,
    safetyHazard: null,
    reporter: { id: null, email: null, name: null, phone: null },
    assigneeId: null,
    supervisorId: null,
    unitId: null,
    ccEmails: [],
    feedback: null,
    feedbackText: null,
    createdAt: '2024-05-01T10:00:00Z',
    updatedAt: null,
    resolvedAt: null,
    stateChangedAt: '2024-05-01T10:00:00Z',
    jobPosition: 0,
    watcherIds: [],
    tags: [],
    comments: [],
    attachments: [],
    ...changes,
  }
}

/** Adds requests as an import does; their numbers follow each other. Returns the first. */
export function importTickets(db: Db, siteId: string, tickets: readonly NewTicket[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const last = await lockNumbers(trx, siteId)
    await insertTickets(trx, { siteId, jobId: 'job_test', last }, tickets)
    await insertParts(trx, tickets, new Map())
    return last + 1
  })
}
