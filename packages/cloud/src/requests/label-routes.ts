import { newId } from '@plantroom/base/ids'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/database.ts'
import { STORABLE } from '../db/patterns.ts'
import type { LabelStore } from './label-store.ts'
import { label as name } from './request-schemas.ts'
import { OF_SITE, type OfSite, pageOf, paging, pathParams, READS, TAGS, WRITES } from './site-routes.ts'

const labelSchema = { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } } as const
const querystring = { type: 'object', properties: paging({ pattern: STORABLE, maxLength: 255 }, 1000) } as const

interface ListRoute {
  Params: OfSite
  Querystring: { limit: number; cursor?: string }
}

/** Lists the units and tags of a site, and adds and removes units. Requests create their tags. */
export function labelRoutes(app: FastifyInstance, deps: { labels: LabelStore }): void {
  const { labels } = deps

  for (const [table, plural] of [['unit', 'units'] as const, ['tag', 'tags'] as const]) {
    app.get<ListRoute>(
      `${OF_SITE}/${plural}`,
      {
        config: READS,
        schema: {
          tags: TAGS,
          summary: `List the ${plural} of a site by name, in pages`,
          querystring,
          response: { 200: pageOf(plural, labelSchema) },
        },
      },
      async (request) => {
        const { limit, cursor } = request.query
        const { found, next } = await labels.list(table, request.params.propertyId, { limit, after: cursor })
        return { [plural]: found, nextCursor: next }
      },
    )
  }

  app.post<{ Params: OfSite; Body: { name: string } }>(
    `${OF_SITE}/units`,
    {
      config: WRITES,
      schema: {
        tags: TAGS,
        summary: 'Add a unit to a site',
        body: { type: 'object', required: ['name'], properties: { name } },
        response: { 201: labelSchema },
      },
    },
    async (request, reply) => {
      const added = { id: newId('unit'), name: request.body.name.trim() }
      await explainConflicts(labels.addUnit(request.params.propertyId, added), {
        unit_site_id_name_key: new Failure('conflict', `this site already has a unit "${shown(added.name)}"`),
      })
      return reply.code(201).send(added)
    },
  )

  app.delete<{ Params: OfSite & { unitId: string } }>(
    `${OF_SITE}/units/:unitId`,
    {
      config: WRITES,
      schema: {
        tags: TAGS,
        summary: 'Remove a unit from a site. Its requests stay, without a unit',
        params: pathParams(['unitId']),
        response: { 204: { type: 'null' } },
      },
    },
    async (request, reply) => {
      const { propertyId, unitId } = request.params
      if (!(await labels.removeUnit(propertyId, unitId))) {
        throw new Failure('notFound', `this site has no unit ${shown(unitId)}`)
      }
      return reply.code(204).send()
    },
  )
}
