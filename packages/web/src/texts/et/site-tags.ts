import type * as english from '../site-tags.ts'
import type { Translation } from '../translation.ts'

export const siteTags: Translation<typeof english.siteTags> = {
  tag: 'Silt',
  tags: 'Sildid',
  allTags: 'Kõik sildid',
  none: 'Silte pole',
  show: 'Näita objekte sildiga {tag}',
  pick: 'Otsige nime või sildi järgi',
  withTag: '{count, plural, one {# objekt sildiga {tag}} other {# objekti sildiga {tag}}}',
  settings: {
    intro:
      'Sildid koondavad objekte rühmadesse: objektide loend saab näidata ühte rühma ja liikmel võib olla roll kõigil sama sildiga objektidel.',
    hint: 'Vajutage iga sildi järel sisestusklahvi. Liikmed, kellel on sildi järgi roll, saavad sellele objektile ligipääsu või kaotavad selle, kui salvestate.',
    save: 'Salvesta sildid',
    saved: 'Sildid on salvestatud',
    badTag: 'Sildis on kuni {most} tähemärki.',
  },
  many: {
    open: 'Sildista objekte',
    title: 'Sildista objekte: {organization}',
    which: 'Objektid',
    shown: '{count, plural, one {Praegu nähtav # objekt} other {Praegu nähtavad # objekti}}',
    chosen: 'Valitud objektid',
    noSite: 'Valige vähemalt üks objekt.',
    what: 'Toiming',
    give: 'Lisa sildid',
    take: 'Eemalda sildid',
    hint: 'Vajutage iga sildi järel sisestusklahvi.',
    noTag: 'Sisestage vähemalt üks silt.',
    consequence: 'Liikmed, kellel on nende siltide järgi roll, saavad objektidele kohe ligipääsu või kaotavad selle.',
    submit: 'Salvesta',
    failed: 'Silte ei muudetud',
    done: '{count, plural, one {# objekti sildid on muudetud} other {# objekti sildid on muudetud}}',
  },
}
