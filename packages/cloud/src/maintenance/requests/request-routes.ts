import type { Clock } from '@plantroom/base/clock'
import type { Actor } from '@plantroom/contract/activity'
import { API, RequestDetails } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { WRITTEN_BODY_BYTES } from '@plantroom/contract/request-fields'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { type AttachableFiles, attachUploads } from './attach-uploads.ts'
import { createChangeStore } from './change-store.ts'
import type { CommentStore } from './comment-store.ts'
import type { HistoryStore } from './history-store.ts'
import { givenOrSignedIn, readPerson } from './person.ts'
import { readNumber, subjectOf } from './request-number.ts'
import { noRequest } from './request-number-store.ts'
import type { RequestStore } from './request-store.ts'

const COMMENTS_AT_FIRST = 100
const DETAIL_NAMES = Object.keys(RequestDetails.properties) as (keyof RequestDetails)[]

export type LinkAlert = (
  tx: Db,
  alert: { organizationId: string; siteId: string; alertId: string },
  number: number,
  done: { at: Date; by: string },
) => Promise<void>

interface RequestRouteDeps {
  db: Db
  requests: RequestStore
  history: HistoryStore
  comments: Pick<CommentStore, 'list'>
  activity: ActivityLog
  files: AttachableFiles
  linkAlert: LinkAlert
  clock: Clock
}

/** Shows, adds and changes the maintenance requests of a site. */
export function requestRoutes(app: FastifyInstance, deps: RequestRouteDeps): void {
  addRequestRoute(app, deps)
  showRequestRoute(app, deps)
  changeRequestRoute(app, deps)
  historyRoute(app, deps)
}

async function showRequest({ requests, comments }: RequestRouteDeps, siteId: string, number: number) {
  const found = await requests.find(siteId, number)
  if (!found) throw noRequest(number)
  const page = await comments.list(found.id, { limit: COMMENTS_AT_FIRST })
  return { ...found.request, comments: page.items, commentsCursor: page.next }
}

function addRequestRoute(app: FastifyInstance, deps: RequestRouteDeps): void {
  addRoute(
    app,
    API.addRequest,
    async (request) => {
      const { orgId, propertyId } = request.params
      const { title, alertId } = request.body
      const reporter = readPerson(givenOrSignedIn(request.body.reporter, request), 'reporter')
      const uploads = await attachUploads(deps, request.params, request.body.attachments)
      const { attachments } = uploads
      const added = { ...chosenDetails(request.body), title, reporter, attachments }
      const number = await deps.activity.change(request, async (tx, note) => {
        await uploads.take(tx)
        const done = doneBy(request, deps.clock)
        const number = await createChangeStore(tx).add(propertyId, added, done)
        if (alertId !== undefined) {
          const alert = { organizationId: orgId, siteId: propertyId, alertId }
          await deps.linkAlert(tx, alert, number, { at: done.at, by: done.by.name ?? done.by.kind })
        }
        const subject = subjectOf(number)
        const details = attachments.length > 0 ? { files: attachments.length } : {}
        note({ organizationId: orgId, siteId: propertyId, action: 'request-created', subject, details })
        return number
      })
      await uploads.remove()
      return await showRequest(deps, propertyId, number)
    },
    { bodyLimit: WRITTEN_BODY_BYTES },
  )
}

function showRequestRoute(app: FastifyInstance, deps: RequestRouteDeps): void {
  addRoute(app, API.getRequest, async (request) =>
    showRequest(deps, request.params.propertyId, readNumber(request.params.number)),
  )
}

function changeRequestRoute(app: FastifyInstance, deps: RequestRouteDeps): void {
  addRoute(
    app,
    API.changeRequest,
    async (request) => {
      const { orgId, propertyId } = request.params
      const number = readNumber(request.params.number)
      const changed = chosenDetails(request.body)
      if (Object.keys(changed).length === 0) {
        throw new Failure('invalid', `give at least one of: ${DETAIL_NAMES.join(', ')}`, 'body')
      }
      await deps.activity.change(request, async (tx, note) => {
        const of = { siteId: propertyId, number }
        await createChangeStore(tx).change(of, changed, doneBy(request, deps.clock), request.body.before)
        // Names of fields, and the state, which is one of ours. Everything else may be personal.
        const details = { fields: Object.keys(changed), state: changed.state }
        const subject = subjectOf(number)
        note({ organizationId: orgId, siteId: propertyId, action: 'request-changed', subject, details })
      })
      return showRequest(deps, propertyId, number)
    },
    { bodyLimit: WRITTEN_BODY_BYTES },
  )
}

function historyRoute(
  app: FastifyInstance,
  { requests, history }: Pick<RequestRouteDeps, 'requests' | 'history'>,
): void {
  addRoute(app, API.listRequestChanges, async (request) => {
    const number = readNumber(request.params.number)
    const requestId = await requests.findId(request.params.propertyId, number)
    if (requestId === undefined) throw noRequest(number)
    const { items, next } = await history.list(requestId, request.query)
    return { changes: items, nextCursor: next }
  })
}

const doneBy = ({ actor }: { actor: Actor }, clock: Clock) => ({ at: new Date(clock.now()), by: actor })

/** Picks the known fields of a body. */
function chosenDetails(body: RequestDetails): RequestDetails {
  return Object.fromEntries(DETAIL_NAMES.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
}
