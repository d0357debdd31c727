/**
 * JSON Schemas that carry the TypeScript type of what they accept. A schema is a plain object: Ajv, OpenAPI and a browser
 * take it as it is.
 */

declare const TYPE: unique symbol
/** Marks a field that may be missing. A symbol, so that no reader of JSON Schema sees it. */
const OPTIONAL = Symbol('optional')
declare const DEFAULTED: unique symbol

/** What all schemas can say. */
export interface Annotations {
  readonly description?: string
}

export interface Schema<Type = unknown> extends Annotations {
  readonly [TYPE]?: () => Type
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly properties?: Fields
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: boolean | Schema
  readonly [keyword: string]: unknown
}
export type Fields = Readonly<Record<string, Schema>>

export interface OptionalSchema<Type> extends Schema<Type> {
  readonly [OPTIONAL]: true
}

/** A field that validation sets when it is missing. */
export interface DefaultedSchema<Type> extends OptionalSchema<Type> {
  readonly [DEFAULTED]: true
}

/** A schema of an object, whose fields can be taken over by another. */
export interface ObjectSchema<Own extends Fields> extends Schema<StaticFields<Own>> {
  readonly properties: Own
}

/** The type of the values that a schema accepts. */
export type Static<Of extends Schema> = Of extends Schema<infer Type> ? Type : never

type OptionalName<Own extends Fields> = {
  [Name in keyof Own]: Own[Name] extends OptionalSchema<unknown> ? Name : never
}[keyof Own]
type Flat<Type> = { [Name in keyof Type]: Type[Name] }
export type StaticFields<Own extends Fields> = Flat<
  { [Name in Exclude<keyof Own, OptionalName<Own>>]: Static<Own[Name]> } & {
    [Name in OptionalName<Own>]?: Static<Own[Name]>
  }
>

type DefaultedName<Own extends Fields> = {
  [Name in keyof Own]: Own[Name] extends DefaultedSchema<unknown> ? Name : never
}[keyof Own]
/** The type of what validation has accepted: fields with a default are there. */
export type Validated<Of extends Schema> =
  Of extends ObjectSchema<infer Own>
    ? Flat<Static<Of> & { [Name in DefaultedName<Own>]-?: Static<Own[Name]> }>
    : Static<Of>

interface TextRules extends Annotations {
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
}
interface NumberRules extends Annotations {
  readonly minimum?: number
  readonly maximum?: number
}
interface ListRules extends Annotations {
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

export const text = (rules: TextRules = {}): Schema<string> => ({ type: 'string', ...rules })
export const number = (rules: NumberRules = {}): Schema<number> => ({ type: 'number', ...rules })
export const integer = (rules: NumberRules = {}): Schema<number> => ({ type: 'integer', ...rules })
export const boolean = (rules: Annotations = {}): Schema<boolean> => ({ type: 'boolean', ...rules })

/** One of the values listed. */
export function oneOf<const Value extends string | number>(
  values: readonly Value[],
  rules: Annotations = {},
): Schema<Value> {
  const isText = values.every((value) => typeof value === 'string')
  // Numbers have no type here: "must be one of" says more than "must be a number".
  return { ...(isText && { type: 'string' }), enum: values, ...rules }
}

export const array = <Item extends Schema>(items: Item, rules: ListRules = {}): Schema<readonly Static<Item>[]> => ({
  type: 'array',
  items,
  ...rules,
})

/** An object with at least the fields that are not optional. Fields that it does not declare are ignored. */
export function object<const Own extends Fields>(properties: Own, rules: Annotations = {}): ObjectSchema<Own> {
  const required = Object.keys(properties).filter((name) => !(properties[name] && OPTIONAL in properties[name]))
  return { type: 'object', properties, ...(required.length > 0 && { required }), ...rules }
}

/** An object with these fields and no other: a misspelt one is an error. */
export function closedObject<const Own extends Fields>(properties: Own, rules: Annotations = {}): ObjectSchema<Own> {
  return { ...object(properties, rules), additionalProperties: false }
}

/** The same schema, with every object in it closed. One of any shape, or whose field names are data, stays as it is. */
export function closed<Of extends Schema>(schema: Of): Of {
  const { properties, items, additionalProperties = false } = schema
  const each = (fields: Fields) =>
    Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, closed(field)]))
  const isOpen = typeof additionalProperties === 'boolean'
  return {
    ...schema,
    ...(properties && { properties: each(properties), additionalProperties }),
    ...(items && { items: closed(items) }),
    ...(!isOpen && { additionalProperties: closed(additionalProperties) }),
  }
}

/** Every field optional: what can be changed, of which a caller names some. */
export function partial<const Own extends Fields>(properties: Own) {
  const all = Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, optional(schema)]))
  return object(all as { [Name in keyof Own]: OptionalSchema<Static<Own[Name]>> })
}

/** An object whose field names are data, such as ids. */
export const record = <Value extends Schema>(
  values: Value,
  rules: Annotations = {},
): Schema<Record<string, Static<Value>>> => ({ type: 'object', additionalProperties: values, ...rules })

/** An object of any shape: another program judges it. */
export const anyObject = (rules: Annotations = {}): Schema<Record<string, unknown>> => ({
  type: 'object',
  additionalProperties: true,
  ...rules,
})

export const optional = <Type>(schema: Schema<Type>): OptionalSchema<Type> => ({ ...schema, [OPTIONAL]: true })

/** A field that may be missing, and then has this value. */
export const defaulted = <Type>(schema: Schema<Type>, value: Type) =>
  ({ ...optional(schema), default: value }) as DefaultedSchema<Type> & { readonly default: Type }

export function nullable<Type>(schema: Schema<Type>, rules: Annotations = {}): Schema<Type | null> {
  const { type, enum: values, ...rest } = schema
  return {
    ...rest,
    ...(type && { type: [type, 'null'].flat() }),
    ...(values && { enum: [...values, null] }),
    ...rules,
  }
}

/** A value of one of several types. */
export const anyOf = <Option extends Schema>(
  options: readonly Option[],
  rules: Annotations = {},
): Schema<Static<Option>> => ({ type: options.flatMap(({ type = [] }) => type), ...rules })

/** The same schema with another description. */
export const described = <Of extends Schema>(schema: Of, description: string): Of => ({ ...schema, description })

/** An object of one of several shapes. Serialized as it is: the reference shows the shapes. */
export const anyOfObjects = <Option extends Schema>(shapes: readonly Option[]): Schema<Static<Option>> => ({
  type: 'object',
  additionalProperties: true,
  'x-shapes': shapes,
})
