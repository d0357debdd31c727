import type * as english from '../help.ts'
import type { Translation } from '../translation.ts'

export const help: Translation<typeof english.help> = {
  search: 'Otsi või küsi',
  results: 'Otsingutulemused',
  found: '{count, plural, one {# tulemus} other {# tulemust}}',
  none: 'Tulemusi pole. Proovige teisi sõnu.',
  section: '{title} › {heading}',
  all: 'Kõik artiklid rollide kaupa',
  documentation: 'Dokumentatsioon (inglise keeles)',
  openInTab: 'Ava uuel vahekaardil',
}
