import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import type { ActivityLog } from '../../organization/activity/index.ts'
import { explainConflicts } from '../../platform/db/database.ts'
import { addRoute } from '../../platform/routes/index.ts'
import { createPersonStore, type PersonStore } from './person-store.ts'

/** The log keeps the name only: an address or a phone number cannot be taken out of it later. */
const contact = ({ id, name }: { id: string; name: string | null }) => ({ kind: 'contact', id, name }) as const

/** Manages the people of a site. Requests are assigned to them, and packages refer to them by email. */
export function personRoutes(
  app: FastifyInstance,
  deps: { people: Pick<PersonStore, 'list'>; activity: ActivityLog },
): void {
  const { people, activity } = deps
  const taken = (email: string | undefined) => ({
    person_email: new Failure('conflict', `this site already has a person with the email ${shown(String(email))}`),
  })
  const isMember = () =>
    new Failure(
      'conflict',
      'this person is a member with a role on this site: an administrator removes that role instead',
    )
  const noPerson = (id: string) => new Failure('notFound', `this site has no person ${shown(id)}`)

  addRoute(app, API.listPeople, async (request) => {
    const { items, next } = await people.list(request.params.propertyId, request.query)
    return { people: items, nextCursor: next }
  })

  addRoute(app, API.addPerson, async (request) => {
    const { email, name = null, phone = null } = request.body
    const added = { id: newId('person'), email, name, phone }
    const { orgId, propertyId: siteId } = request.params
    const change = activity.change(request, async (tx, note) => {
      await createPersonStore(tx).add(siteId, added)
      note({ organizationId: orgId, siteId, action: 'contact-added', subject: contact(added) })
    })
    await explainConflicts(change, taken(email))
    return added
  })

  addRoute(app, API.changePerson, async (request) => {
    const { orgId, propertyId: siteId, personId } = request.params
    const { email, name, phone } = request.body
    const changes = {
      ...(email !== undefined && { email }),
      ...(name !== undefined && { name }),
      ...(phone !== undefined && { phone }),
    }
    if (Object.keys(changes).length === 0)
      throw new Failure('invalid', 'give at least one of: email, name, phone', 'body')
    const change = activity.change(request, async (tx, note) => {
      const changed = await createPersonStore(tx).change(siteId, personId, changes)
      if (!changed) throw noPerson(personId)
      const details = { fields: Object.keys(changes) }
      note({ organizationId: orgId, siteId, action: 'contact-changed', subject: contact(changed), details })
      return changed
    })
    return explainConflicts(change, taken(email))
  })

  addRoute(app, API.removePerson, async (request) => {
    const { orgId, propertyId: siteId, personId } = request.params
    await activity.change(request, async (tx, note) => {
      const store = createPersonStore(tx)
      const removed = await store.remove(siteId, personId)
      if (!removed && (await store.isMember(siteId, personId))) throw isMember()
      if (!removed) throw noPerson(personId)
      note({ organizationId: orgId, siteId, action: 'contact-removed', subject: contact(removed) })
    })
  })
}
