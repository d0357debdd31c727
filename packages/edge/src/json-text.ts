/**
 * JSON that is already text, and what it is the text of. Joining it avoids parsing and serializing large values again on
 * every poll. The brands make sure that only these functions produce it, so that plain text cannot be spliced into a
 * message by mistake.
 */
export type JsonText<Type = unknown> = string & { readonly __json: 'value'; readonly __of?: () => Type }

/** One member of a JSON object: its quoted name and its value. */
export type JsonMember<Type = unknown> = string & { readonly __json: 'member'; readonly __of?: () => Type }

export const toJson = <const Type extends object | string | number | boolean | null>(value: Type) =>
  JSON.stringify(value) as JsonText<Type>

/** Marks text that `toJson` produced earlier and that was stored since. */
export const storedJson = <Type>(text: string) => text as JsonText<Type>

export const jsonMember = <Type>(name: string, value: JsonText<Type>) =>
  `${JSON.stringify(name)}:${value}` as JsonMember<Type>

/** An object whose field names are data, such as ids. */
export const jsonObject = <Type>(members: readonly JsonMember<Type>[]) =>
  `{${members.join(',')}}` as JsonText<Record<string, Type>>

export const jsonArray = <Type>(values: readonly JsonText<Type>[]) => `[${values.join(',')}]` as JsonText<Type[]>

/** An object with the fields of its type, whose names need no escapes. Every poll of values calls it. */
export function jsonFields<Type extends object>(
  fields: { [Name in keyof Type]: JsonText<Type[Name]> },
): JsonText<Type> {
  let text = ''
  for (const name of Object.keys(fields) as (keyof Type & string)[]) {
    text += `${text === '' ? '' : ','}"${name}":${fields[name]}`
  }
  return `{${text}}` as JsonText<Type>
}
