import { idText, isObject, type JsonObject } from '../../json/values.ts'
import type { SourcePerson } from '../../source.ts'
import { personOf, type Survey, unknownPerson } from './survey.ts'

/** Finds people by the objects and ids with which a ticket refers to them. */
export interface People {
  /** `object` is the person within the ticket, if the export has one there. */
  of(object: unknown, id: unknown): SourcePerson | undefined
  all(ids: readonly unknown[]): readonly SourcePerson[]
}

const ROLES = ['requester', 'submitter', 'assignee', 'collaborator'] as const

/** The people of one ticket: those of the users' file, and those whom the ticket itself describes. */
export function peopleOf(ticket: JsonObject, survey: Survey): People {
  const described = new Map<string, SourcePerson>()
  for (const value of ROLES.flatMap((role) => ticket[role])) {
    const id = isObject(value) ? idText(value.id) : undefined
    if (id !== undefined && isObject(value)) described.set(id, personOf(value, id))
  }
  const byId = (id: unknown): SourcePerson | undefined => {
    const text = idText(id)
    if (text === undefined) return undefined
    return survey.people.get(text) ?? described.get(text) ?? unknownPerson(text)
  }
  return {
    of(object, id) {
      if (!isObject(object)) return byId(id)
      const own = idText(object.id) ?? idText(id)
      const known = own === undefined ? undefined : survey.people.get(own)
      const person = own === undefined ? undefined : personOf(object, own)
      return known?.email === undefined ? (person ?? known) : known
    },
    all: (ids) => ids.flatMap((id) => byId(id) ?? []),
  }
}
