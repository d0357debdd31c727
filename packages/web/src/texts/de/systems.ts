import type * as english from '../systems.ts'
import type { Translation } from '../translation.ts'

export const systems: Translation<typeof english.systems> = {
  title: 'Technische Systeme',
  intro:
    'Die Verbindungen, Datenpunkte, Zeitprogramme, Spitzenlastbegrenzungen und Leistungsbegrenzungen, die auf jedem Controller in Betrieb sind.',
  forAdmins: 'Nur Administratoren können Controller hinzufügen und Inbetriebnahmedateien laden.',
  noDevices: 'Dieser Standort hat noch keine Controller',
  noDevicesHint: 'Ein Administrator kann einen hinzufügen und ihn mit den Einstellungen starten, die dann erscheinen.',
  noDevicesAdmin: 'Fügen Sie einen hinzu. Sie erhalten den Befehl, der ihn im Gebäude startet.',
  nothing: 'Auf diesem Controller ist noch nichts in Betrieb genommen.',
  toDevice: 'Werte ansehen',
  toSchedules: 'Zeitprogramme und Grenzwerte',
  versions: 'Versionen',
  versionsLabel: 'Versionen von {device}',

  connectionsLabel: 'Verbindungen von {system}',
  connection: 'Verbindung',
  protocol: 'Protokoll',
  datapoints: 'Datenpunkte',
  points: '{count, plural, one {# Datenpunkt, {writable} schreibbar} other {# Datenpunkte, {writable} schreibbar}}',
  pointsReadOnly: '{count, plural, one {# Datenpunkt, nur lesbar} other {# Datenpunkte, nur lesbar}}',

  schedule:
    '{count, plural, one {Zeitprogramm „{name}“ steuert {datapoint} (# Zeitfenster)} other {Zeitprogramm „{name}“ steuert {datapoint} (# Zeitfenster)}}',
  peak: {
    fixed: 'Die Spitzenlastbegrenzung hält {meter} unter {limit} kW, indem sie {loads} abwirft',
    hourly:
      'Die Spitzenlastbegrenzung hält {meter} unter stündlichen Grenzwerten von {least} bis {most} kW, indem sie {loads} abwirft',
    none: 'Die Spitzenlastbegrenzung hat keinen Grenzwert für {meter} und wirft {loads} deshalb noch nicht ab',
  },
  peakWithoutLoads: {
    fixed: 'Die Spitzenlastbegrenzung überwacht {meter} (Grenzwert {limit} kW), hat aber keine Lasten zum Abwerfen',
    hourly:
      'Die Spitzenlastbegrenzung überwacht {meter} (stündliche Grenzwerte von {least} bis {most} kW), hat aber keine Lasten zum Abwerfen',
    none: 'Die Spitzenlastbegrenzung überwacht {meter}, hat aber keinen Grenzwert und keine Lasten zum Abwerfen',
  },
  powerLimit: 'Leistungsbegrenzungen für {meter} können {loads} verstellen',
  powerLimitByContacts:
    'Leistungsbegrenzungen für {meter} können {loads} verstellen und werden auch von {inputs} gesetzt',
  unknownPoint: 'ein Datenpunkt, der nicht mehr eingerichtet ist',

  download: 'Datei herunterladen',
  downloadLabel: 'Datei von {system} herunterladen',

  load: {
    open: 'Datei laden',
    openLabel: 'Datei auf {device} laden',
    title: 'Inbetriebnahmedatei auf {device} laden',
    hint: 'Eine JSON- oder YAML-Datei mit einem technischen System. Sie sehen alle Fehler, oder was sich ändert, bevor etwas geladen wird.',
    choose: 'Datei wählen',
    input: 'Inbetriebnahmedatei',
    another: 'Andere Datei wählen',
    submit: 'Datei laden',
    remove: 'Technisches System entfernen',
    done: '{system} geladen',
    warnings:
      '{count, plural, one {Die Datei ist mit # Warnung geladen} other {Die Datei ist mit # Warnungen geladen}}',
    gone: '{system} vom Controller entfernt',
    offlineNow: 'Der Controller ist offline. Sie können eine Datei laden, wenn er wieder online ist.',
    tooLarge: 'Eine Inbetriebnahmedatei kann höchstens 3 MB haben.',
    notAnObject: 'Die Datei muss ein Objekt mit technicalSystem und connections sein.',
    syntax: 'Die Datei ist weder JSON noch YAML. Nichts hat sich geändert.',
    unreadable: 'Der Browser konnte die Datei nicht lesen.',
  },

  device: {
    add: 'Controller hinzufügen',
    addTitle: 'Controller hinzufügen',
    name: 'Name',
    nameHint: 'Zum Beispiel der Raum, in dem der Controller eingebaut ist',
    noName: 'Geben Sie einen Namen für den Controller ein.',
    submit: 'Controller hinzufügen',
    renew: 'Neuer Geheimschlüssel',
    renewLabel: 'Neuer Geheimschlüssel für {name}',
    renewTitle: 'Neuen Geheimschlüssel für {name} erstellen?',
    renewConsequence:
      'Der alte Geheimschlüssel gilt sofort nicht mehr. Der Controller bleibt offline, bis Sie ihn mit dem neuen neu starten. Aktive Übersteuerungen laufen inzwischen weiter.',
    renewAction: 'Geheimschlüssel erstellen',
    remove: 'Entfernen',
    removeLabel: '{name} entfernen',
    removeTitle: '{name} entfernen?',
    removeConsequence:
      'Der Controller wird sofort getrennt und kann sich nicht wieder verbinden. Plantroom vergisst, was darauf in Betrieb ist, behält aber seine Einträge im Prüfprotokoll. Die Anlagen bleiben, wie sie sind. Geben Sie aktive Übersteuerungen deshalb zuerst frei.',
    removeAction: 'Controller entfernen',
    removeHolding:
      'Der Controller hält noch Datenpunkte, oder er hielt welche bei seiner letzten Antwort. Geben Sie aktive Übersteuerungen zuerst frei: Nach dem Entfernen kann sie niemand mehr vorzeitig beenden. Ein Controller mit Strom beendet sie rechtzeitig.',
    removeAnyway: 'Trotzdem entfernen',
    removed: '{name} entfernt',
  },

  secret: {
    title: 'Controller {name} starten',
    warning: 'Kopieren Sie den Geheimschlüssel jetzt. Sie können ihn nicht noch einmal sehen.',
    command: 'Führen Sie dies auf dem Controller aus',
    hint: 'Oder setzen Sie diese drei Umgebungsvariablen, zum Beispiel in einer Dienstdatei, und führen Sie „plantroom edge“ aus.',
    broker: 'Die Adresse des MQTT-Brokers. Ändern Sie sie, wenn Ihr Betreiber Ihnen eine andere genannt hat.',
    done: 'Ich habe sie kopiert',
  },
}
