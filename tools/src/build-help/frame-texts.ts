import type { Language } from '@plantroom/contract/languages'

/** What stands around the pages of the help. */
interface FrameTexts {
  help: string
  skip: string
  pages: string
  search: string
  searchLabel: string
  results: string
  count: string
  none: string
  failed: string
  elsewhere: string
  reference: string
  console: string
  contents: string
  neighbours: string
  previous: string
  next: string
  footer: string
  section: string
  table: string
}

export const FRAME_TEXTS: Readonly<Record<Language, FrameTexts>> = {
  en: {
    help: 'help',
    skip: 'Skip to the content',
    pages: 'Pages',
    search: 'Search or ask',
    searchLabel: 'Search the help',
    results: 'Search results',
    count: 'Results: {count}',
    none: 'No results. Try other words.',
    failed: 'The search could not be loaded. Check your connection and type again.',
    elsewhere: 'Elsewhere',
    reference: 'API reference',
    console: 'Console',
    contents: 'On this page',
    neighbours: 'Previous and next page',
    previous: 'Previous',
    next: 'Next',
    section: 'Link to this section',
    table: 'Table',
    footer: 'The help of the console is also in German and Estonian.',
  },
  de: {
    help: 'Hilfe',
    skip: 'Zum Inhalt springen',
    pages: 'Seiten',
    search: 'Suchen oder fragen',
    searchLabel: 'Hilfe durchsuchen',
    results: 'Suchergebnisse',
    count: 'Ergebnisse: {count}',
    none: 'Keine Ergebnisse. Versuchen Sie es mit anderen Wörtern.',
    failed: 'Die Suche konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und tippen Sie erneut.',
    elsewhere: 'Weitere Orte',
    reference: 'API-Referenz',
    console: 'Konsole',
    contents: 'Auf dieser Seite',
    neighbours: 'Vorherige und nächste Seite',
    previous: 'Zurück',
    next: 'Weiter',
    section: 'Link zu diesem Abschnitt',
    table: 'Tabelle',
    footer: 'Weiterführende Anleitungen und die Referenz gibt es auf Englisch.',
  },
  et: {
    help: 'abi',
    skip: 'Liigu sisu juurde',
    pages: 'Lehed',
    search: 'Otsi või küsi',
    searchLabel: 'Otsi abist',
    results: 'Otsingutulemused',
    count: 'Tulemusi: {count}',
    none: 'Tulemusi pole. Proovige teisi sõnu.',
    failed: 'Otsingut ei õnnestunud laadida. Kontrollige ühendust ja proovige uuesti.',
    elsewhere: 'Mujal',
    reference: 'API kirjeldus',
    console: 'Konsool',
    contents: 'Sellel lehel',
    neighbours: 'Eelmine ja järgmine leht',
    previous: 'Eelmine',
    next: 'Järgmine',
    section: 'Link sellele jaotisele',
    table: 'Tabel',
    footer: 'Põhjalikumad juhendid ja tehniline kirjeldus on inglise keeles.',
  },
}
