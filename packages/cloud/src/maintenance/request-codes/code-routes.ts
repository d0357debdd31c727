import type { Clock } from '@plantroom/base/clock'
import { newId } from '@plantroom/base/ids'
import { API, type RequestCode } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { FastifyInstance } from 'fastify'
import { randomText } from '../../organization/access/index.ts'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { createCodeStore, type StoredCode } from './code-store.ts'

/** More than a site has doors. */
const MAX_CODES = 1_000
/** Short enough for a code that phones read from a distance, and too long to guess. */
const TOKEN_LENGTH = 16

interface CodeRouteDeps {
  db: Db
  activity: ActivityLog
  clock: Clock
  /** The address of the console. */
  baseUrl(): string
}

/** Lists, adds and removes the codes of a site. */
export function codeRoutes(app: FastifyInstance, { db, activity, clock, baseUrl }: CodeRouteDeps): void {
  const toCode = ({ token, createdAt, ...code }: StoredCode): RequestCode => ({
    ...code,
    url: `${baseUrl()}/r/${token}`,
    createdAt: formatTimestamp(createdAt.getTime()),
  })

  addRoute(app, API.listRequestCodes, async ({ params }) => ({
    codes: (await createCodeStore(db).list(params.propertyId)).map(toCode),
  }))

  addRoute(app, API.addRequestCode, async (request) => {
    const { orgId, propertyId: siteId } = request.params
    const { label, unit = null } = request.body
    const added = {
      ...{ id: newId('code'), token: randomText(TOKEN_LENGTH), label: label.trim(), unit },
      createdAt: new Date(clock.now()),
    }
    await activity.change(request, async (tx, note) => {
      const store = createCodeStore(tx)
      if ((await store.list(siteId)).length >= MAX_CODES) {
        throw new Failure('conflict', `this site has ${MAX_CODES} codes already: remove one first`)
      }
      await store.add(siteId, added)
      note({ organizationId: orgId, siteId, action: 'request-code-added', subject: subjectOf(added) })
    })
    return toCode(added)
  })

  addRoute(app, API.removeRequestCode, async (request) => {
    const { orgId, propertyId: siteId, codeId: id } = request.params
    await activity.change(request, async (tx, note) => {
      const removed = await createCodeStore(tx).remove(siteId, id)
      if (!removed) throw new Failure('notFound', `this site has no code ${shown(id)}`)
      note({ organizationId: orgId, siteId, action: 'request-code-removed', subject: subjectOf({ id, ...removed }) })
    })
  })
}

const subjectOf = ({ id, label }: { id: string; label: string }) => ({ kind: 'request-code', id, name: label }) as const
