import type * as english from '../site.ts'
import type { Translation } from '../translation.ts'

export const site: Translation<typeof english.site> = {
  localTime: '{time} am Standort',
  localTimeInZone: '{time} am Standort ({timeZone})',
  held: 'Jetzt gehalten',
  heldThen: 'Zuletzt gehalten',
  heldCount: '{count, plural, one {# Datenpunkt} other {# Datenpunkte}}',
  nothingHeld: 'Keine aktiven Übersteuerungen. Das Gebäude regelt sich selbst.',
  nothingHeldKnown: 'Die Controller, die antworten, haben keine aktiven Übersteuerungen.',
  notKnown:
    '{count, plural, one {{controllers} antwortet nicht und hat sich noch nie gemeldet, deshalb sind die Übersteuerungen dort unbekannt. Ist nur die Verbindung gestört, enden sie pünktlich. Hat der Controller keinen Strom, bleibt seine Anlage, wie sie ist: Sehen Sie vor Ort nach.} other {{controllers} antworten nicht und haben sich noch nie gemeldet, deshalb sind die Übersteuerungen dort unbekannt. Sind nur die Verbindungen gestört, enden sie pünktlich. Haben die Controller keinen Strom, bleiben ihre Anlagen, wie sie sind: Sehen Sie vor Ort nach.}}',
  nothingHeldThen: 'Keine Übersteuerung war aktiv, als die Controller zuletzt antworteten.',
  lostTitle: 'Plantroom antwortet nicht',
  lost: 'Diese Seite hat {age} lang nichts vom Dienst gehört. Nichts darauf ist live. Sie verbindet sich automatisch wieder.',
  listening: 'Verbindung zu {controllers} wird aufgebaut…',
  stale: 'Letzter bekannter Stand, {age} alt ({time})',
  equipmentAt: 'Anlage steht auf',
  writeOnly: 'Nur schreibbar: nicht lesbar',
  unreadable: 'Nicht lesbar: {why}',
  release: 'Freigeben',
  releaseOf: '{name} freigeben',
  releaseAll: 'Alles an diesem Standort freigeben…',
  allAlerts: 'Alle Alarme',
  since: 'Seit {time}',
  heldAt: 'Gehalten auf',
  releasingTo: 'Geht zurück auf',
  on: '{connection} · {controller}',
  unknownDatapoint: 'Datenpunkt nicht mehr eingerichtet',
  showAll: '{count, plural, one {# Datenpunkt anzeigen} other {Alle # Datenpunkte anzeigen}}',
  queued: '{count, plural, one {# Übersteuerung eingeplant.} other {# Übersteuerungen eingeplant.}}',
  queuedNext: 'Als Nächstes: {name} auf {value} von {from} bis {to} (noch {left} bis zum Beginn)',
  devices: 'Controller',
  noDevices: 'Dieser Standort hat noch keine Controller',
  noDevicesHint:
    'Ein Administrator kann unter Einstellungen, Technische Systeme einen hinzufügen und in Betrieb nehmen.',
  addDevice: 'Ersten Controller hinzufügen',
  clockSuspect: 'Der Controller kennt die Uhrzeit noch nicht. Bis dahin lehnt er neue Übersteuerungen ab.',
  connectionsWork: '{count, plural, one {Die Verbindung funktioniert} other {Alle # Verbindungen funktionieren}}',
  noConnections: 'Nichts ist darauf in Betrieb genommen',
  connectionStatus: { 1: 'verbunden', 2: 'wird verbunden…', 0: 'getrennt', [-1]: 'fehlgeschlagen' },
  connectionTrouble: '{name}: {status}',
  unknownConnection: 'Verbindung nicht mehr eingerichtet',
  notAnswering: 'Der Controller antwortet nicht und hat sich noch nie gemeldet.',
  notAnsweringSince: 'Der Controller antwortet nicht. Letzter bekannter Stand: {age} alt ({time}).',
  answersSlowly: 'Letzter bekannter Stand: {age} alt ({time}).',
  notConnected: 'Der Controller ist nicht verbunden.',
  requests: 'Offene Wartungsanfragen',
  allRequests: 'Alle Wartungsanfragen',
  noRequests: 'Keine offenen Anfragen.',
  requestNumber: '#{number}',
}

export const releaseSite: Translation<typeof english.releaseSite> = {
  title: 'Alles an diesem Standort freigeben?',
  what: 'Jede Übersteuerung von Demand Response an diesem Standort wird abgebrochen, auch eingeplante:',
  heldOn:
    '{count, plural, one {{name}, gehalten auf {value}: # Übersteuerung} other {{name}, gehalten auf {value}: # Übersteuerungen}}',
  queuedOn: '{count, plural, one {{name}: # eingeplante Übersteuerung} other {{name}: # eingeplante Übersteuerungen}}',
  more: '{count, plural, one {Und # weiterer Datenpunkt.} other {Und # weitere Datenpunkte.}}',
  leftOut:
    '{count, plural, one {Der Controller hat # Übersteuerung mehr, als er auflistet. Geben Sie danach erneut frei.} other {Der Controller hat # Übersteuerungen mehr, als er auflistet. Geben Sie danach erneut frei.}}',
  others: 'Die Anlagen gehen zurück an die Spitzenlastbegrenzung, ihr Zeitprogramm oder auf ihren vorherigen Wert.',
  unreachableTitle: 'Nicht freigegeben',
  unreachable:
    '{count, plural, one {{controllers} antwortet nicht. Ist nur die Verbindung gestört, enden die Übersteuerungen dort pünktlich. Hat der Controller keinen Strom, bleibt seine Anlage, wie sie ist: Sehen Sie vor Ort nach.} other {{controllers} antworten nicht. Sind nur die Verbindungen gestört, enden die Übersteuerungen dort pünktlich. Haben die Controller keinen Strom, bleiben ihre Anlagen, wie sie sind: Sehen Sie vor Ort nach.}}',
  nothing: 'Kein Controller, der antwortet, hat eine Übersteuerung.',
  action: '{count, plural, one {# Datenpunkt freigeben} other {# Datenpunkte freigeben}}',
  releasing:
    '{count, plural, one {{name}: {done} von # Datenpunkt freigegeben…} other {{name}: {done} von # Datenpunkten freigegeben…}}',
  released:
    '{count, plural, one {{name}: {done} von # Datenpunkt freigegeben} other {{name}: {done} von # Datenpunkten freigegeben}}',
  failed: '{name} wurde nicht freigegeben: {why}',
  again: '{count, plural, one {# Datenpunkt erneut versuchen} other {# Datenpunkte erneut versuchen}}',
}

export const siteStatus: Translation<typeof english.siteStatus> = {
  label: 'Status des Standorts',
  well: '{count, plural, one {Alles in Ordnung: # Controller antwortet} other {Alles in Ordnung: # Controller antworten}}, {connections, plural, one {# Verbindung funktioniert} other {# Verbindungen funktionieren}}.',
  asking: 'Controller werden abgefragt …',
  nothing: 'Noch kein Controller.',
  snoozed:
    '{count, plural, one {Nichts Neues. # Alarm ist aufgeschoben.} other {Nichts Neues. # Alarme sind aufgeschoben.}}',
  offline: '{controller} antwortet nicht',
  connection: '{controller} hat die Verbindung zu {connection} verloren',
  andOthers: '{sentence}, {count, plural, one {und # weiterer} other {und # weitere}}',
  more: '{count, plural, one {# weitere} other {# weitere}}',
}

export const recent: Translation<typeof english.recent> = {
  steady: 'Letzte Stunde: {value}',
  between: 'Letzte Stunde: {min} bis {max}',
}
