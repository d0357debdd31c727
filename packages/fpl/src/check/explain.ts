import type { Entry } from '../archive/archive.ts'
import { type Attachment, nameOf } from './attachments.ts'
import { duplicateId, type Place, type ProblemList, pathOf, problemAt, problemInTicket } from './problems.ts'
import { brokenRule, isBlank } from './rules.ts'
import { manifestSchema, type Schema } from './schema.ts'
import { show } from './show.ts'

type Fields = Readonly<Record<string, unknown>>

/** Describes what is wrong with a manifest. Reads the same schema as the validator, so both apply the same rules. */
export interface Explainer {
  /** Describes a field of the manifest that the schema defines. */
  field(name: string, value: unknown): void
  ticket(index: number, value: unknown, isDuplicate: boolean): void
}

export interface ExplainerDeps {
  find(path: string): Entry | undefined
  problems: ProblemList
}

/**
 * Adds problems in document order: first those of an object itself (duplicate id, missing fields, unknown fields), then
 * those of its fields. Each value has at most one problem.
 */
export function createExplainer({ find, problems }: ExplainerDeps): Explainer {
  const { properties, definitions } = manifestSchema()

  function explain(schema: Schema, value: unknown, place: Place, names?: Set<string>): void {
    const definition = schema.$ref?.slice('#/definitions/'.length)
    const resolved = definition === undefined ? schema : (definitions[definition] ?? {})
    const broken = brokenRule(resolved, definition, value)
    if (broken) {
      const { rule, value: shown, namesTicket } = broken
      problems.add(() => (namesTicket ? problemInTicket(place, rule, shown) : problemAt(pathOf(place), rule, shown)))
    } else if (Array.isArray(value)) {
      explainItems(resolved.items ?? {}, value, place)
    } else if (typeof value === 'object' && value !== null) {
      const object = value as Fields
      explainFieldNames(resolved, object, place)
      if (definition === 'person' && isNobody(object)) {
        problems.add(() => problemAt(pathOf(place), 'must have an email, a name or a phone'))
      }
      explainFields(resolved, definition, object, place, names)
    }
  }

  function explainItems(schema: Schema, items: readonly unknown[], place: Place): void {
    // Names are unique among the attachments of one request, and among those of one comment.
    const names = new Set<string>()
    items.forEach((item, index) => {
      explain(schema, item, below(place, `[${index}]`), names)
    })
  }

  function explainFieldNames({ required = [], properties = {} }: Schema, object: Fields, place: Place): void {
    for (const name of required) {
      if (!Object.hasOwn(object, name)) problems.add(() => missingField(pathOf(place), name))
    }
    for (const name of Object.keys(object)) {
      if (!Object.hasOwn(properties, name)) problems.add(() => unknownField(pathOf(place), name))
    }
  }

  function explainFields(
    { properties = {} }: Schema,
    definition: string | undefined,
    object: Fields,
    place: Place,
    names = new Set<string>(),
  ): void {
    for (const name of Object.keys(object)) {
      const schema = Object.hasOwn(properties, name) ? properties[name] : undefined
      if (!schema) continue
      const at = below(place, `.${name}`)
      const countBefore = problems.count
      explain(schema, object[name], at)
      // A value that is invalid on its own is not compared with others.
      if (problems.count > countBefore) continue
      if (definition === 'comment' && name === 'content') explainContent(object, at)
      if (definition === 'attachment') explainAttachment(name, object as unknown as Attachment, place, names)
    }
  }

  function explainContent({ content, attachments }: Fields, place: Place): void {
    const hasAttachment = Array.isArray(attachments) && attachments.length > 0
    if (!hasAttachment && isBlank(content as string)) {
      problems.add(() => problemAt(pathOf(place), 'must not be blank unless the comment has an attachment'))
    }
  }

  function explainAttachment(field: string, attachment: Attachment, place: Place, names: Set<string>): void {
    const { path } = attachment
    if (field === 'path' && !find(path)) {
      problems.add(() => problemInTicket(below(place, '.path'), 'is not in the package', path))
    }
    const givesName = field === (Object.hasOwn(attachment, 'name') ? 'name' : 'path')
    if (!givesName) return
    const name = nameOf(attachment)
    if (names.has(name)) problems.add(() => problemInTicket(below(place, '.name'), 'is used twice', name))
    names.add(name)
  }

  return {
    field(name, value) {
      explain(properties[name] ?? {}, value, { top: name, externalId: undefined, below: '' })
    },
    ticket(index, value, isDuplicate) {
      const externalId = externalIdOf(value)
      const place: Place = { top: `tickets[${index}]`, externalId, below: '' }
      if (isDuplicate) problems.add(() => duplicateId(place))
      explain({ $ref: '#/definitions/ticket' }, value, place)
    },
  }
}

export function missingField(path: string, name: string) {
  return problemAt(path, `must have required field ${name}`)
}

export function unknownField(path: string, name: string) {
  return problemAt(path, `must not have unknown field ${show(name)}`)
}

/** Returns the externalId of a possible ticket, if it is a string. */
export function externalIdOf(ticket: unknown): string | undefined {
  const id = typeof ticket === 'object' && ticket !== null && 'externalId' in ticket ? ticket.externalId : undefined
  return typeof id === 'string' ? id : undefined
}

/** True if a person has no email, name or phone. A blank email is a problem of its own. */
function isNobody({ email, name, phone }: Fields): boolean {
  return (email ?? null) === null && [name, phone].every((text) => (text ?? null) === null || isBlankText(text))
}

function isBlankText(value: unknown): boolean {
  return typeof value === 'string' && isBlank(value)
}

function below({ top, externalId, below }: Place, part: string): Place {
  return { top, externalId, below: below + part }
}
