import type * as english from '../site.ts'
import type { Translation } from '../translation.ts'

export const site: Translation<typeof english.site> = {
  localTime: '{time} am Standort',
  localTimeInZone: '{time} am Standort ({timeZone})',
  held: 'Jetzt gehalten',
  heldCount: '{count, plural, one {# Datenpunkt} other {# Datenpunkte}}',
  nothingHeld: 'Keine aktiven Übersteuerungen. Das Gebäude regelt sich selbst.',
  nothingHeldKnown: 'Die Controller, die antworten, haben keine aktiven Übersteuerungen.',
  notKnown:
    '{count, plural, one {{controllers} antwortet nicht, deshalb sind die aktiven Übersteuerungen dort unbekannt. Jede Übersteuerung endet trotzdem pünktlich.} other {{controllers} antworten nicht, deshalb sind die aktiven Übersteuerungen dort unbekannt. Jede Übersteuerung endet trotzdem pünktlich.}}',
  lost: 'Die Live-Verbindung ist unterbrochen. Die Seite verbindet sich automatisch wieder und zeigt inzwischen die letzten bekannten Werte.',
  listening: 'Verbindung zu {controllers} wird aufgebaut…',
  stale:
    'Letzter bekannter Wert von {time}. Der Controller antwortet jetzt nicht, beendet die Übersteuerung aber trotzdem pünktlich.',
  heldAt: 'Gehalten auf',
  releasingTo: 'Geht zurück auf',
  on: '{connection} · {controller}',
  unknownDatapoint: 'Datenpunkt nicht mehr eingerichtet',
  showAll: '{count, plural, one {# Datenpunkt anzeigen} other {Alle # Datenpunkte anzeigen}}',
  queued: '{count, plural, one {# Übersteuerung eingeplant.} other {# Übersteuerungen eingeplant.}}',
  queuedNext: 'Als Nächstes: {name} auf {value} von {from} bis {to} (beginnt in {left})',
  devices: 'Controller',
  noDevices: 'Dieser Standort hat noch keine Controller',
  noDevicesHint:
    'Ein Administrator kann unter Einstellungen, Technische Systeme einen hinzufügen und in Betrieb nehmen.',
  clockSuspect: 'Die Uhr des Controllers geht falsch. Er lehnt neue Übersteuerungen ab, bis sie richtig geht.',
  connectionsWork: '{count, plural, one {Die Verbindung funktioniert} other {Alle # Verbindungen funktionieren}}',
  noConnections: 'Nichts ist darauf in Betrieb genommen',
  connectionStatus: { 1: 'verbunden', 2: 'wird verbunden…', 0: 'getrennt', [-1]: 'fehlgeschlagen' },
  connectionTrouble: '{name}: {status}',
  unknownConnection: 'Verbindung nicht mehr eingerichtet',
  notAnswering: 'Der Controller antwortet nicht.',
  notAnsweringSince: 'Der Controller antwortet nicht. Seine Werte sind von {time}.',
  notConnected: 'Der Controller ist nicht verbunden.',
  requests: 'Offene Wartungsanfragen',
  allRequests: 'Alle Wartungsanfragen',
  noRequests: 'Keine offenen Anfragen.',
  requestNumber: '#{number}',
}
