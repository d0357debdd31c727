import type { manifestSchema } from './schema.ts'

type Definitions = typeof manifestSchema.definitions

/** The values that a schema of the manifest accepts. */
type ValueOf<S> = S extends { $ref: `#/definitions/${infer Name extends keyof Definitions}` }
  ? ValueOf<Definitions[Name]>
  : S extends { enum: readonly (infer Value)[] }
    ? Value
    : S extends { type: readonly (infer Type)[] }
      ? ValueOfType<S, Type>
      : S extends { type: infer Type }
        ? ValueOfType<S, Type>
        : never

type ValueOfType<S, Type> = Type extends 'string'
  ? string
  : Type extends 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? S extends { items: infer Item }
            ? readonly ValueOf<Item>[]
            : never
          : ObjectOf<S>

type ObjectOf<S> = S extends { properties: infer Fields }
  ? { readonly [Name in keyof Fields & RequiredIn<S>]: ValueOf<Fields[Name]> } & {
      readonly [Name in Exclude<keyof Fields, RequiredIn<S>>]?: ValueOf<Fields[Name]>
    }
  : never

type RequiredIn<S> = S extends { required: readonly (infer Name)[] } ? Name : never

/** A valid manifest. Derived from the schema, like all types below. */
export type Manifest = ValueOf<typeof manifestSchema>
export type ManifestTicket = ValueOf<Definitions['ticket']>
export type ManifestAttachment = ValueOf<Definitions['attachment']>
export type ManifestPerson = NonNullable<ValueOf<Definitions['person']>>
