import type { JsonSource } from '../manifest/json-source.ts'
import { parseJson } from '../manifest/parse-json.ts'
import { nameUsedTwice, repeatedName } from '../manifest/repeated-name.ts'
import type { Schema } from '../manifest/schema.ts'
import {
  below,
  type DescribeDeps,
  describeFields,
  describeValue,
  externalIdOf,
  missingField,
  resolve,
  unknownField,
} from './describe-problems.ts'
import { createKnownIds } from './known-ids.ts'
import { createNameSet, type NameSet } from './name-set.ts'
import { duplicateId, type Place, pathOf } from './problems.ts'

/*
 * Finds the same problems as `describe-problems.ts` in a ticket that is too large to be parsed at once: it visits the
 * source part by part, along the schema. Parts of unknown fields and of values with the wrong type are skipped.
 */

const TICKET: Schema = { $ref: '#/definitions/ticket' }

const SMALL_BYTES = 65_536
/** Of more names than this in one object, repeated ones are no longer detected: most of them are unknown anyway. */
const COMPARED_NAMES = 200_000

interface LargeTicket {
  readonly index: number
  readonly externalId: string | undefined
  readonly isDuplicate: boolean
}

export interface LargeDeps extends DescribeDeps {
  /** Parts up to this many bytes are parsed at once; tests use less. */
  smallBytes?: number | undefined
}

/** Adds the problems of a large ticket, and the files that it mentions. */
export function describeLargeTicket(deps: LargeDeps, ticket: LargeTicket, source: JsonSource): void {
  const place: Place = { top: `tickets[${ticket.index}]`, externalId: ticket.externalId, below: '' }
  if (ticket.isDuplicate) deps.problems.add(() => duplicateId(place))
  describeSource(deps, TICKET, source, place)
}

/** Returns the externalId of a possible ticket, if it is a string. */
export function externalIdOfLarge(ticket: JsonSource): string | undefined {
  const source = fieldOf(ticket, 'externalId')
  return source && externalIdOf({ externalId: source.start() })
}

/** Counts the comments and attachments of a possible ticket, valid or not. */
export function countInLarge(ticket: JsonSource): { comments: number; attachments: number } {
  let comments = 0
  let attachments = countItems(fieldOf(ticket, 'attachments'))
  for (const comment of itemsOf(fieldOf(ticket, 'comments'))) {
    comments += 1
    attachments += countItems(fieldOf(comment, 'attachments'))
  }
  return { comments, attachments }
}

function describeSource(deps: LargeDeps, schema: Schema, source: JsonSource, place: Place, names?: NameSet): void {
  if (isSmall(deps, source)) {
    describeValue(deps, schema, parsed(source, pathOf(place)), place, names)
    return
  }
  const { definition, resolved } = resolve(schema)
  const types = [resolved.type].flat()
  if (source.kind === 'array' && types.includes('array')) describeItems(deps, resolved.items ?? {}, source, place)
  else if (source.kind === 'object' && types.includes('object')) {
    describeObject(deps, { resolved, definition }, source, place, names)
  } else describeValue(deps, schema, source.start(), place, names)
}

function isSmall({ smallBytes = SMALL_BYTES }: LargeDeps, { size }: JsonSource): boolean {
  return size <= smallBytes
}

function describeItems(deps: LargeDeps, schema: Schema, source: JsonSource, place: Place): void {
  const names = createNameSet()
  let index = 0
  for (const item of source.items()) {
    describeSource(deps, schema, item, below(place, `[${index}]`), names)
    index += 1
  }
}

function describeObject(
  deps: LargeDeps,
  { resolved, definition }: ReturnType<typeof resolve>,
  source: JsonSource,
  place: Place,
  names: NameSet | undefined,
): void {
  const { required = [], properties = {} } = resolved
  const { sources, unknownCount } = knownFields(source, properties, pathOf(place))
  for (const name of required) {
    if (!sources.has(name)) deps.problems.add(() => missingField(pathOf(place), name))
  }
  if (unknownCount > 0) {
    for (const { name } of source.fields()) {
      if (!Object.hasOwn(properties, name)) deps.problems.add(() => unknownField(pathOf(place), name))
    }
  }
  // Of a large field, only its start: enough to compare it with the other fields.
  const partOf = (name: string, field: JsonSource) =>
    isSmall(deps, field) ? parsed(field, pathOf(below(place, `.${name}`))) : field.start()
  const object = Object.fromEntries([...sources].map(([name, field]) => [name, partOf(name, field)]))
  describeFields(deps, resolved, definition, object, place, {
    names,
    describeOther(name, schema, at) {
      const field = sources.get(name)
      if (!field || isSmall(deps, field)) return false
      describeSource(deps, schema, field, at)
      return true
    },
  })
}

/** Returns the fields that the schema knows. Throws if a name is used twice, as for any manifest. */
function knownFields(source: JsonSource, properties: Readonly<Record<string, Schema>>, path: string) {
  const sources = new Map<string, JsonSource>()
  const seen = createKnownIds()
  let count = 0
  let unknownCount = 0
  for (const { name, value } of source.fields()) {
    if (++count <= COMPARED_NAMES && !seen.add(name)) throw nameUsedTwice(name, path)
    if (Object.hasOwn(properties, name)) sources.set(name, value)
    else unknownCount += 1
  }
  return { sources, unknownCount }
}

function parsed(source: JsonSource, path: string): unknown {
  const text = source.text()
  return parseJson(text, {
    spelled: true,
    onRepeatedName() {
      throw repeatedName(text, path)
    },
  })
}

function fieldOf(source: JsonSource, wanted: string): JsonSource | undefined {
  if (source.kind !== 'object') return undefined
  for (const { name, value } of source.fields()) if (name === wanted) return value
  return undefined
}

function itemsOf(source: JsonSource | undefined): Iterable<JsonSource> {
  return source?.kind === 'array' ? source.items() : []
}

function countItems(source: JsonSource | undefined): number {
  let count = 0
  for (const _ of itemsOf(source)) count += 1
  return count
}
