import type { Clock } from '@plantroom/base/clock'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../../db/database.ts'
import { addRoute } from '../../routes/index.ts'
import { makeApiKey } from '../secrets.ts'
import type { KeyRegistry } from './key-registry.ts'
import type { KeyStore } from './key-store.ts'

/** Lists, creates and revokes the API keys of an organization, for its administrators. */
export function keyRoutes(app: FastifyInstance, deps: { store: KeyStore; keys: KeyRegistry; clock: Clock }): void {
  const { store, keys, clock } = deps

  addRoute(app, API.listKeys, async (request) => {
    await keys.saveLastUsed()
    return { keys: await store.list(request.params.orgId) }
  })

  addRoute(app, API.createKey, async (request) => {
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
    return { id: key.id, name, permissions, siteIds, apiKey: key.text }
  })

  addRoute(app, API.revokeKey, async (request) => {
    const { orgId, keyId } = request.params
    if (!(await store.revoke(orgId, keyId, new Date(clock.now())))) {
      throw new Failure('notFound', `this organization has no API key ${shown(keyId)}`)
    }
    await keys.refresh(keyId)
  })
}
