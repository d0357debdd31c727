import { BOUNDS } from '../limits.ts'
import type { JsonRun, JsonSource } from '../manifest/json-source.ts'
import { nameUsedTwice } from '../manifest/repeated-name.ts'
import type { Schema } from '../manifest/schema.ts'
import { listIn } from './attachments.ts'
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
import { followsDefinition } from './follows-schema.ts'
import { createKnownIds } from './known-ids.ts'
import { createNameSet, type NameSet } from './name-set.ts'
import { duplicateId, type Place, pathOf, tooManyValues } from './problems.ts'
import { isStorable } from './rules.ts'

/*
 * Finds the same problems as `describe-problems.ts` in a ticket that is too large to be parsed at once: it visits the
 * source part by part, along the schema. Parts of unknown fields and of values with the wrong type are skipped.
 */

const TICKET: Schema = { $ref: '#/definitions/ticket' }

const SMALL_BYTES = 65_536
/** Of more names than this in one object, repeated ones are no longer detected: most of them are unknown anyway. */
const COMPARED_NAMES = 200_000

export interface LargeDeps extends DescribeDeps {
  /** Parts up to this many bytes are parsed at once; tests use less. */
  smallBytes?: number | undefined
}

/** What the checker asks about a large ticket. */
export interface LargeTicket {
  /** If it is a string. */
  readonly externalId: string | undefined
  /** Counts comments and attachments, valid or not. */
  count(): { comments: number; attachments: number }
  /** Adds its problems, and the files that it mentions. */
  describe(deps: LargeDeps, known: { isDuplicate: boolean; values: number }): void
}

/** Throws `PackageRefused` if a name is used twice. */
export function openLargeTicket(index: number, source: JsonSource): LargeTicket {
  const top = `tickets[${index}]`
  const fields = source.kind === 'object' ? knownFields(source, resolve(TICKET).resolved, top) : undefined
  const externalId = externalIdOf({ externalId: fields?.sources.get('externalId')?.start() })
  return {
    externalId,
    count: () => countIn(fields?.sources ?? new Map(), top),
    describe(deps, { isDuplicate, values }) {
      const place: Place = { top, externalId, below: '' }
      if (isDuplicate) deps.problems.add(() => duplicateId(place))
      if (values > BOUNDS.valuesInTicket) deps.problems.add(() => tooManyValues(place, values))
      if (fields) describeObject(deps, resolve(TICKET), { source, fields }, place)
      else describeSource(deps, TICKET, source, place)
    },
  }
}

function countIn(fields: ReadonlyMap<string, JsonSource>, path: string): { comments: number; attachments: number } {
  let comments = 0
  let attachments = countItems(fields.get('attachments'))
  const list = fields.get('comments')
  for (const part of list?.kind === 'array' ? list.runs(SMALL_BYTES) : []) {
    if (part.kind !== 'run') {
      comments += 1
      attachments += countItems(fieldOf(part, 'attachments'))
      continue
    }
    const before = comments
    const values = part.parse((item) => `${path}.comments[${before + item}]`)
    comments += values.length
    for (const comment of values) attachments += listIn(comment, 'attachments').length
  }
  return { comments, attachments }
}

function describeSource(deps: LargeDeps, schema: Schema, source: JsonSource, place: Place, names?: NameSet): void {
  if (isSmall(deps, source)) {
    describeValue(deps, schema, source.parse(pathOf(place), { spelled: true }), place, names)
    return
  }
  const { definition, resolved } = resolve(schema)
  const types = [resolved.type].flat()
  if (source.kind === 'array' && types.includes('array')) describeItems(deps, resolved.items ?? {}, source, place)
  else if (source.kind === 'object' && types.includes('object')) {
    const fields = knownFields(source, resolved, pathOf(place))
    describeObject(deps, { resolved, definition }, { source, fields }, place, names)
  } else describeValue(deps, schema, source.start(), place, names)
}

function isSmall({ smallBytes = SMALL_BYTES }: LargeDeps, { size }: JsonSource): boolean {
  return size <= smallBytes
}

function describeItems(deps: LargeDeps, schema: Schema, source: JsonSource, place: Place): void {
  const names = createNameSet()
  let index = 0
  for (const part of source.runs(deps.smallBytes ?? SMALL_BYTES)) {
    if (part.kind === 'run') index += describeRun(deps, schema, part, { place, index, names })
    else {
      describeSource(deps, schema, part, below(place, `[${index}]`), names)
      index += 1
    }
  }
}

/** Returns the number of items. */
function describeRun(
  deps: LargeDeps,
  schema: Schema,
  run: JsonRun,
  { place, index, names }: { place: Place; index: number; names: NameSet },
): number {
  // Once the report is full, nothing is shown any more.
  const isFull = () => deps.problems.count >= BOUNDS.problemsInReport
  const at = (item: number) => (isFull() ? place : below(place, `[${index + item}]`))
  const values = run.parse((item) => `${pathOf(place)}[${index + item}]`)
  const { definition } = resolve(schema)
  let spelled: readonly unknown[] | undefined
  values.forEach((value, item) => {
    const follows = isFollowed(definition, value)
    if (follows && !hasOtherRules(definition, value)) return
    const isShown = !follows && !isFull()
    if (isShown) spelled ??= run.spelled()
    describeValue(deps, schema, isShown ? spelled?.[item] : value, at(item), names)
  })
  return values.length
}

function isFollowed(definition: string | undefined, value: unknown): boolean {
  return definition !== undefined && followsDefinition(definition, value) && isStorable(value)
}

/** True for items with attachments, about which the schema does not say everything. */
function hasOtherRules(definition: string | undefined, value: unknown): boolean {
  return definition === 'attachment' || listIn(value, 'attachments').length > 0
}

function describeObject(
  deps: LargeDeps,
  { resolved, definition }: ReturnType<typeof resolve>,
  { source, fields: { sources, unknownCount } }: { source: JsonSource; fields: KnownFields },
  place: Place,
  names?: NameSet,
): void {
  const { required = [], properties = {} } = resolved
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
    isSmall(deps, field) ? field.parse(pathOf(below(place, `.${name}`)), { spelled: true }) : field.start()
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

interface KnownFields {
  readonly sources: ReadonlyMap<string, JsonSource>
  readonly unknownCount: number
}

/** Returns the fields that the schema knows. Throws if a name is used twice, as for any manifest. */
function knownFields(source: JsonSource, { properties = {} }: Schema, path: string): KnownFields {
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

function fieldOf(source: JsonSource, wanted: string): JsonSource | undefined {
  if (source.kind !== 'object') return undefined
  for (const { name, value } of source.fields()) if (name === wanted) return value
  return undefined
}

function countItems(source: JsonSource | undefined): number {
  let count = 0
  if (source?.kind === 'array') for (const _ of source.items()) count += 1
  return count
}
