import type { Language } from '@plantroom/contract/languages'
import { browserStorage } from '../browser-storage.ts'
import { chooseLanguage, chooseLocale, type ShownLanguage } from './choice/choose-language.ts'
import { keptChoice } from './choice/kept-choice.ts'
import { pseudo } from './choice/pseudo.ts'
import type { PartialTexts, Texts } from './translation.ts'

const kept = keptChoice(browserStorage())
const ofBrowser = navigator.languages ?? []

/** The language of this page. */
export const LANGUAGE: ShownLanguage = chooseLanguage(kept.language, ofBrowser)

/** The locale for plurals, lists and names of languages. */
export const TEXT_LOCALE: Language = LANGUAGE === 'en-XA' ? 'en' : LANGUAGE

/** The locale for times and numbers, which may be of another language than the texts. */
export const LOCALE = chooseLocale(kept.locale, LANGUAGE, ofBrowser)

/** All catalogues of a language, by name. */
type Translations = Readonly<Record<string, PartialTexts>>
const files = import.meta.glob<Translations>('./{de,et}/index.ts')
let translations: Translations | undefined

/**
 * Loads the texts of the language of this page. Modules with texts read them when they start, so they are imported after
 * this. Returns the language that the page shows: English if the texts cannot be loaded, which is better than no page.
 */
export async function loadTexts(): Promise<string> {
  const load = files[`./${LANGUAGE}/index.ts`]
  if (!load) return LANGUAGE
  try {
    translations = await load()
    return LANGUAGE
  } catch {
    return 'en'
  }
}

/**
 * Returns a page's texts in the language of this page; `name` is that of the exported constant. The type stays that of
 * the English texts: their placeholders are what `format` asks for.
 */
export function catalogue<const Source extends Texts>(name: string, english: Source): Source {
  const shown = LANGUAGE === 'en-XA' ? pseudo(english) : translated(english, translations?.[name])
  return shown as unknown as Source
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
