import type * as english from '../home.ts'
import type { Translation } from '../translation.ts'

export const home: Translation<typeof english.home> = {
  title: 'Standorte',
  none: 'Sie haben noch keine Standorte',
  noneHint:
    'Bitten Sie die Administration Ihrer Organisation, {email} eine Rolle an einem Standort zu geben, und laden Sie diese Seite neu.',
  noneInOrganization: 'Diese Organisation hat noch keine Standorte',
  noneInOrganizationHint: 'Fügen Sie den ersten hinzu: ein Gebäude oder eine Liegenschaft.',
  secondFactor:
    'Diese Organisation verlangt einen zweiten Faktor. Richten Sie einen ein, oder melden Sie sich mit Ihrem erneut an.',
  toAccount: 'Zu Ihrem Konto',
  siteCount: '{count, plural, one {# Standort} other {# Standorte}}',
  addSite: 'Standort hinzufügen',
  addSiteTo: 'Standort zu {organization} hinzufügen',
  name: 'Name',
  nameHint: 'Der übliche Name des Gebäudes oder der Liegenschaft.',
  timeZone: 'Zeitzone',
  timeZoneHint: 'Zeitprogramme und Grenzwerte des Standorts verwenden diese Zeitzone.',
  add: 'Standort hinzufügen',
  added: '{name} hinzugefügt',
  failed: 'Der Standort wurde nicht hinzugefügt',
}
