import { catalogue } from './language.ts'

/** The languages of the console, each by its own name in every language. */
export const languageNames = catalogue('languageNames', { en: 'English', de: 'Deutsch', et: 'Eesti' })

/** The choice of a language, and of how times and numbers are written. */
export const languageChoice = catalogue('languageChoice', {
  title: 'Language and formats',
  hint: 'Your choice applies in every browser in which you sign in.',
  language: 'Language',
  browserLanguage: 'Language of the browser',
  formats: 'Times and numbers',
  browserFormats: 'As the browser writes them',
  example: 'Example: {time} · {number}',
  failed: 'Your choice was not saved',
})
