import type * as english from '../keys.ts'
import type { Translation } from '../translation.ts'

export const keys: Translation<typeof english.keys> = {
  title: 'API-Schlüssel',
  intro:
    'Mit API-Schlüsseln lesen und steuern Programme diese Organisation. Ein Schlüssel ist auf seine Berechtigungen und Standorte beschränkt.',
  forAdmins: 'Nur Administratoren der Organisation können API-Schlüssel verwalten.',
  label: 'API-Schlüssel dieser Organisation',
  name: 'Name',
  permissions: 'Berechtigungen',
  sites: 'Standorte',
  created: 'Erstellt',
  lastUsed: 'Zuletzt benutzt',
  state: 'Status',
  actions: 'Aktionen',
  allSites: 'Alle Standorte',
  noSites: 'Keine Standorte',
  goneSite: 'entfernter Standort',
  never: 'Nie',
  usedFrom: '{time} von {address}',
  active: 'Aktiv',
  expires: 'Läuft ab {time}',
  expired: 'Abgelaufen {time}',
  revoked: 'Widerrufen {time}',
  overlap: 'Der vorherige Geheimschlüssel gilt bis {time}',
  overrides:
    '{count, plural, one {# Übersteuerung ist noch nicht beendet} other {# Übersteuerungen sind noch nicht beendet}}',
  pending:
    '{count, plural, one {# Controller muss seine Übersteuerungen noch abbrechen} other {# Controller müssen seine Übersteuerungen noch abbrechen}}',
  empty: 'Noch keine API-Schlüssel',
  emptyHint: 'Erstellen Sie einen für jedes Programm, das Plantroom verwendet.',

  permission: {
    'edge-device:read_write': 'Edge-Geräte lesen und schreiben',
    'measurement:read': 'Messwerte lesen',
    'ticket:read': 'Wartungsanfragen lesen',
    'ticket:read_write': 'Wartungsanfragen lesen und schreiben',
  },
  permissionHint: {
    'edge-device:read_write':
      'Datenpunkte exportieren, aktuelle und archivierte Werte lesen, übersteuern und Übersteuerungen abbrechen',
    'measurement:read': 'Archivierte Werte und Prüfprotokoll lesen. Keine Befehle, keine aktuellen Werte',
    'ticket:read': 'Anfragen, Exporte und Aufträge lesen',
    'ticket:read_write': 'Außerdem Pakete importieren, Anfragen kommentieren und ändern',
  },

  create: {
    open: 'Schlüssel erstellen',
    title: 'API-Schlüssel erstellen',
    name: 'Name',
    nameHint: 'Das Programm oder der Partner, der den Schlüssel verwendet, zum Beispiel „Regelenergiemarkt“',
    permissions: 'Berechtigungen',
    sites: 'Standorte',
    all: 'Alle Standorte, auch künftige',
    some: 'Nur diese Standorte',
    which: 'Standorte',
    expiry: 'Läuft ab (optional)',
    expiryHint: 'Der Schlüssel gilt bis zu dieser Zeit ({zone}). Ohne sie gilt er, bis Sie ihn widerrufen.',
    submit: 'Schlüssel erstellen',
    noName: 'Geben Sie einen Namen für den Schlüssel ein.',
    noPermission: 'Wählen Sie mindestens eine Berechtigung.',
    noSite: 'Wählen Sie mindestens einen Standort.',
    pastExpiry: 'Geben Sie eine Zeit in der Zukunft ein.',
  },

  secret: {
    title: 'API-Schlüssel „{name}“',
    warning: 'Kopieren Sie den Schlüssel jetzt. Sie können ihn nicht noch einmal sehen.',
    label: 'API-Schlüssel',
    curl: 'Befehl zum Ausprobieren',
    done: 'Ich habe ihn kopiert',
  },

  rotate: {
    button: 'Erneuern',
    label: '{name} erneuern',
    title: '{name} erneuern?',
    consequence:
      'Der Schlüssel erhält einen neuen Geheimschlüssel und behält Kennung, Berechtigungen und Übersteuerungen.',
    action: 'Schlüssel erneuern',
  },

  revoke: {
    button: 'Widerrufen',
    label: '{name} widerrufen',
    title: '{name} widerrufen?',
    consequence:
      'Programme, die diesen Schlüssel verwenden, werden sofort abgewiesen. Sie können das nicht rückgängig machen.',
    cancel: 'Auch alle Übersteuerungen abbrechen, die dieser Schlüssel gesetzt hat',
    cancelHint: 'Controller, die offline sind, brechen sie ab, sobald sie wieder da sind.',
    noneStanding: 'Es ist keine aktive oder eingeplante Übersteuerung dieses Schlüssels bekannt.',
    standing:
      '{count, plural, one {# Übersteuerung dieses Schlüssels ist aktiv oder eingeplant. Wenn Sie sie hier nicht abbrechen, bleibt sie bis zu ihrem Ende.} other {# Übersteuerungen dieses Schlüssels sind aktiv oder eingeplant. Wenn Sie sie hier nicht abbrechen, bleiben sie bis zu ihrem Ende.}}',
    action: 'Schlüssel widerrufen',
    done: '{name} widerrufen',
    released:
      '{count, plural, one {{name} widerrufen und # Übersteuerung abgebrochen} other {{name} widerrufen und # Übersteuerungen abgebrochen}}',
    pendingTitle: '{name} widerrufen',
    cancelled:
      '{count, plural, one {# Übersteuerung wurde abgebrochen.} other {# Übersteuerungen wurden abgebrochen.}}',
    pending:
      'Diese Controller sind offline oder haben nicht geantwortet. Sie brechen die Übersteuerungen ab, sobald sie wieder da sind.',
    close: 'Schließen',
  },
}
