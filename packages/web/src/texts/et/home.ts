import type * as english from '../home.ts'
import type { Translation } from '../translation.ts'

export const home: Translation<typeof english.home> = {
  title: 'Objektid',
  none: 'Teil pole veel objekte',
  noneHint:
    'Paluge oma organisatsiooni administraatoril anda kontole {email} mõnel objektil roll ja laadige leht uuesti.',
  noneInOrganization: 'Sellel organisatsioonil pole veel objekte',
  noneInOrganizationHint: 'Lisage esimene: hoone või kinnistu.',
  secondFactor: 'See organisatsioon nõuab teist tegurit. Seadistage see või logige olemasolevaga uuesti sisse.',
  toAccount: 'Teie kontole',
  siteCount: '{count, plural, one {# objekt} other {# objekti}}',
  addSite: 'Lisa objekt',
  addSiteTo: 'Lisa objekt organisatsioonile {organization}',
  name: 'Nimi',
  nameHint: 'Hoone või kinnistu tavapärane nimi.',
  timeZone: 'Ajavöönd',
  timeZoneHint: 'Objekti ajakavad ja piirangud kasutavad seda ajavööndit.',
  add: 'Lisa objekt',
  added: '{name} on lisatud',
  failed: 'Objekti ei lisatud',
}
