import { Failure } from '@plantroom/contract/failure'
import type { Person } from '@plantroom/contract/tickets'
import { manifestSchema } from '@plantroom/fpl/manifest-schema'

/** The one rule for addresses of people: that of packages. */
export const PERSON_EMAIL = manifestSchema.definitions.email.pattern

/** What a caller says of somebody: whatever is known. */
export type GivenPerson = Partial<Person> | null | undefined

/** Whoever is named is named by something; `undefined` and null name nobody. */
export function readPerson(given: GivenPerson, field: string): Person | null {
  if (!given) return null
  const { email = null, name = null, phone = null } = given
  if (email === null && !name?.trim() && !phone?.trim()) {
    throw new Failure('invalid', `${field} must have an email, a name or a phone, or be null`, field)
  }
  return { email, name, phone }
}

/** Whom the body names, which may be nobody (null); when it does not say, whoever is signed in. */
export function saidOrSignedIn(said: GivenPerson, { email }: { email: string | undefined }): GivenPerson {
  return said === undefined && email !== undefined ? { email } : said
}

/** Somebody as three columns hold them; `null` when nothing is in those. */
export function saidPerson(email: string | null, name: string | null, phone: string | null): Person | null {
  return email === null && name === null && phone === null ? null : { email, name, phone }
}

/** People are matched without regard to case. */
export function isSameAddress(one: string | null | undefined, other: string | null | undefined): boolean {
  return one != null && other != null && one.toLowerCase() === other.toLowerCase()
}

/**
 * Somebody as they are shown: someone of the site as the site knows them, with what was said of them where it knows
 * nothing; somebody else as was said.
 */
export function shownPerson(ofSite: Person | null, said: Person | null): Person | null {
  if (!ofSite) return said
  return { email: ofSite.email, name: ofSite.name ?? said?.name ?? null, phone: ofSite.phone ?? said?.phone ?? null }
}
