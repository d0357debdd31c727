/**
 * JSON that is already text. Joining it avoids parsing and serializing large values again on every poll. The brands
 * make sure that only these functions produce it, so that plain text cannot be spliced into a message by mistake.
 */
export type JsonText = string & { readonly __json: 'value' }

/** One member of a JSON object: its quoted name and its value. */
export type JsonMember = string & { readonly __json: 'member' }

export const toJson = (value: object | string | number | boolean | null) => JSON.stringify(value) as JsonText

/** Marks text that `toJson` produced earlier and that was stored since. */
export const storedJson = (text: string) => text as JsonText

export const jsonMember = (name: string, value: JsonText) => `${JSON.stringify(name)}:${value}` as JsonMember

export const jsonObject = (members: readonly JsonMember[]) => `{${members.join(',')}}` as JsonText

export const jsonArray = (values: readonly JsonText[]) => `[${values.join(',')}]` as JsonText
