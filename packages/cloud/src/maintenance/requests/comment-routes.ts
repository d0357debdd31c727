import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { WRITTEN_BODY_BYTES } from '@plantroom/contract/request-fields'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { blobKey, type FileStore } from '../../platform/files/index.ts'
import { MAILED_LINK_DAYS } from '../../platform/mail/index.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { type AttachableFiles, attachUploads } from './attach-uploads.ts'
import type { NewAttachment } from './attachment-store.ts'
import { type CommentStore, createCommentStore } from './comment-store.ts'
import { listMentionable, requireMentionable } from './mention-store.ts'
import { type GivenPerson, readPerson } from './person.ts'
import { readNumber, subjectOf } from './request-number.ts'
import { noRequest } from './request-number-store.ts'
import type { RequestStore } from './request-store.ts'

const DAY_S = 86_400

interface CommentRouteDeps {
  db: Db
  requests: Pick<RequestStore, 'findId'>
  comments: Pick<CommentStore, 'list'>
  activity: ActivityLog
  files: AttachableFiles & Pick<FileStore, 'downloadUrl'>
  clock: Clock
  baseUrl(): string
}

/** Lists and adds the comments of a request. */
export function commentRoutes(app: FastifyInstance, deps: CommentRouteDeps): void {
  const { db, requests, comments } = deps

  addRoute(app, API.listComments, async (request) => {
    const number = readNumber(request.params.number)
    const requestId = await requests.findId(request.params.propertyId, number)
    if (requestId === undefined) throw noRequest(number)
    const { items, next } = await comments.list(requestId, request.query)
    return { comments: items, nextCursor: next }
  })

  addRoute(app, API.listMentionable, async (request) => ({
    people: await listMentionable(db, request.params.propertyId),
  }))

  addCommentRoute(app, deps)
}

function addCommentRoute(app: FastifyInstance, deps: CommentRouteDeps): void {
  const { db, requests, activity, files, clock, baseUrl } = deps
  addRoute(
    app,
    API.addComment,
    async (request) => {
      const { content, attachments: given = [], mentions = [] } = request.body
      const { orgId, propertyId: siteId } = request.params
      const number = readNumber(request.params.number)
      const author = readPerson(authorOf(request.body.author, request), 'author')
      if (content.trim() === '' && given.length === 0) {
        throw new Failure('invalid', 'content must not be blank, unless a file is attached', 'content')
      }
      // Before files are copied for nothing.
      if ((await requests.findId(siteId, number)) === undefined) throw noRequest(number)
      await requireMentionable(db, siteId, mentions)
      const uploads = await attachUploads({ db, files }, request.params, given)
      const { attachments } = uploads
      const links = await Promise.all(attachments.map((file) => mailedLink(files, siteId, file)))
      const page = `${baseUrl()}/o/${orgId}/s/${siteId}/requests/${number}`
      const added = await activity.change(request, async (tx, note) => {
        const mentioned = await requireMentionable(tx, siteId, mentions)
        const comment = { siteId, number, content, author, attachments, links, mentioned, page }
        const added = await createCommentStore(tx).add({ ...comment, at: new Date(clock.now()) })
        if (!added) throw noRequest(number)
        await uploads.take(tx)
        const details = {
          mailed: added.mailedTo !== null,
          forSomeoneElse: request.body.author !== undefined,
          ...(attachments.length > 0 && { files: attachments.length }),
          ...(mentioned.length > 0 && { mentioned: mentioned.length }),
        }
        note({ organizationId: orgId, siteId, action: 'comment-added', subject: subjectOf(number), details })
        return added
      })
      await uploads.remove()
      return { ...added.comment, mailedTo: added.mailedTo }
    },
    { bodyLimit: WRITTEN_BODY_BYTES },
  )
}

/** An address that works for reporters, who have no account. */
async function mailedLink(files: Pick<FileStore, 'downloadUrl'>, siteId: string, file: NewAttachment) {
  const { name, contentType, sha256 } = file
  const expiresInS = MAILED_LINK_DAYS * DAY_S
  return { name, url: await files.downloadUrl(blobKey(siteId, sha256), { filename: name, contentType, expiresInS }) }
}

/** Keys and the operator write for others; a person writes only under their own name. */
function authorOf(given: GivenPerson, { email }: { email: string | undefined }): GivenPerson {
  if (email === undefined) return given
  if (given === undefined) return { email }
  throw new Failure('invalid', 'author is for API keys and the operator: you comment under your own name', 'author')
}
