import { Failure } from '@plantroom/contract/failure'
import type { Person } from '@plantroom/contract/tickets'
import { manifestSchema } from '@plantroom/fpl/manifest-schema'

/** Pattern of email addresses: the rule of packages applies everywhere. */
export const PERSON_EMAIL = manifestSchema.definitions.email.pattern

/** A person in a request body. */
export type GivenPerson = Partial<Person> | null | undefined

/** Checks a person in a request body. Throws `invalid` unless at least one field identifies the person. */
export function readPerson(given: GivenPerson, field: string): Person | null {
  if (!given) return null
  const { email = null, name = null, phone = null } = given
  if (email === null && !name?.trim() && !phone?.trim()) {
    throw new Failure('invalid', `${field} must have an email, a name or a phone, or be null`, field)
  }
  return { email, name, phone }
}

/** Returns the person in the body, which may be null, or the signed-in user when the body has no such field. */
export function givenOrSignedIn(given: GivenPerson, { email }: { email: string | undefined }): GivenPerson {
  return given === undefined && email !== undefined ? { email } : given
}

/** Builds a person from three columns; null when all are null. */
export function personFrom(email: string | null, name: string | null, phone: string | null): Person | null {
  return email === null && name === null && phone === null ? null : { email, name, phone }
}

/**
 * Returns a person as the site shows them: the linked person of the site, completed from the text kept with the request;
 * without a link, that text alone.
 */
export function shownPerson(linked: Person | null, kept: Person | null): Person | null {
  if (!linked) return kept
  return { email: linked.email, name: linked.name ?? kept?.name ?? null, phone: linked.phone ?? kept?.phone ?? null }
}

/** Returns the person as the request describes them; where it only links to a person of the site, that person. */
export function keptPerson(
  email: string | null,
  name: string | null,
  phone: string | null,
  linked: { personEmail: string | null; personName: string | null; personPhone: string | null },
): Person | null {
  const kept = personFrom(email, name, phone)
  if (kept || linked.personEmail === null) return kept
  return { email: linked.personEmail, name: linked.personName, phone: linked.personPhone }
}
