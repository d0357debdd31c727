import type * as english from '../languages.ts'
import type { Translation } from '../translation.ts'

export const languageNames: Translation<typeof english.languageNames> = { en: 'English', de: 'Deutsch', et: 'Eesti' }

export const languageChoice: Translation<typeof english.languageChoice> = {
  title: 'Keel ja vormingud',
  hint: 'Teie valik kehtib igas brauseris, kus sisse logite.',
  language: 'Keel',
  browserLanguage: 'Brauseri keel',
  formats: 'Ajad ja arvud',
  browserFormats: 'Nagu brauser neid kirjutab',
  example: 'Näide: {time} · {number}',
  failed: 'Teie valikut ei salvestatud',
}
