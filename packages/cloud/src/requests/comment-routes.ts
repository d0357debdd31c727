import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { WRITTEN_BODY_BYTES } from '@plantroom/contract/request-fields'
import type { FastifyInstance } from 'fastify'
import { addRoute } from '../routes/index.ts'
import type { CommentStore } from './comment-store.ts'
import { givenOrSignedIn, readPerson } from './person.ts'
import { noRequest, readNumber } from './request-number-store.ts'
import type { RequestStore } from './request-store.ts'

/** Lists and adds the comments of a request. */
export function commentRoutes(
  app: FastifyInstance,
  deps: { requests: Pick<RequestStore, 'findId'>; comments: CommentStore; clock: Clock },
): void {
  const { requests, comments, clock } = deps

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
      const author = readPerson(givenOrSignedIn(request.body.author, request), 'author')
      const added = await comments.add({ siteId, number, content, author, at: new Date(clock.now()) })
      if (!added) throw noRequest(number)
      return { ...added.comment, mailedTo: added.mailedTo }
    },
    { bodyLimit: WRITTEN_BODY_BYTES },
  )
}
