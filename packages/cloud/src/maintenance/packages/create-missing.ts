import type { Db } from '../../platform/db/database.ts'
import type { AddedRows } from '../../platform/db/planner-statistics.ts'
import { insertLabels, insertPeople } from '../requests/index.ts'
import type { KnownNames, LabelMatch, Match, PersonMatch } from './plan.ts'

/**
 * Creates the units, people and tags that the choices say, and rows for members whom the package names. Returns the names
 * with all ids. `names` are those of people, by the keys of their emails. The caller holds the lock on numbers.
 */
export async function createMissing(
  trx: Db,
  siteId: string,
  known: KnownNames,
  names: ReadonlyMap<string, string>,
): Promise<KnownNames> {
  return {
    units: await createLabels(trx, 'unit', siteId, known.units),
    tags: await createLabels(trx, 'tag', siteId, known.tags),
    people: await createPeople(trx, siteId, known.people, names),
  }
}

async function createLabels(
  trx: Db,
  table: 'unit' | 'tag',
  siteId: string,
  known: KnownNames['units'],
): Promise<KnownNames['units']> {
  const missing = [...known].flatMap(([name, { outcome }]) => (outcome === 'created' ? [name] : []))
  if (missing.length === 0) return known
  const { ids, created } = await insertLabels(trx, table, siteId, missing)
  const now = (name: string, match: LabelMatch): LabelMatch =>
    match.outcome === 'created'
      ? { name, id: ids.get(name) ?? null, outcome: created.has(name) ? 'created' : 'known' }
      : match
  return new Map([...known].map(([name, match]) => [name, now(name, match)]))
}

async function createPeople(
  trx: Db,
  siteId: string,
  known: KnownNames['people'],
  names: ReadonlyMap<string, string>,
): Promise<KnownNames['people']> {
  const wanted = new Map<string, { email: string; name: string | null }>()
  for (const [email, { key, outcome, member }] of known) {
    if (member !== null) wanted.set(member, { email: member, name: null })
    else if (outcome === 'created' && !wanted.has(key)) wanted.set(key, { email, name: names.get(key) ?? null })
  }
  if (wanted.size === 0) return known
  const { ids, created } = await insertPeople(trx, siteId, [...wanted.values()])
  const now = (match: PersonMatch): PersonMatch => {
    if (match.member !== null) return { ...match, id: ids.get(match.member) ?? null, member: null }
    if (match.outcome !== 'created') return match
    return { ...match, id: ids.get(match.key) ?? null, outcome: created.has(match.key) ? 'created' : 'known' }
  }
  return new Map([...known].map(([email, match]) => [email, now(match)]))
}

/** Counts the rows that `createMissing` has just added. */
export function addedNames({ units, tags, people }: KnownNames): Omit<AddedRows, 'ticket'> {
  const created = (matches: Iterable<Match>) => [...matches].filter(({ outcome }) => outcome === 'created').length
  return { unit: created(units.values()), tag: created(tags.values()), person: created(people.values()) }
}

/** The names for people of the site who have none, by the keys of their emails. */
export function namesForNameless(known: KnownNames, names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const { key, isNameless } of known.people.values()) {
    const name = names.get(key)
    if (isNameless && name !== undefined) found.set(key, name)
  }
  return found
}
