import { createLog } from '@plantroom/base/log'
import { onTestFinished } from 'vitest'
import { type Db, openDatabase } from '../../../platform/db/database.ts'
import { type Answer, asOperator, type startTestCloud, type Tenant } from '../../../testing/cloud.ts'
import { emptyValues } from '../column-values.ts'
import { type ImportedRequest, insertParts, insertRequests } from '../import-store.ts'
import { lockNumbers } from '../request-number-store.ts'

type TestCloud = Awaited<ReturnType<typeof startTestCloud>>

/** Calls routes of a site as the operator. */
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

/** Returns the body of an answer with the expected status. */
export function body<Body>({ status, body }: Answer, expected = 200): Body {
  if (status !== expected) throw new Error(`${status} instead of ${expected}: ${JSON.stringify(body)}`)
  return body as Body
}

/** Opens the database of a cloud. */
export function databaseOf(cloud: TestCloud): Db {
  const db = openDatabase({ connectionString: cloud.config.databaseUrl ?? '' }, createLog('test', 'silent'))
  onTestFinished(() => db.destroy())
  return db
}

/** Returns a request as an import adds it. */
export function imported(externalId: string, changes: Partial<ImportedRequest> = {}): ImportedRequest {
  return {
    ...emptyValues(),
    id: `ticket_${externalId}`,
    externalId,
    title: `Title of ${externalId}`,
    state: 'open',
    reporter: { id: null, email: null, name: null, phone: null },
    assigneeId: null,
    supervisorId: null,
    unitId: null,
    createdAt: '2024-05-01T10:00:00Z',
    stateChangedAt: '2024-05-01T10:00:00Z',
    jobPosition: 0,
    watcherIds: [],
    tagIds: [],
    comments: [],
    attachments: [],
    ...changes,
  }
}

/** Adds requests as an import does, with consecutive numbers. Returns the first number. */
export function importRequests(db: Db, siteId: string, requests: readonly ImportedRequest[]): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const last = await lockNumbers(trx, siteId)
    await insertRequests(trx, { siteId, jobId: 'job_test', last }, requests)
    await insertParts(trx, requests)
    return last + 1
  })
}
