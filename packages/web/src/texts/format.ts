import { LOCALE } from './language.ts'

/** The forms of a message that depends on a number, which every one of them may show as `{count}`. */
export interface PluralForms {
  readonly one: string
  readonly other: string
}

/** A text of a catalogue. */
export type Message = string | PluralForms

type NamesIn<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never

/** What a message needs: a value for every placeholder, and the `count` that picks a plural form. */
export type Values<Of extends Message> = Of extends PluralForms
  ? { readonly count: number } & { readonly [Name in NamesIn<Of['one'] | Of['other']>]: string | number }
  : Of extends string
    ? { readonly [Name in NamesIn<Of>]: string | number }
    : never

const PLACEHOLDER = /\{(\w+)\}/
const plurals = new Intl.PluralRules(LOCALE)
const numbers = new Intl.NumberFormat(LOCALE)

/** Shows a count with the separators of the language. */
export const formatNumber = (value: number): string => numbers.format(value)

/**
 * Fills in a message: `format('Released {name}', { name })`. Numbers get the separators of the language; a message
 * with plural forms is chosen by `count`.
 */
export function format<const Of extends Message>(message: Of, values: Values<Of>): string {
  return partsOf(message, values)
    .map((part) => (typeof part === 'number' ? formatNumber(part) : part))
    .join('')
}

/** Returns the text of a message with its values in place, for messages whose values are not only text. */
export function partsOf<Value>(message: Message, values: Readonly<Record<string, Value>>): (string | Value)[] {
  const text = typeof message === 'string' ? message : formOf(message, values.count)
  // Split by a pattern with one group, every second piece is the name of a placeholder.
  return text.split(PLACEHOLDER).map((piece, index) => (index % 2 === 0 ? piece : (values[piece] ?? `{${piece}}`)))
}

function formOf(forms: PluralForms, count: unknown): string {
  return typeof count === 'number' && plurals.select(count) === 'one' ? forms.one : forms.other
}

/** Returns the text of a key that comes from outside; `undefined` when the console has none for it. */
export function findText(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}
