import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/database.ts'
import { addRoute } from '../routes/index.ts'
import type { OrganizationStore } from './organization-store.ts'

/** Lists and adds organizations, for the operator. */
export function organizationRoutes(app: FastifyInstance, deps: { organizations: OrganizationStore }): void {
  const { organizations } = deps

  addRoute(app, API.listOrganizations, async () => ({ organizations: await organizations.listOrganizations() }))

  addRoute(app, API.addOrganization, async (request) => {
    const added = { id: newId('org'), name: request.body.name }
    await explainConflicts(organizations.addOrganization(added.id, added.name), {
      organization_name_key: new Failure('conflict', `there is already an organization "${shown(added.name)}"`),
    })
    return added
  })
}
