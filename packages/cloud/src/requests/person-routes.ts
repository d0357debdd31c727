import { newId } from '@plantroom/base/ids'
import { API } from '@plantroom/contract/api'
import { Failure } from '@plantroom/contract/failure'
import { shown } from '@plantroom/contract/shown'
import type { FastifyInstance } from 'fastify'
import { explainConflicts } from '../db/database.ts'
import { addRoute } from '../routes/index.ts'
import type { PersonStore } from './person-store.ts'

/** Manages the people of a site. Requests are assigned to them, and packages refer to them by email. */
export function personRoutes(app: FastifyInstance, deps: { people: PersonStore }): void {
  const { people } = deps
  const taken = (email: string | undefined) => ({
    person_email: new Failure('conflict', `this site already has a person with the email ${shown(String(email))}`),
  })
  const noPerson = (id: string) => new Failure('notFound', `this site has no person ${shown(id)}`)

  addRoute(app, API.listPeople, async (request) => {
    const { limit, cursor } = request.query
    const page = await people.list(request.params.propertyId, { limit, after: cursor })
    return { people: page.people, nextCursor: page.next }
  })

  addRoute(app, API.addPerson, async (request) => {
    const { email, name = null, phone = null } = request.body
    const added = { id: newId('person'), email, name, phone }
    await explainConflicts(people.add(request.params.propertyId, added), taken(email))
    return added
  })

  addRoute(app, API.changePerson, async (request) => {
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
  })

  addRoute(app, API.removePerson, async (request) => {
    const { propertyId, personId } = request.params
    if (!(await people.remove(propertyId, personId))) throw noPerson(personId)
  })
}
