import type { Language } from '@plantroom/contract/languages'
import { chooseLanguage, chooseLocale, type ShownLanguage } from './choice/choose-language.ts'
import { browserStorage, keptChoice } from './choice/kept-choice.ts'
import { pseudo } from './choice/pseudo.ts'

/** The texts of a page: messages by key, in groups where that helps. Plain data only. */
export interface Texts {
  readonly [key: string | number]: string | Texts
}

/** The same keys in another language. A message with plural forms is one message there. */
export type Translation<Source> = {
  readonly [Key in keyof Source]?: Source[Key] extends string | { readonly one: string; readonly other: string }
    ? string
    : Translation<Source[Key]>
}

interface PartialTexts {
  readonly [key: string | number]: string | PartialTexts | undefined
}
/** All catalogues of a language, by name. */
type Translations = Readonly<Record<string, PartialTexts>>

const kept = keptChoice(browserStorage())
const ofBrowser = navigator.languages ?? []
const wanted = chooseLanguage(kept.language, ofBrowser)

/** Translations are loaded on demand, before the first page is drawn: every module with texts waits for this one. */
const LOAD: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Translations>>> = {
  de: () => import('./de/index.ts'),
  et: () => import('./et/index.ts'),
}

async function load(language: ShownLanguage): Promise<Translations | undefined> {
  if (language === 'en' || language === 'en-XA') return undefined
  try {
    return await LOAD[language]()
  } catch (error) {
    // A page in English is better than none.
    console.error(`The texts in the language ${language} could not be loaded`, error)
    return undefined
  }
}

const translations = await load(wanted)

/** The language of this page. */
export const LANGUAGE: ShownLanguage = translations || wanted === 'en-XA' ? wanted : 'en'

/** The locale for plurals, lists and names of languages. */
export const TEXT_LOCALE: Language = LANGUAGE === 'en-XA' ? 'en' : LANGUAGE

/** The locale for times and numbers, which may be of another language than the texts. */
export const LOCALE = chooseLocale(kept.locale, LANGUAGE, ofBrowser)

/**
 * Returns a page's texts in the language of this page; `name` is that of the exported constant. The type stays that of
 * the English texts: their placeholders are what `format` asks for.
 */
export function catalogue<const Source extends Texts>(name: string, english: Source): Source
/** Texts that have no translation yet. */
export function catalogue<const Source extends Texts>(english: Source): Source
export function catalogue(...given: [string, Texts] | [Texts]): Texts {
  const [name, english] = given.length === 1 ? [undefined, given[0]] : given
  if (LANGUAGE === 'en-XA') return pseudo(english)
  return translated(english, name === undefined ? undefined : translations?.[name])
}

/** Returns the translation, with the English text of each key that it lacks. */
export function translated(english: Texts, translation: PartialTexts | undefined): Texts {
  if (translation === undefined) return english
  return Object.fromEntries(
    Object.entries(english).map(([key, text]) => {
      const other = translation[key]
      if (typeof other === 'string') return [key, other]
      return [key, typeof text === 'string' ? text : translated(text, other)]
    }),
  )
}
