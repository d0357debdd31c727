import type { Clock } from '@plantroom/base/clock'
import type { FastifyInstance } from 'fastify'
import { CURSOR } from '../db/patterns.ts'
import type { CommentStore } from './comment-store.ts'
import { OF_SITE, type OfSite, pageOf, paging, READS, TAGS, WRITES } from './of-site.ts'
import { type GivenPerson, readPerson, saidOrSignedIn } from './person.ts'
import { noTicket, numberIn } from './ticket-number.ts'
import { comment, givenPerson, WRITTEN_BODY_LIMIT, writtenText } from './ticket-schemas.ts'
import type { TicketStore } from './ticket-store.ts'

const COMMENTS = `${OF_SITE}/tickets/:number/comments`

interface OfTicket {
  Params: OfSite & { number: string }
}

/** The conversation of a request. */
export function commentRoutes(
  app: FastifyInstance,
  deps: { tickets: Pick<TicketStore, 'findId'>; comments: CommentStore; clock: Clock },
): void {
  const { tickets, comments, clock } = deps

  app.get<OfTicket & { Querystring: { limit: number; cursor?: string } }>(
    COMMENTS,
    {
      config: READS,
      schema: {
        tags: TAGS,
        summary: 'The comments of a request in order, by pages',
        description: 'A page of long comments holds fewer of them than it was asked for.',
        querystring: { type: 'object', properties: paging({ pattern: CURSOR }, 100) },
        response: { 200: pageOf('comments', comment) },
      },
    },
    async (request) => {
      const number = numberIn(request.params.number)
      const ticketId = await tickets.findId(request.params.propertyId, number)
      if (ticketId === undefined) throw noTicket(number)
      const { limit, cursor } = request.query
      const page = await comments.list(ticketId, { limit, after: cursor })
      return { comments: page.comments, nextCursor: page.next }
    },
  )

  app.post<OfTicket & { Body: { content: string; author?: GivenPerson } }>(
    COMMENTS,
    {
      config: WRITES,
      bodyLimit: WRITTEN_BODY_LIMIT,
      schema: {
        tags: TAGS,
        summary:
          'Add a comment of the staff, which is mailed to the reporter; its author is who is signed in unless said',
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
                description: 'Null when the reporter has no address, or is the author',
              },
            },
          },
        },
      },
    },
    async (request, reply) => {
      const { content } = request.body
      const siteId = request.params.propertyId
      const number = numberIn(request.params.number)
      const author = readPerson(saidOrSignedIn(request.body.author, request), 'author')
      const added = await comments.add({ siteId, number, content, author, at: new Date(clock.now()) })
      if (!added) throw noTicket(number)
      return reply.code(201).send({ ...added.comment, mailedTo: added.mailedTo })
    },
  )
}
