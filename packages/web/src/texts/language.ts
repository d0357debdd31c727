/** The languages of the console. `en-XA` is the usual code of the pseudo-language, see `pseudo`. */
export const LANGUAGES = ['en', 'en-XA'] as const
export type Language = (typeof LANGUAGES)[number]

/** The language of this page: the first of the browser's languages that the console has. */
export const LANGUAGE: Language = LANGUAGES.find((language) => navigator.languages?.includes(language)) ?? 'en'

/** The locale for numbers, dates and plurals. */
export const LOCALE = LANGUAGE === 'en-XA' ? 'en' : LANGUAGE

/** The texts of a page: messages by key, in groups where that helps. Plain data only. */
export interface Texts {
  readonly [key: string | number]: string | Texts
}

/** The same keys in another language. */
export type Translation<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string ? string : Translation<Source[Key]>
}

/** Languages that have a catalogue of their own beside the English one. */
type Translated = Exclude<Language, 'en' | 'en-XA'>

/**
 * Returns a page's texts in the language of this page. The type stays that of the English texts: their
 * placeholders are what `format` asks for.
 */
export function catalogue<const Source extends Texts>(
  english: Source,
  translations: Readonly<Record<Translated, Translation<Source>>> = {},
): Source {
  if (LANGUAGE === 'en') return english
  const translated = LANGUAGE === 'en-XA' ? pseudo(english) : translations[LANGUAGE]
  return translated as unknown as Source
}

const ACCENTED: Readonly<Record<string, string>> = { a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', y: 'ý' }

/** The brackets around every text of the pseudo-language. */
export const PSEUDO_MARKS = ['⟦', '⟧'] as const

/**
 * Translates English into the pseudo-language: accented vowels in brackets, placeholders unchanged. On a page in
 * this language, any text outside brackets bypasses the catalogues.
 */
export function pseudo(english: Texts): Texts {
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => [key, typeof text === 'string' ? marked(text) : pseudo(text)]),
  )
}

function marked(text: string): string {
  const accented = text.replace(/\{\w+\}|[aeiouy]/g, (found) => ACCENTED[found] ?? found)
  return `${PSEUDO_MARKS[0]}${accented}${PSEUDO_MARKS[1]}`
}
