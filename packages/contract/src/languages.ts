import { nullable, object, oneOf, type Static } from './schema.ts'

/** The languages of the console. */
export const LANGUAGES = ['en', 'de', 'et'] as const
export type Language = (typeof LANGUAGES)[number]

/** Ways to write times and numbers, each the name of a locale. */
export const LOCALES = [
  'cs-CZ',
  'da-DK',
  'de-AT',
  'de-CH',
  'de-DE',
  'en-AU',
  'en-CA',
  'en-GB',
  'en-IE',
  'en-US',
  'es-ES',
  'et-EE',
  'fi-FI',
  'fr-CH',
  'fr-FR',
  'hu-HU',
  'it-IT',
  'lt-LT',
  'lv-LV',
  'nb-NO',
  'nl-BE',
  'nl-NL',
  'pl-PL',
  'pt-PT',
  'sv-SE',
] as const

/** How a person wants the console; `null` leaves a choice to each browser. */
export const Preferences = object({
  language: nullable(oneOf(LANGUAGES), { description: 'Of the texts; null: the language of the browser' }),
  locale: nullable(oneOf(LOCALES), { description: 'Of times and numbers; null: as the browser writes them' }),
})
export interface Preferences extends Static<typeof Preferences> {}
