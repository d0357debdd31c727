import { Failure } from '@plantroom/contract/failure'
import { foldEmail } from '@plantroom/contract/fold-email'
import { type ImportOptions, MAX_CHOICES, MISSING_KINDS } from '@plantroom/contract/jobs'
import { shown } from '@plantroom/contract/shown'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { findByKeys } from '../../platform/db/lookup.ts'
import { findMembers } from '../requests/index.ts'
import { type Choice, type Choices, outcomeOf } from './choices.ts'
import type { KnownNames, LabelMatch, Names, PersonMatch } from './plan.ts'

/** Returns which of these requests are on the site, with the job that created each. */
export async function findRequests(
  db: Db,
  siteId: string,
  externalIds: readonly string[],
): Promise<Map<string, string | null>> {
  type Found = { external_id: string; job_id: string | null }
  const columns = ['external_id', 'job_id'] as const
  const rows = await findByKeys<Found>(db, 'ticket', { siteId, keys: externalIds, columns })
  return new Map(rows.map((row) => [row.external_id, row.job_id]))
}

/** Looks up people, units and tags of the site, and decides what becomes of those that it lacks. */
export async function findNames(db: Db, siteId: string, names: Names, choices: Choices): Promise<KnownNames> {
  return {
    people: await findPeople(db, siteId, names, choices.people),
    units: await findLabels(db, siteId, 'unit', names.units, choices.units),
    tags: await findLabels(db, siteId, 'tag', names.tags, choices.tags),
  }
}

async function findLabels(
  db: Db,
  siteId: string,
  table: 'unit' | 'tag',
  names: readonly string[],
  choice: Choice,
): Promise<ReadonlyMap<string, LabelMatch>> {
  if (names.length === 0) return new Map()
  type Found = { name: string; id: string }
  const rows = await findByKeys<Found>(db, table, { siteId, keys: names, columns: ['name', 'id'] })
  const ids = new Map(rows.map(({ name, id }) => [name, id]))
  const missing = names.filter((name) => !ids.has(name))
  const targets = await findTargets(db, siteId, table, targetsOf(choice, missing))
  const matchOf = (name: string): LabelMatch => {
    const id = ids.get(name)
    if (id !== undefined) return { name, id, outcome: 'known' }
    const outcome = outcomeOf(choice, name, targets)
    const target = choice.map.get(name)
    if (outcome !== 'mapped' || target === undefined) return { name, id: null, outcome }
    return { name: targets.get(target) ?? name, id: target, outcome }
  }
  return new Map(names.map((name) => [name, matchOf(name)]))
}

async function findPeople(
  db: Db,
  siteId: string,
  { emails, assigned }: Pick<Names, 'emails' | 'assigned'>,
  choice: Choice,
): Promise<ReadonlyMap<string, PersonMatch>> {
  if (emails.length === 0) return new Map()
  const keys = new Map(emails.map((email) => [email, foldEmail(email)]))
  const distinct = [...new Set(keys.values())]
  type Found = { email_key: string; id: string; name: string | null }
  const columns = ['email_key', 'id', 'name'] as const
  const rows = await findByKeys<Found>(db, 'person', { siteId, keys: distinct, columns })
  const known = new Map(rows.map((row) => [row.email_key, row]))
  const missing = distinct.filter((key) => !known.has(key))
  const members = new Map((await findMembers(db, siteId, { keys: missing })).map(({ email }) => [email, email]))
  const targets = await findPersonTargets(db, siteId, targetsOf(choice, missing))
  // Reporters and authors are kept as text: nobody is created for them alone.
  const creatable = new Set([...assigned].map(foldEmail))

  const matchOf = (key: string): PersonMatch => {
    const person = known.get(key)
    if (person) return { key, id: person.id, outcome: 'known', member: null, isNameless: person.name === null }
    const none = { key, id: null, member: null, isNameless: false }
    const member = members.get(key)
    if (member !== undefined) return { ...none, outcome: 'known', member }
    const outcome = outcomeOf(choice, key, targets)
    if (outcome === 'mapped') return { ...none, ...targets.get(choice.map.get(key) ?? ''), outcome }
    return { ...none, outcome: creatable.has(key) ? outcome : 'left' }
  }
  const matches = new Map(distinct.map((key) => [key, matchOf(key)]))
  return new Map(
    [...keys].flatMap(([email, key]) => (matches.has(key) ? [[email, matches.get(key) as PersonMatch]] : [])),
  )
}

/** The ids that missing names are mapped to. */
const targetsOf = ({ map }: Choice, missing: readonly string[]): string[] =>
  map.size === 0 ? [] : [...new Set(missing.flatMap((key) => map.get(key) ?? []))]

/** Finds units, tags or people of the site. Returns their names by id. */
async function findTargets(
  db: Db,
  siteId: string,
  table: 'unit' | 'tag' | 'person',
  ids: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string | null }>`
    SELECT id, name FROM ${sql.table(table)} WHERE site_id = ${siteId} AND id = ANY(${ids}::text[])`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Finds people by id. A member may be given by the id of their account, as lists show it. */
async function findPersonTargets(
  db: Db,
  siteId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { id: string | null; member: string | null }>> {
  if (ids.length === 0) return new Map()
  const rows = await findTargets(db, siteId, 'person', ids)
  const members = await findMembers(db, siteId, { userIds: ids.filter((id) => !rows.has(id)) })
  return new Map<string, { id: string | null; member: string | null }>([
    ...[...rows.keys()].map((id) => [id, { id, member: null }] as const),
    ...members.map(({ userId, email }) => [userId, { id: null, member: email }] as const),
  ])
}

/** Rejects with `invalid` when a name is mapped to something that the site does not have, whether or not others have it. */
export async function requireTargets(db: Db, siteId: string, options: ImportOptions): Promise<void> {
  for (const kind of MISSING_KINDS) {
    const map = Object.entries(options[kind]?.map ?? {})
    const field = `options.${kind}.map`
    if (map.length > MAX_CHOICES) {
      throw new Failure('invalid', `${field} must have at most ${MAX_CHOICES} names: map fewer`, field)
    }
    const ids = map.map(([, id]) => id)
    const found =
      kind === 'people'
        ? await findPersonTargets(db, siteId, ids)
        : await findTargets(db, siteId, kind === 'units' ? 'unit' : 'tag', ids)
    const foreign = map.find(([, id]) => !found.has(id))
    if (!foreign) continue
    const [name, id] = foreign
    const what = { units: 'unit', people: 'person', tags: 'tag' }[kind]
    throw new Failure(
      'invalid',
      `${field}: this site has no ${what} ${shown(id)}, to which ${shown(name)} is mapped`,
      field,
    )
  }
}

/** Whether Maintenance Requests are turned on for the site. */
export async function isTurnedOn(db: Db, siteId: string): Promise<boolean> {
  const site = await db.selectFrom('site').where('id', '=', siteId).select('maintenance_requests').executeTakeFirst()
  return site?.maintenance_requests ?? false
}
