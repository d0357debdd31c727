export type Change = 'new' | 'changed' | 'removed'

/** One value of an item before and after; `undefined` where the item does not have it. */
export interface FieldChange {
  /** By its name in the file, like `limits.max` or `data.register`. */
  field: string
  from: unknown
  to: unknown
}

export interface ItemChange {
  name: string
  change: Change
  fields: FieldChange[]
}

/**
 * Lists new and changed items in the order of the file, then removed ones. A new or removed item has its fields only when
 * `withFields` asks for them. A renamed item is in both lists with its new name.
 */
export function itemChanges<Item extends { name: string }>(
  before: readonly Item[],
  after: readonly Item[],
  {
    withFields = false,
    earlierName = () => undefined,
  }: { withFields?: boolean; earlierName?: (name: string) => string | undefined } = {},
): ItemChange[] {
  const old = new Map(before.map((item) => [item.name, item]))
  const kept = new Set(after.map(({ name }) => name))
  const there = after.flatMap((item): ItemChange[] => {
    const was = old.get(item.name)
    if (!was) return [{ name: item.name, change: 'new', fields: withFields ? fieldChanges(named(item), item) : [] }]
    const fields = [...nameChange(earlierName(item.name), item.name), ...fieldChanges(was, item)]
    return fields.length > 0 ? [{ name: item.name, change: 'changed', fields }] : []
  })
  const gone = before
    .filter(({ name }) => !kept.has(name))
    .map((item): ItemChange => {
      return { name: item.name, change: 'removed', fields: withFields ? fieldChanges(item, named(item)) : [] }
    })
  return [...there, ...gone]
}

/** The name as a changed field, where it has changed. */
export const nameChange = (from: string | undefined, to: string): FieldChange[] =>
  from === undefined ? [] : [{ field: 'name', from, to }]

const named = ({ name }: { name: string }) => ({ name })

/** Returns the fields that differ, objects field by field, and lists of the same length item by item. */
export function fieldChanges(before: object, after: object): FieldChange[] {
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...old.keys(), ...next.keys()])].flatMap((field) =>
    valueChanges(field, old.get(field), next.get(field)),
  )
}

function valueChanges(field: string, from: unknown, to: unknown): FieldChange[] {
  if (isSame(from, to)) return []
  if (isObject(from) && isObject(to)) return nested(field, from, to)
  if (isObject(from) && to === undefined) return nested(field, from, {})
  if (isObject(to) && from === undefined) return nested(field, {}, to)
  const isPaired = Array.isArray(from) && Array.isArray(to) && from.length === to.length
  if (isPaired && from.length > 1) {
    return from.flatMap((item, index) => valueChanges(`${field}[${index}]`, item, to[index]))
  }
  return [{ field, from, to }]
}

function nested(field: string, from: object, to: object): FieldChange[] {
  const inner = fieldChanges(from, to).map((change) => ({ ...change, field: `${field}.${change.field}` }))
  // An empty object that appears or disappears is a change without fields.
  return inner.length > 0 ? inner : [{ field, from, to }]
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Compares as JSON, ignoring the order of fields. */
function isSame(one: unknown, other: unknown): boolean {
  return jsonOf(one) === jsonOf(other)
}

/** Returns JSON that is equal for equal values, whatever the order of their fields. */
export const jsonOf = (value: unknown) => JSON.stringify(value, sorted)

function sorted(_key: string, value: unknown): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

const SECRET = /password|secret|token|passphrase|credential|login|privatekey/i
/** A URL can contain a password, too. */
const WITH_LOGIN = /^[a-z]+:\/\/[^/]*@/i

/** Reports whether the values of a field must not be shown. */
export function isSecretField({ field, from, to }: FieldChange): boolean {
  return SECRET.test(field) || [from, to].some((value) => WITH_LOGIN.test(String(value)))
}
