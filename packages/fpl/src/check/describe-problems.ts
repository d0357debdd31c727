import type { Entry } from '../archive/archive.ts'
import type { ManifestAttachment } from '../manifest/manifest.ts'
import { manifestSchema, type Schema } from '../manifest/schema.ts'
import { nameOf } from './attachments.ts'
import { createNameSet, type NameSet } from './name-set.ts'
import {
  duplicateId,
  type Place,
  type Problem,
  type ProblemList,
  pathOf,
  problemAt,
  problemInTicket,
  showName,
} from './problems.ts'
import { brokenRule, isBlank } from './rules.ts'

type Fields = Readonly<Record<string, unknown>>

export interface DescribeDeps {
  /** Looks up a file of the package by path. */
  find(path: string): Entry | undefined
  problems: ProblemList
  /** Collects the files that valid attachments mention. */
  mentioned: Set<Entry>
}

const PROPERTIES: Readonly<Record<string, Schema>> = manifestSchema.properties
const DEFINITIONS: Readonly<Record<string, Schema>> = manifestSchema.definitions

/*
 * These functions interpret the schema that `followsSchema` compiles, so both apply the same rules. They add problems in
 * document order: first those of an object itself (duplicate id, missing fields, unknown fields), then those of its
 * fields. Each value has at most one problem.
 */

/** Adds the problems of a manifest field that the schema defines. */
export function describeField(deps: DescribeDeps, name: string, value: unknown): void {
  describeValue(deps, PROPERTIES[name] ?? {}, value, { top: name, externalId: undefined, below: '' })
}

/** Adds the problems of a ticket. */
export function describeTicket(deps: DescribeDeps, index: number, value: unknown, isDuplicate: boolean): void {
  const place: Place = { top: `tickets[${index}]`, externalId: externalIdOf(value), below: '' }
  if (isDuplicate) deps.problems.add(() => duplicateId(place))
  describeValue(deps, { $ref: '#/definitions/ticket' }, value, place)
}

export function missingField(path: string, name: string): Problem {
  return problemAt(path, `must have required field ${name}`)
}

export function unknownField(path: string, name: string): Problem {
  return problemAt(path, `must not have unknown field ${showName(name)}`)
}

/** Returns the externalId of a possible ticket, if it is a string. */
export function externalIdOf(ticket: unknown): string | undefined {
  const id = typeof ticket === 'object' && ticket !== null && 'externalId' in ticket ? ticket.externalId : undefined
  return typeof id === 'string' ? id : undefined
}

/** Returns a schema without its reference, and the name of the definition it refers to. */
export function resolve(schema: Schema): { definition: string | undefined; resolved: Schema } {
  const definition = schema.$ref?.slice('#/definitions/'.length)
  return { definition, resolved: definition === undefined ? schema : (DEFINITIONS[definition] ?? {}) }
}

/** `names` has the attachment names used so far in the list that contains the value. */
export function describeValue(deps: DescribeDeps, schema: Schema, value: unknown, place: Place, names?: NameSet): void {
  const { definition, resolved } = resolve(schema)
  const broken = brokenRule(resolved, definition, value)
  if (broken) {
    const { rule, value: shown, namesTicket } = broken
    deps.problems.add(() => (namesTicket ? problemInTicket(place, rule, shown) : problemAt(pathOf(place), rule, shown)))
  } else if (Array.isArray(value)) {
    describeItems(deps, resolved.items ?? {}, value, place)
  } else if (typeof value === 'object' && value !== null) {
    const object = value as Fields
    describeFieldNames(deps, resolved, object, place)
    describeFields(deps, resolved, definition, object, place, { names })
  }
}

function describeItems(deps: DescribeDeps, schema: Schema, items: readonly unknown[], place: Place): void {
  // Names are unique among the attachments of one request, and among those of one comment.
  const names = createNameSet()
  items.forEach((item, index) => {
    describeValue(deps, schema, item, below(place, `[${index}]`), names)
  })
}

function describeFieldNames(deps: DescribeDeps, schema: Schema, object: Fields, place: Place): void {
  const { required = [], properties = {} } = schema
  for (const name of required) {
    if (!Object.hasOwn(object, name)) deps.problems.add(() => missingField(pathOf(place), name))
  }
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(properties, name)) deps.problems.add(() => unknownField(pathOf(place), name))
  }
}

/** `describeOther` may describe a field in its own way and then returns true. */
export function describeFields(
  deps: DescribeDeps,
  { properties = {} }: Schema,
  definition: string | undefined,
  object: Fields,
  place: Place,
  {
    names = createNameSet(),
    describeOther,
  }: {
    names?: NameSet | undefined
    describeOther?: (name: string, schema: Schema, place: Place) => boolean
  } = {},
): void {
  if (definition === 'person' && isEmptyPerson(object)) {
    deps.problems.add(() => problemAt(pathOf(place), 'must have an email, a name or a phone'))
  }
  for (const name of Object.keys(object)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!schema) continue
    const at = below(place, `.${name}`)
    const countBefore = deps.problems.count
    if (!describeOther?.(name, schema, at)) describeValue(deps, schema, object[name], at)
    // A value that is invalid on its own is not compared with others.
    if (deps.problems.count > countBefore) continue
    if (definition === 'comment' && name === 'content') describeContent(deps, object, at)
    if (definition === 'attachment') describeAttachment(deps, name, object, place, names)
  }
}

/** Checks a comment's content, which is a string, against its attachments. */
function describeContent({ problems }: DescribeDeps, { content, attachments }: Fields, place: Place): void {
  const hasAttachment = Array.isArray(attachments) && attachments.length > 0
  if (!hasAttachment && isBlank(content as string)) {
    problems.add(() => problemAt(pathOf(place), 'must not be blank unless the comment has an attachment'))
  }
}

/** Checks `field` of an attachment, which is valid on its own, against the package and the other attachments. */
function describeAttachment(
  { find, problems, mentioned }: DescribeDeps,
  field: string,
  object: Fields,
  place: Place,
  names: NameSet,
): void {
  const attachment = object as ManifestAttachment
  if (field === 'path') {
    const file = find(attachment.path)
    if (file) mentioned.add(file)
    else problems.add(() => problemInTicket(below(place, '.path'), 'is not in the package', attachment.path))
  }
  const givesName = field === (Object.hasOwn(attachment, 'name') ? 'name' : 'path')
  if (!givesName) return
  const name = nameOf(attachment)
  if (!names.add(name)) problems.add(() => problemInTicket(below(place, '.name'), 'is used twice', name))
}

/** True if a person has no email, name or phone. A blank email is a problem of its own. */
function isEmptyPerson({ email, name, phone }: Fields): boolean {
  return (email ?? null) === null && [name, phone].every((text) => (text ?? null) === null || isBlankText(text))
}

function isBlankText(value: unknown): boolean {
  return typeof value === 'string' && isBlank(value)
}

export function below({ top, externalId, below }: Place, part: string): Place {
  return { top, externalId, below: below + part }
}
