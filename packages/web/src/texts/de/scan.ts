import type * as english from '../scan.ts'
import type { Translation } from '../translation.ts'

export const scan: Translation<typeof english.scan> = {
  open: 'Nach Geräten suchen',
  title: 'Nach Geräten suchen',
  intro: 'Der Controller fragt, was da ist. Er schreibt nichts in Geräte, und was er steuert, hat Vorrang.',
  form: 'Wo gesucht wird',
  host: 'Adresse oder Netz',
  hostHint: '10.0.0.5, 10.0.0.5:1502 oder 10.0.0.0/24',
  path: 'Serielle Schnittstelle',
  pathHint: 'Zum Beispiel /dev/ttyUSB0',
  units: 'Unit-IDs',
  moreSettings: 'Weitere Einstellungen',
  start: 'Suchen',
  stop: 'Anhalten',
  failed: 'Die Suche ist fehlgeschlagen',
  progress: 'Fortschritt der Suche',
  running:
    '{done} von {of} gefragt; {count, plural, =0 {noch nichts gefunden} one {# Gerät gefunden} other {# Geräte gefunden}}.',
  ended: {
    done: '{count, plural, one {# Gerät gefunden.} other {# Geräte gefunden.}}',
    cancelled: '{count, plural, one {Angehalten. # Gerät gefunden.} other {Angehalten. # Geräte gefunden.}}',
    failed: 'Die Suche endete vorzeitig. {reason}',
  },
  nothing: 'Nichts hat geantwortet. Prüfen Sie Adresse, Port und Unit-IDs, und ob die Geräte mit Strom versorgt sind.',
  stoppedWithNothing: 'Angehalten, bevor etwas gefunden war.',
  unit: 'Unit {unit}',
  datapoints: '{count, plural, =0 {keine Datenpunkte} one {# Datenpunkt} other {# Datenpunkte}}',
  found: 'Gefunden bei {name}',
  search: 'Nach Namen suchen',
  noneMatch: 'Kein Datenpunkt hat diesen Namen.',
  more: 'Mehr von {count} anzeigen',
  picked: '{count, plural, one {# Datenpunkt ausgewählt} other {# Datenpunkte ausgewählt}}',
  columns: { datapoint: 'Datenpunkt', value: 'Wert', warnings: 'Beachten' },
  noValue: 'keine Zahl',
  raw: '{raw} vor der Skalierung',
  add: '{count, plural, one {# Datenpunkt hinzufügen} other {# Datenpunkte hinzufügen}}',
  addConnections:
    '{count, plural, =0 {Zur Datei hinzufügen} one {# Verbindung hinzufügen} other {# Verbindungen hinzufügen}}',
  added: '{count, plural, one {# Datenpunkt zur Datei hinzugefügt.} other {# Datenpunkte zur Datei hinzugefügt.}}',
  addedConnections: 'Zur Datei hinzugefügt. Fügen Sie dort die Datenpunkte hinzu.',
  known: 'Die Datei hat diese Adressen schon.',
  target: {
    missing: 'Geben Sie eine Adresse oder ein Netz wie 10.0.0.0/24 ein.',
    'not-ipv4': '{host} ist kein IPv4-Netz. Geben Sie eine Adresse oder ein Netz wie 10.0.0.0/24 ein.',
    'not-equipment':
      '{host} ist nicht die Adresse eines Geräts. Geben Sie eine Adresse oder ein Netz wie 10.0.0.0/24 ein.',
    'not-a-network': '{host} ist kein Netz. Schreiben Sie es wie 10.0.0.0/24.',
    tooLarge:
      '{network} hat {count} Adressen. Durchsuchen Sie eine Adresse, oder nacheinander Netze mit höchstens 256 Adressen (/24).',
    noPath: 'Geben Sie eine serielle Schnittstelle wie /dev/ttyUSB0 ein.',
  },
}
