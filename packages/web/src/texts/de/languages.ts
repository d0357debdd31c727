import type * as english from '../languages.ts'
import type { Translation } from '../translation.ts'

export const languageNames: Translation<typeof english.languageNames> = { en: 'English', de: 'Deutsch', et: 'Eesti' }

export const languageChoice: Translation<typeof english.languageChoice> = {
  title: 'Sprache und Formate',
  hint: 'Ihre Wahl gilt in jedem Browser, in dem Sie sich anmelden.',
  language: 'Sprache',
  browserLanguage: 'Sprache des Browsers',
  formats: 'Zeiten und Zahlen',
  browserFormats: 'Wie der Browser sie schreibt',
  example: 'Beispiel: {time} · {number}',
  failed: 'Ihre Wahl wurde nicht gespeichert',
}
