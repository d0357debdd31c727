import type { PersonChanges } from '@plantroom/contract/api'
import { pages } from './history.ts'
import { queryOf, type Send } from './http.ts'
import type { Labelled, SitePerson } from './tickets.ts'

export type { PersonChanges } from '@plantroom/contract/api'

const PAGE = 1000

export type PeopleClient = ReturnType<typeof createPeopleClient>

/** What lists and changes the units and people of one site; `tickets.ts` adds them. Changes are for managers. */
export function createPeopleClient(send: Send, site: { orgId: string; propertyId: string }) {
  const base = `/api/orgs/${encodeURIComponent(site.orgId)}/properties/${encodeURIComponent(site.propertyId)}`
  const unit = (unitId: string) => `${base}/units/${encodeURIComponent(unitId)}`
  const person = (personId: string) => `${base}/people/${encodeURIComponent(personId)}`

  async function all<Item, Name extends string>(name: Name): Promise<Item[]> {
    const found: Item[] = []
    type Page = { nextCursor: string | null } & Record<Name, Item[]>
    for await (const page of pages((cursor) =>
      send<Page>('GET', `${base}/${name}${queryOf({ limit: PAGE, cursor })}`),
    )) {
      found.push(...page[name])
    }
    return found
  }

  return {
    /** Every one, by name. */
    units: () => all<Labelled, 'units'>('units'),
    /** Its requests stay, and are of no unit then. */
    removeUnit: (unitId: string) => send<void>('DELETE', unit(unitId)),

    /** Every one, by address. */
    people: () => all<SitePerson, 'people'>('people'),
    changePerson: (personId: string, changes: PersonChanges) => send<SitePerson>('PATCH', person(personId), changes),
    /** What they reported and wrote stays, under the name that was given with it. */
    removePerson: (personId: string) => send<void>('DELETE', person(personId)),
  }
}
