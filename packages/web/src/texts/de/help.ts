import type * as english from '../help.ts'
import type { Translation } from '../translation.ts'

export const help: Translation<typeof english.help> = {
  search: 'Suchen oder fragen',
  results: 'Suchergebnisse',
  found: '{count, plural, one {# Ergebnis} other {# Ergebnisse}}',
  none: 'Keine Ergebnisse. Versuchen Sie es mit anderen Wörtern.',
  section: '{title} › {heading}',
  all: 'Alle Artikel nach Rolle',
  documentation: 'Dokumentation (auf Englisch)',
  openInTab: 'In neuem Tab öffnen',
}
