import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import { CURSOR } from '../db/patterns.ts'
import type { CommentStore } from './comment-store.ts'
import { type GivenPerson, givenOrSignedIn, readPerson } from './person.ts'
import { comment, givenPerson, WRITTEN_BODY_LIMIT, writtenText } from './request-schemas.ts'
import type { RequestStore } from './request-store.ts'
import { noRequest, OF_SITE, type OfSite, pageOf, paging, READS, readNumber, TAGS, WRITES } from './site-routes.ts'

const COMMENTS = `${OF_SITE}/tickets/:number/comments`

interface OfRequest {
  Params: OfSite & { number: string }
}

/** Lists and adds the comments of a request. */
export function commentRoutes(
  app: FastifyInstance,
  deps: { requests: Pick<RequestStore, 'findId'>; comments: CommentStore; clock: Clock },
): void {
  const { requests, comments, clock } = deps

  app.get<OfRequest & { Querystring: { limit: number; cursor?: string } }>(
    COMMENTS,
    {
      config: READS,
      schema: {
        tags: TAGS,
        summary: 'List the comments of a request in order, in pages',
        description: 'A page of long comments contains fewer of them than requested.',
        querystring: { type: 'object', properties: paging({ pattern: CURSOR }, 100) },
        response: { 200: pageOf('comments', comment) },
      },
    },
    async (request) => {
      const number = readNumber(request.params.number)
      const requestId = await requests.findId(request.params.propertyId, number)
      if (requestId === undefined) throw noRequest(number)
      const { limit, cursor } = request.query
      const page = await comments.list(requestId, { limit, after: cursor })
      return { comments: page.comments, nextCursor: page.next }
    },
  )

  app.post<OfRequest & { Body: { content: string; author?: GivenPerson } }>(
    COMMENTS,
    {
      config: WRITES,
      bodyLimit: WRITTEN_BODY_LIMIT,
      schema: {
        tags: TAGS,
        summary: 'Add a staff comment and mail it to the reporter. The author defaults to the signed-in user',
        body: {
          type: 'object',
          required: ['content'],
          properties: { content: { ...writtenText, description: 'Plain text' }, author: givenPerson },
        },
        response: {
          201: {
            ...comment,
            properties: {
              ...comment.properties,
              mailedTo: {
                type: ['string', 'null'],
                description: 'Null when the reporter has no email or is the author',
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { content } = request.body
      const siteId = request.params.propertyId
      const number = readNumber(request.params.number)
      const author = readPerson(givenOrSignedIn(request.body.author, request), 'author')
      const added = await comments.add({ siteId, number, content, author, at: new Date(clock.now()) })
      if (!added) throw noRequest(number)
      return reply.code(201).send({ ...added.comment, mailedTo: added.mailedTo })
    },
  )
}
