import type { Clock } from '@plantroom/base/clock'
import { Failure } from '@plantroom/contract/failure'
import { NOT_BLANK } from '@plantroom/contract/patterns'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../../db/database.ts'
import { makeApiKey, PERMISSIONS, type Permission } from './api-key.ts'
import type { KeyRegistry } from './key-registry.ts'
import type { KeyStore } from './key-store.ts'

const permissions = {
  type: 'array',
  minItems: 1,
  uniqueItems: true,
  items: { type: 'string', enum: PERMISSIONS },
} as const
const siteIds = {
  type: ['array', 'null'],
  items: { type: 'string' },
  uniqueItems: true,
  maxItems: 10_000,
  description: 'The sites the key is limited to; null for all sites of the organization',
} as const
const date = { type: ['string', 'null'], format: 'date-time' } as const
const name = { type: 'string', minLength: 1, maxLength: 255, pattern: NOT_BLANK } as const
const config = { access: { by: 'operator', role: 'admin' } } as const

interface NewKey {
  name: string
  permissions: Permission[]
  siteIds?: string[] | null
}

/** Lists, creates and revokes the API keys of an organization, for its administrators. */
export function keyRoutes(app: FastifyInstance, deps: { store: KeyStore; keys: KeyRegistry; clock: Clock }): void {
  const { store, keys, clock } = deps

  app.get<{ Params: { orgId: string } }>(
    '/api/orgs/:orgId/api-keys',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'List the API keys of an organization and when each was last used',
        response: {
          200: {
            type: 'object',
            properties: {
              keys: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    id: { type: 'string' },
                    name,
                    permissions,
                    siteIds,
                    createdAt: date,
                    lastUsedAt: date,
                    revokedAt: date,
                  },
                },
              },
            },
          },
        },
      },
    },
    async (request) => {
      await keys.saveLastUsed()
      return { keys: await store.list(request.params.orgId) }
    },
  )

  app.post<{ Params: { orgId: string }; Body: NewKey }>(
    '/api/orgs/:orgId/api-keys',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'Create an API key; only this answer contains its secret',
        body: { type: 'object', required: ['name', 'permissions'], properties: { name, permissions, siteIds } },
        response: {
          201: {
            type: 'object',
            properties: { id: { type: 'string' }, name, permissions, siteIds, apiKey: { type: 'string' } },
          },
        },
      },
    },
    async (request, reply) => {
      const { orgId } = request.params
      const { name, permissions } = request.body
      const siteIds = request.body.siteIds ?? null
      const key = makeApiKey()
      await explainConflicts(
        store.add({ id: key.id, organizationId: orgId, name, hash: key.hash, permissions, siteIds }),
        {
          api_key_organization_id_fkey: new Failure('notFound', `there is no organization ${shown(orgId)}`),
          api_key_site_organization_id_site_id_fkey: new Failure(
            'invalid',
            'siteIds names a site that this organization does not have',
            'siteIds',
          ),
        },
      )
      await keys.refresh(key.id)
      return reply.code(201).send({ id: key.id, name, permissions, siteIds, apiKey: key.text })
    },
  )

  app.delete<{ Params: { orgId: string; keyId: string } }>(
    '/api/orgs/:orgId/api-keys/:keyId',
    {
      config,
      schema: {
        tags: ['Administration'],
        summary: 'Revoke an API key immediately and permanently',
        response: { 204: { type: 'null' } },
      },
    },
    async (request, reply) => {
      const { orgId, keyId } = request.params
      if (!(await store.revoke(orgId, keyId, new Date(clock.now())))) {
        throw new Failure('notFound', `this organization has no API key ${shown(keyId)}`)
      }
      await keys.refresh(keyId)
      return reply.code(204).send()
    },
  )
}
