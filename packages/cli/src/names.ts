import type { Client } from '@plantroom/client/client'
import { collectItems } from '@plantroom/client/pages'
import { UsageError } from './command.ts'
import { printable } from './output.ts'
import { nearest, similarNames } from './suggest.ts'

/** Something with an id and a name that a person may type. */
export interface Named {
  id: string
  name: string
}

/** The beginning of the ids of each kind. A text that begins so is an id if nothing has it as its name. */
const PREFIXES = {
  organization: 'org_',
  site: 'site_',
  device: 'dev_',
  key: undefined,
  webhook: 'wh_',
  'technical system': 'sys_',
  connection: 'con_',
  datapoint: 'dp_',
} as const
export type Kind = keyof typeof PREFIXES

/** So many names fit into a message. */
const FEW = 5

const WHOLE_ID = /^[a-z]+_[0-9a-hjkmnp-tv-z]{20}$/

/** Reports whether a text is certainly an id, so that a lookup would not help. */
const isWholeId = (kind: Kind, text: string) => beginsAsId(kind, text) && WHOLE_ID.test(text)

function beginsAsId(kind: Kind, text: string): boolean {
  const prefix = PREFIXES[kind]
  return prefix !== undefined && text.startsWith(prefix)
}

/** Resolves the ids and names of what the admin token can list. */
export interface Names {
  organization(given: string): Promise<string>
  site(orgId: string, given: string): Promise<string>
  device(orgId: string, given: string): Promise<string>
  key(orgId: string, given: string): Promise<string>
}

type Lists = Pick<Client, 'listOrganizations' | 'listSites' | 'listDevices' | 'listKeys'>

/** Without a client of the operator, only ids can be given. */
export function createNames(operator: Lists | undefined): Names {
  async function resolve(kind: Kind, given: string, list: (client: Lists) => Promise<readonly Named[]>) {
    if (isWholeId(kind, given)) return given
    if (operator) return resolveAmong(kind, await list(operator), given, ({ id }) => id)
    if (beginsAsId(kind, given)) return given
    throw new UsageError(
      `${printable(given)} is not the id of ${withArticle(kind)}; only the admin token can look up names`,
    )
  }
  return {
    organization: (given) =>
      resolve('organization', given, async (client) => (await client.listOrganizations()).organizations),
    site: (orgId, given) => resolve('site', given, async (client) => (await client.listSites({ orgId })).sites),
    device: (orgId, given) => resolve('device', given, (client) => listDevices(client, orgId)),
    key: (orgId, given) => resolve('key', given, async (client) => (await client.listKeys({ orgId })).keys),
  }
}

/** Lists all devices of an organization. */
export const listDevices = (client: Pick<Client, 'listDevices'>, orgId: string) =>
  collectItems(
    (cursor) => client.listDevices({ orgId, query: { cursor } }),
    ({ devices }) => devices,
  )

/** Returns the id of what was given by id or name. What looks like an id may belong to something removed. */
export function resolveAmong<Item extends Named>(
  kind: Kind,
  items: readonly Item[],
  given: string,
  where: (item: Item) => string,
): string {
  const found = choose(items, given, where)
  if (found) return found.id
  if (beginsAsId(kind, given)) return given
  throw unknownName(kind, items, given)
}

/** Returns the error for a name that nothing has, with the names that were perhaps meant. */
export function unknownName(kind: Kind, items: readonly Named[], given: string): UsageError {
  const near = nearest(
    given,
    items.map(({ name }) => name),
  )
  const all = items.length <= FEW ? items.map(({ name }) => name) : []
  return new UsageError(`there is no ${kind} ${printable(given)}${similarNames(near, all)}`)
}

/**
 * Finds an item by id or name; undefined if there is none. A name of several items is a `UsageError` that lists `where`
 * each one is.
 */
export function choose<Item extends Named>(
  items: readonly Item[],
  given: string,
  where: (item: Item) => string,
): Item | undefined {
  const byId = items.find(({ id }) => id === given)
  if (byId) return byId
  const named = [...new Map(items.filter(({ name }) => name === given).map((item) => [item.id, item])).values()]
  if (named.length > 1) {
    const all = named.map((item) => (where(item) === item.id ? item.id : `${item.id} (${where(item)})`)).join(', ')
    throw new UsageError(`${named.length} are named ${given}; give one of the ids: ${all}`)
  }
  return named[0]
}

const withArticle = (kind: Kind) => (kind === 'organization' ? `an ${kind}` : `a ${kind}`)
