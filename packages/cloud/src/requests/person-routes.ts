import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/database.ts'
import { STORABLE } from '../db/patterns.ts'
import type { PersonChanges, PersonStore } from './person-store.ts'
import { email, personName as name, phone } from './request-schemas.ts'
import { OF_SITE, type OfSite, pageOf, paging, pathParams, READS, TAGS, WRITES } from './site-routes.ts'

const person = {
  type: 'object',
  properties: { id: { type: 'string' }, email: { type: 'string' }, name, phone },
} as const
const ONE = `${OF_SITE}/people/:personId`
const params = pathParams(['personId'])

interface OfPerson {
  Params: OfSite & { personId: string }
}

/** Manages the people of a site. Requests are assigned to them, and packages refer to them by email. */
export function personRoutes(app: FastifyInstance, deps: { people: PersonStore }): void {
  const { people } = deps
  const taken = (email: string | undefined) => ({
    person_email: new Failure('conflict', `this site already has a person with the email ${shown(String(email))}`),
  })
  const noPerson = (id: string) => new Failure('notFound', `this site has no person ${shown(id)}`)

  app.get<{ Params: OfSite; Querystring: { limit: number; cursor?: string } }>(
    `${OF_SITE}/people`,
    {
      config: READS,
      schema: {
        tags: TAGS,
        summary: 'List the people of a site by email, in pages',
        querystring: { type: 'object', properties: paging({ pattern: STORABLE, maxLength: 255 }, 1000) },
        response: { 200: pageOf('people', person) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query
      const page = await people.list(request.params.propertyId, { limit, after: cursor })
      return { people: page.people, nextCursor: page.next }
    },
  )

  app.post<{ Params: OfSite; Body: PersonChanges & { email: string } }>(
    `${OF_SITE}/people`,
    {
      config: WRITES,
      schema: {
        tags: TAGS,
        summary: 'Add a person to a site',
        body: { type: 'object', required: ['email'], properties: { email, name, phone } },
        response: { 201: person },
      },
    },
    async (request, reply) => {
      const { email, name = null, phone = null } = request.body
      const added = { id: newId('person'), email, name, phone }
      await explainConflicts(people.add(request.params.propertyId, added), taken(email))
      return reply.code(201).send(added)
    },
  )

  app.patch<OfPerson & { Body: PersonChanges }>(
    ONE,
    {
      config: WRITES,
      schema: {
        tags: TAGS,
        summary: 'Change a person of a site. Their requests stay linked, even when the email changes',
        params,
        body: { type: 'object', properties: { email, name, phone } },
        response: { 200: person },
      },
    },
    async (request) => {
      const { propertyId, personId } = request.params
      const { email, name, phone } = request.body
      const changes = {
        ...(email !== undefined && { email }),
        ...(name !== undefined && { name }),
        ...(phone !== undefined && { phone }),
      }
      if (Object.keys(changes).length === 0)
        throw new Failure('invalid', 'give at least one of: email, name, phone', 'body')
      const changed = await explainConflicts(people.change(propertyId, personId, changes), taken(email))
      if (!changed) throw noPerson(personId)
      return changed
    },
  )

  app.delete<OfPerson>(
    ONE,
    {
      config: WRITES,
      schema: {
        tags: TAGS,
        summary: 'Remove a person from a site. Their requests and comments stay, with the name given there',
        params,
        response: { 204: { type: 'null' } },
      },
    },
    async (request, reply) => {
      const { propertyId, personId } = request.params
      if (!(await people.remove(propertyId, personId))) throw noPerson(personId)
      return reply.code(204).send()
    },
  )
}
