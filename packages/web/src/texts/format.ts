import { LOCALE, TEXT_LOCALE } from './language.ts'
import { NUMBER, type Part, parseMessage } from './message/parse-message.ts'

/** A text of a catalogue, in the syntax of ICU messages. */
export type Message = string

/** The arguments of a message: a pair of name and kind for each. */
type Argument<Name extends string = string, Kind extends string = string> = [name: Name, kind: Kind]

/** Reads text up to the next argument, or up to the end of a plural form. */
type InText<Text extends string> = Text extends `${infer Before}{${infer Rest}`
  ? Before extends `${string}}${infer InForms}`
    ? InOptions<`${InForms}{${Rest}`>
    : InArgument<Rest>
  : Text extends `${string}}${infer Rest}`
    ? InOptions<Rest>
    : never
/** Reads the name and the kind of an argument. */
type InArgument<Text extends string> = Text extends `${infer Head}}${infer Rest}`
  ? Head extends `${infer Name}, ${infer Kind}, ${string}`
    ? Argument<Name, Kind> | (Text extends `${string}, ${string}, ${infer Options}` ? InOptions<Options> : never)
    : Head extends `${infer Name}, ${infer Kind}`
      ? Argument<Name, Kind> | InText<Rest>
      : Argument<Head, 'text'> | InText<Rest>
  : never
/** Reads plural forms or the options of a select, up to the end of the argument. */
type InOptions<Text extends string> = Text extends `${infer Before}{${infer Rest}`
  ? Before extends `${string}}${infer After}`
    ? InText<`${After}{${Rest}`>
    : InText<Rest>
  : Text extends `${string}}${infer Rest}`
    ? InText<Rest>
    : never

interface ValueOfKind {
  text: string | number
  select: string
}
type ValuesOf<Of extends Argument> = {
  readonly [Each in Of as Each[0]]: Each[1] extends keyof ValueOfKind ? ValueOfKind[Each[1]] : number
}

/** What a message needs: a value for every placeholder, and a number for every one that picks a plural form. */
export type Values<Of extends Message> = ValuesOf<InText<Of>>

const numbers = new Intl.NumberFormat(LOCALE)
const plurals = new Intl.PluralRules(TEXT_LOCALE)

/** Shows a count with the separators of the locale. */
export const formatNumber = (value: number): string => numbers.format(value)

/**
 * Fills in a message: `format('Released {name}', { name })`. Numbers get the separators of the locale. A message with
 * plural forms is `'{count, plural, one {# request} other {# requests}}'`.
 */
export function format<const Of extends Message>(message: Of, values: Values<Of>): string {
  return partsOf(message, values).join('')
}

/** Returns the text of a message with its values in place, for messages whose values are not only text. */
export function partsOf<Value>(message: Message, values: Readonly<Record<string, Value>>): (string | Value)[] {
  const parts = parsedMessages.get(message) ?? parseMessage(message)
  parsedMessages.set(message, parts)
  return fill(parts, values, undefined)
}
const parsedMessages = new Map<string, readonly Part[]>()

/** `counted` is the number of the plural around the parts. Plurals follow the language, numbers what people are used to. */
function fill<Value>(
  parts: readonly Part[],
  values: Readonly<Record<string, Value>>,
  counted: Value | string | undefined,
): (string | Value)[] {
  return parts.flatMap((part): (string | Value)[] => {
    if (typeof part === 'string') return [part]
    if (part === NUMBER) return [shown(counted ?? '')]
    const { name, kind, options } = part
    // A missing value is a mistake in the page. It must not take the page down.
    const value = values[name] ?? `{${name}}`
    if (kind === undefined) return [shown(value)]
    const chosen =
      kind === 'select' ? options.get(String(value)) : (options.get(`=${value}`) ?? options.get(categoryOf(value)))
    return fill(chosen ?? options.get('other') ?? [], values, value)
  })
}

const categoryOf = (value: unknown) => plurals.select(Number(value))
const shown = <Value>(value: Value) => (typeof value === 'number' ? formatNumber(value) : value)

/** Returns the text of a key that comes from outside; `undefined` when the console has none for it. */
export function findText(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}
