import type * as english from '../record.ts'
import type { Translation } from '../translation.ts'

export const record: Translation<typeof english.record> = {
  title: 'Inbetriebnahmeprotokoll',
  back: 'Zurück zu den Systemen',
  intro:
    'Was auf diesem Controller geladen ist, von wem, wie es getestet wurde und was noch offen ist. Vom Dienst signiert.',
  download: 'JSON herunterladen',
  print: 'Drucken oder als PDF sichern',
  open: 'Protokoll',
  openLabel: 'Protokoll von {device}',
  site: 'Standort: {name}',
  device: 'Controller: {name} ({id})',
  software: 'Version des Controllers: {version}',
  made: 'Erstellt: {time}',
  loaded: 'Version {version}, geladen am {time} von {who}',
  warnings: '{count, plural, =0 {Keine offenen Warnungen} one {# offene Warnung} other {# offene Warnungen}}',
  noTests: 'Noch kein Ausgang wurde getestet.',
  rolledBack: 'Versionen, die der Controller zurückgenommen hat',
  signed:
    'Der Dienst hat dieses Protokoll signiert. plantroom audit verify-record prüft die heruntergeladene Datei ohne den Dienst.',
  columns: {
    datapoint: 'Datenpunkt',
    connection: 'Verbindung',
    access: 'Zugriff',
    unit: 'Einheit',
    address: 'Adresse',
    tested: 'Getestet mit',
  },
  access: { READ: 'Lesen', WRITE: 'Schreiben', READ_WRITE: 'Lesen und schreiben' },
}
