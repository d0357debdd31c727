import { IntlMessageFormat } from 'intl-messageformat'
import { LOCALE, TEXT_LOCALE } from './language.ts'

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
const cardinal = new Intl.PluralRules(TEXT_LOCALE)
const ordinal = new Intl.PluralRules(TEXT_LOCALE, { type: 'ordinal' })

/** Plurals follow the language; numbers follow what the person is used to. */
const formatters = {
  getNumberFormat: (_locales?: string | string[], options?: Intl.NumberFormatOptions) =>
    options ? new Intl.NumberFormat(LOCALE, options) : numbers,
  getDateTimeFormat: (_locales?: string | string[], options?: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALE, options),
  getPluralRules: (_locales?: string | string[], options?: Intl.PluralRulesOptions) =>
    options?.type === 'ordinal' ? ordinal : cardinal,
}

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
  const { parsed, names, counted } = parsedOf(message)
  const filled = Object.fromEntries(names.map((name) => [name, given(values[name], name, counted)]))
  return parsed.formatToParts<Value>(filled).map(({ value }) => value as string | Value)
}

function given<Value>(value: Value, name: string, counted: ReadonlySet<string>) {
  // A missing value is a mistake in the page. It must not take the page down.
  if (value === undefined) return `{${name}}`
  return typeof value === 'number' && !counted.has(name) ? formatNumber(value) : value
}

interface Parsed {
  parsed: IntlMessageFormat
  /** The arguments of the message. */
  names: readonly string[]
  /** Those that the message uses as a number. */
  counted: ReadonlySet<string>
}
const parsedMessages = new Map<string, Parsed>()

function parsedOf(message: string): Parsed {
  const known = parsedMessages.get(message)
  if (known) return known
  const parsed = new IntlMessageFormat(message, TEXT_LOCALE, undefined, { ignoreTag: true, formatters })
  const found = new Map<string, boolean>()
  collect(parsed.getAst(), found)
  const counted = [...found].filter(([, isNumber]) => isNumber).map(([name]) => name)
  const made = { parsed, names: [...found.keys()], counted: new Set(counted) }
  parsedMessages.set(message, made)
  return made
}

type Ast = ReturnType<IntlMessageFormat['getAst']>

/** Collects the arguments of a message, and whether each is used as a number. */
function collect(ast: Ast, found: Map<string, boolean>): void {
  for (const element of ast) {
    if (!('value' in element) || typeof element.value !== 'string' || element.type === LITERAL) continue
    found.set(element.value, found.get(element.value) === true || NUMERIC.has(element.type))
    if (!('options' in element)) continue
    for (const { value } of Object.values(element.options)) collect(value, found)
  }
}
// The types of elements in the library's syntax tree, whose own names are an enum.
const LITERAL = 0
const NUMERIC: ReadonlySet<number> = new Set([2, 3, 4, 6])

/** Returns the text of a key that comes from outside; `undefined` when the console has none for it. */
export function findText(texts: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(texts, key) ? texts[key] : undefined
}
