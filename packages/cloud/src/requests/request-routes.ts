import type { Clock } from '@plantroom/base/clock'
import { API, RequestDetails } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { WRITTEN_BODY_BYTES } from '@plantroom/contract/request-fields'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../activity/index.ts'
import { blobKey, type FileStore } from '../files/index.ts'
import { addRoute } from '../routes/index.ts'
import { createChangeStore } from './change-store.ts'
import { type CommentStore, createCommentStore } from './comment-store.ts'
import { type GivenPerson, givenOrSignedIn, readPerson } from './person.ts'
import { noRequest } from './request-number-store.ts'
import type { RequestStore } from './request-store.ts'

const NUMBER = /^[1-9]\d{0,9}$/
const MAX_NUMBER = 2 ** 31 - 1
const ATTACHMENT_EXPIRES_S = 15 * 60
const COMMENTS_AT_FIRST = 100
const DETAIL_NAMES = Object.keys(RequestDetails.properties) as (keyof RequestDetails)[]

interface RequestRouteDeps {
  requests: RequestStore
  comments: Pick<CommentStore, 'list'>
  activity: ActivityLog
  files: Pick<FileStore, 'downloadUrl'>
  clock: Clock
}

/** Shows, adds and changes the maintenance requests of a site and their comments. */
export function requestRoutes(app: FastifyInstance, deps: RequestRouteDeps): void {
  addRequestRoute(app, deps)
  showRequestRoute(app, deps)
  changeRequestRoute(app, deps)
  attachmentUrlRoute(app, deps)
  commentRoutes(app, deps)
}

async function showRequest({ requests, comments }: RequestRouteDeps, siteId: string, number: number) {
  const found = await requests.find(siteId, number)
  if (!found) throw noRequest(number)
  const page = await comments.list(found.id, { limit: COMMENTS_AT_FIRST })
  return { ...found.request, comments: page.comments, commentsCursor: page.next }
}

function addRequestRoute(app: FastifyInstance, deps: RequestRouteDeps): void {
  addRoute(
    app,
    API.addRequest,
    async (request) => {
      const { orgId, propertyId } = request.params
      const { title } = request.body
      const reporter = readPerson(givenOrSignedIn(request.body.reporter, request), 'reporter')
      const added = { ...chosenDetails(request.body), title, reporter }
      const number = await deps.activity.change(request, async (tx, note) => {
        const number = await createChangeStore(tx).add(propertyId, added, new Date(deps.clock.now()))
        const subject = subjectOf(number)
        note({ organizationId: orgId, siteId: propertyId, action: 'request-created', subject })
        return number
      })
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
        await createChangeStore(tx).change(propertyId, number, changed, new Date(deps.clock.now()))
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

function attachmentUrlRoute(
  app: FastifyInstance,
  { requests, files }: Pick<RequestRouteDeps, 'requests' | 'files'>,
): void {
  addRoute(app, API.getAttachmentUrl, async (request) => {
    const { propertyId, attachmentId } = request.params
    const number = readNumber(request.params.number)
    const found = await requests.findAttachment(propertyId, number, attachmentId)
    if (!found) throw new Failure('notFound', `request ${number} of this site has no attachment ${shown(attachmentId)}`)
    const url = await files.downloadUrl(blobKey(propertyId, found.sha256), {
      // The name may contain folders; the download uses its last part.
      filename: found.name.split('/').at(-1) ?? found.name,
      contentType: found.contentType,
      expiresInS: ATTACHMENT_EXPIRES_S,
    })
    return { url }
  })
}

/** Lists and adds the comments of a request. */
function commentRoutes(app: FastifyInstance, { requests, comments, activity, clock }: RequestRouteDeps): void {
  addRoute(app, API.listComments, async (request) => {
    const number = readNumber(request.params.number)
    const requestId = await requests.findId(request.params.propertyId, number)
    if (requestId === undefined) throw noRequest(number)
    const { limit, cursor } = request.query
    const page = await comments.list(requestId, { limit, after: cursor })
    return { comments: page.comments, nextCursor: page.next }
  })

  addRoute(
    app,
    API.addComment,
    async (request) => {
      const { content } = request.body
      const siteId = request.params.propertyId
      const number = readNumber(request.params.number)
      const author = readPerson(authorOf(request.body.author, request), 'author')
      const added = await activity.change(request, async (tx, note) => {
        const comment = { siteId, number, content, author, at: new Date(clock.now()) }
        const added = await createCommentStore(tx).add(comment)
        if (!added) throw noRequest(number)
        const details = { mailed: added.mailedTo !== null, forSomeoneElse: request.body.author !== undefined }
        const subject = subjectOf(number)
        note({ organizationId: request.params.orgId, siteId, action: 'comment-added', subject, details })
        return added
      })
      return { ...added.comment, mailedTo: added.mailedTo }
    },
    { bodyLimit: WRITTEN_BODY_BYTES },
  )
}

/** A request by its number: its title is a text that somebody wrote. */
const subjectOf = (number: number) => ({ kind: 'request', id: String(number), name: null }) as const

/** Keys and the operator write for others; a person writes only under their own name. */
function authorOf(given: GivenPerson, { email }: { email: string | undefined }): GivenPerson {
  if (email === undefined) return given
  if (given === undefined) return { email }
  throw new Failure('invalid', 'author is for API keys and the operator: you comment under your own name', 'author')
}

/** Picks the known fields of a body. */
function chosenDetails(body: RequestDetails): RequestDetails {
  return Object.fromEntries(DETAIL_NAMES.flatMap((name) => (body[name] === undefined ? [] : [[name, body[name]]])))
}

/** Reads the number of a request from a path. Throws `notFound` for text that cannot be a number. */
function readNumber(text: string): number {
  if (!NUMBER.test(text) || Number(text) > MAX_NUMBER) throw noRequest(text)
  return Number(text)
}
