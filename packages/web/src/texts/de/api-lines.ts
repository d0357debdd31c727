import type * as english from '../api-lines.ts'
import type { Translation } from '../translation.ts'

export const apiLines: Translation<typeof english.apiLines> = {
  title: 'API',
  intro:
    'Kennungen und Befehle für Programme, die diesen Controller verwenden. Die Befehle laufen unverändert in der bash.',
  show: 'Kennungen und Befehle anzeigen',
  hide: 'Kennungen und Befehle ausblenden',
  organization: 'Organisation',
  site: 'Standort',
  controller: 'Controller',
  connection: 'Verbindung',
  datapoint: 'Datenpunkt',
  override: 'Übersteuerung',
  copyId: 'Kennung kopieren',
  copyIdOf: 'Kennung von {name} kopieren',
  askForKey: 'API-Schlüssel einmal eingeben',
  lines: {
    export: 'Datenpunkte dieser Verbindung exportieren',
    read: 'Werte dieser Verbindung lesen',
    override: 'Diesen Datenpunkt zehn Minuten auf {value} halten',
    cancel: 'Diese Übersteuerung abbrechen',
  },
  controls: 'Die Übersteuerung verändert Anlagen im Betrieb.',
  copyLine: 'Befehl kopieren: {what}',
  readOnly: 'Dieser Datenpunkt ist nicht schreibbar und kann deshalb nicht übersteuert werden.',
  withKey: 'Befehle für {name}, mit diesem Schlüssel',
}
