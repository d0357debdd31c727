import { LANGUAGES, type Language } from '@plantroom/contract/languages'

/** `en-XA` is the usual code of the pseudo-language, in which tests find texts that bypass the catalogues. */
export type ShownLanguage = Language | 'en-XA'

/** What a person chose, here or in their account. */
export interface Choice {
  language?: string | undefined
  locale?: string | undefined
}

const baseOf = (tag: string) => tag.toLowerCase().split('-')[0]

/** Returns the chosen language, or the first of the browser's languages that the console has, or English. */
export function chooseLanguage(chosen: string | undefined, ofBrowser: readonly string[]): ShownLanguage {
  const offered = LANGUAGES.find((language) => language === chosen)
  if (offered) return offered
  for (const tag of ofBrowser) {
    if (tag === 'en-XA') return tag
    const found = LANGUAGES.find((language) => language === baseOf(tag))
    if (found) return found
  }
  return 'en'
}

/** A language without a region says little about its formats; these are the ones of its largest region in Europe. */
const USUAL: Readonly<Record<ShownLanguage, string>> = { en: 'en-GB', 'en-XA': 'en-GB', de: 'de-DE', et: 'et-EE' }

/**
 * Returns the locale for times and numbers: the chosen one, or the browser's own. The browser's own is its first language
 * with a region, preferably one for the language of the page.
 */
export function chooseLocale(
  chosen: string | undefined,
  language: ShownLanguage,
  ofBrowser: readonly string[],
): string {
  if (chosen !== undefined && isLocale(chosen)) return chosen
  if (language === 'en-XA') return USUAL[language]
  const own = ofBrowser.filter((tag) => tag !== 'en-XA' && isLocale(tag))
  const inLanguage = own.find((tag) => baseOf(tag) === language && hasRegion(tag))
  return inLanguage ?? own.find(hasRegion) ?? USUAL[language]
}

const hasRegion = (tag: string) => new Intl.Locale(tag).region !== undefined

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}
