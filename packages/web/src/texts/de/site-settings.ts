import type * as english from '../site-settings.ts'
import type { Translation } from '../translation.ts'

export const siteSettings: Translation<typeof english.siteSettings> = {
  title: 'Standort',
  intro: 'Name, Zeitzone und Funktionen dieses Standorts.',
  forAdmins: 'Nur Administratoren der Organisation können diese Einstellungen ändern.',

  naming: {
    title: 'Name und Zeitzone',
    name: 'Name',
    timeZone: 'Zeitzone',
    timeZoneHint:
      'Zeitprogramme und stündliche Grenzwerte verwenden diese Zeitzone. Ein Controller übernimmt eine neue Zeitzone, wenn er erneut in Betrieb genommen wird.',
    saved: 'Gespeichert',
    blank: 'Geben Sie einen Namen für den Standort ein.',
  },

  requests: {
    title: 'Wartungsanfragen',
    isOn: 'Wartungsanfragen sind eingeschaltet. Personen mit Zugriff auf diesen Standort können sie ansehen, ändern, importieren und exportieren.',
    isOff:
      'Wartungsanfragen sind ausgeschaltet. Niemand kann Anfragen ansehen oder importieren. Bestehende Anfragen erscheinen wieder, wenn Sie sie einschalten.',
    turnOn: 'Wartungsanfragen einschalten',
    turnOff: 'Wartungsanfragen ausschalten',
    offTitle: 'Wartungsanfragen ausschalten?',
    offConsequence:
      'Niemand kann Anfragen dieses Standorts ansehen oder importieren, und API-Schlüssel werden abgewiesen. Nichts wird gelöscht: Schalten Sie sie wieder ein, um alles wiederherzustellen.',
    nowOn: 'Wartungsanfragen sind eingeschaltet',
    nowOff: 'Wartungsanfragen sind ausgeschaltet',
  },
  ids: { title: 'Kennungen für Programme', organization: 'Organisation', site: 'Standort' },
}
