import { readDocument } from '@plantroom/base/document'
import type { Client } from '@plantroom/client/client'
import { collectItems } from '@plantroom/client/pages'
import { isSameEmail } from '@plantroom/contract/fold-email'
import { type ImportOptions, MISSING_KINDS, type MissingKind } from '@plantroom/contract/jobs'
import type { SiteClient, SiteIds } from '../../clients.ts'
import { UsageError, valued } from '../../command.ts'
import { printable } from '../../output.ts'

/** Flags that say what becomes of units, people and tags that the site lacks. */
export const CHOICE_FLAGS = {
  create: valued('KINDS', `create names that the site lacks: a list of ${MISSING_KINDS.join(',')}`),
  map: valued('FILE', 'map names to existing ones, with a YAML file of units, people and tags', { completes: 'file' }),
} as const

export interface ChoiceFlags {
  create?: string | undefined
  map?: string | undefined
}

type Maps = Partial<Record<MissingKind, Readonly<Record<string, string>>>>

/** What the flags say; `undefined` without any. The names that a map leads to still have to be looked up. */
export interface GivenChoices {
  readonly create: readonly MissingKind[]
  readonly maps: Maps
}

/** Reads the flags and the file of a map. Throws a `UsageError`, before any work starts, when they are not valid. */
export async function readChoiceFlags({ create, map }: ChoiceFlags): Promise<GivenChoices | undefined> {
  if (create === undefined && map === undefined) return undefined
  const kinds = (create ?? '').split(',').filter((kind) => kind !== '')
  const unknown = kinds.find((kind) => !isKind(kind))
  if (unknown !== undefined || (create !== undefined && kinds.length === 0)) {
    throw new UsageError(`--create ${printable(create ?? '')} must list some of: ${MISSING_KINDS.join(',')}`)
  }
  return { create: kinds.filter(isKind), maps: map === undefined ? {} : await readMaps(map) }
}

const isKind = (text: string): text is MissingKind => MISSING_KINDS.some((kind) => kind === text)

/** Reads a map in YAML or JSON: for each kind, names of the package with names of the site. */
async function readMaps(path: string): Promise<Maps> {
  const wrong = (problem: string) =>
    new UsageError(`--map ${printable(path)} ${problem}; write for example units: { "Room 1a": "Room 1" }`)
  const content: unknown = await readDocument(path, 'map', 'units, people and tags')
  if (!isRecord(content)) throw wrong('has no kinds')
  for (const [kind, names] of Object.entries(content)) {
    if (!isKind(kind)) throw wrong(`has ${printable(kind)}, which is none of ${MISSING_KINDS.join(', ')}`)
    if (!isRecord(names) || Object.values(names).some((name) => typeof name !== 'string')) {
      throw wrong(`must have under ${kind} texts by name`)
    }
  }
  return content as Maps
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the options of a job. Throws when a name of a map leads to nothing on the site. */
export async function optionsOf(
  { client, site }: SiteClient,
  given: GivenChoices | undefined,
): Promise<ImportOptions | undefined> {
  if (!given) return undefined
  const kinds = MISSING_KINDS.map(async (kind) => {
    const names = given.maps[kind]
    const map = names && (await idsOf(client, site, kind, names))
    const create = given.create.includes(kind)
    return [kind, { ...(create && { create }), ...(map && { map }) }] as const
  })
  return Object.fromEntries((await Promise.all(kinds)).filter(([, { create, map }]) => create || map))
}

async function idsOf(
  client: Client,
  site: SiteIds,
  kind: MissingKind,
  names: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const there = await listed(client, site, kind)
  return Object.fromEntries(
    Object.entries(names).map(([name, target]) => {
      const found = there.find(({ id, name }) => id === target || name === target.trim() || isSameEmail(name, target))
      if (found) return [name, found.id]
      throw new Error(`the site has none of ${kind} named ${printable(target)}, to which ${printable(name)} is mapped`)
    }),
  )
}

/** Everything of a kind that the site has, people by email. */
async function listed(client: Client, site: SiteIds, kind: MissingKind): Promise<{ id: string; name: string }[]> {
  switch (kind) {
    case 'units':
      return collectItems(
        (cursor) => client.listUnits({ ...site, query: { cursor } }),
        ({ units }) => units,
      )
    case 'tags':
      return collectItems(
        (cursor) => client.listTags({ ...site, query: { cursor } }),
        ({ tags }) => tags,
      )
    case 'people': {
      const people = await collectItems(
        (cursor) => client.listPeople({ ...site, query: { cursor } }),
        (page) => page.people,
      )
      return people.map(({ id, email }) => ({ id, name: email }))
    }
  }
}
