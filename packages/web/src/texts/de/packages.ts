import type * as english from '../packages.ts'
import type { Translation } from '../translation.ts'

export const packages: Translation<typeof english.packages> = {
  title: 'Import / Export: Wartungsanfragen',
  intro:
    'Importieren Sie Anfragen aus einem anderen System oder exportieren Sie die Anfragen dieses Standorts als .fpl-Paket.',

  importing: {
    title: 'Import',
    drop: 'Paket hier ablegen',
    dropHint:
      'Eine .fpl-Datei mit höchstens 5 GB. Plantroom prüft sie zuerst und importiert nichts, bevor Sie bestätigen.',
    dropNow: 'Irgendwo auf dieser Seite ablegen',
    choose: 'Datei wählen',
    input: 'Paket für den Import',
    forManagers:
      'Nur Manager und Admins können Pakete importieren und exportieren. Sie können frühere Aufträge ansehen.',
  },

  name: {
    title: '„{name}“ ist kein gültiger Paketname',
    flaw: {
      ending: 'Der Name muss auf .fpl enden.',
      'nothing-before': 'Der Name braucht mindestens ein Zeichen vor .fpl.',
      'too-long': 'Der Name kann höchstens 255 Zeichen haben.',
      characters: 'Der Name kann Buchstaben (auch ä, ö, õ, ü), Ziffern, Leerzeichen und _ - . ( ) enthalten.',
    },
    use: 'Als „{name}“ hochladen',
    notAPackage: 'Wählen Sie ein Paket, oder benennen Sie die Datei zuerst um.',
    convert: 'Die Datei sieht nach dem Export eines anderen Systems aus. Wandeln Sie sie zuerst in ein Paket um.',
    folder:
      'Das ist ein Ordner. Ein Paket ist eine Datei: Komprimieren Sie den Inhalt des Ordners und nennen Sie das Ergebnis .fpl.',
    several: 'Legen Sie immer nur ein Paket ab.',
    tooLarge:
      'Diese Datei ist {size} groß, ein Paket darf höchstens 5 GB groß sein. Teilen Sie die Anfragen auf mehrere Pakete auf.',
  },

  upload: {
    bar: 'Upload von {name}',
    title: '{name} wird hochgeladen',
    gone: '{loaded} von {total}',
    position: 'Datei {position} von {count}',
    speed: '{amount}/s',
    left: 'Noch etwa {time}',
    starting: 'Hochgeladen. Die Prüfung beginnt…',
    stay: 'Sie können inzwischen andere Seiten der Konsole öffnen. Wenn Sie diesen Tab schließen, wählen Sie später dieselbe Datei, um fortzufahren.',
    stayWhole:
      'Sie können inzwischen andere Seiten der Konsole öffnen. Wenn Sie diesen Tab schließen, bricht der Upload ab.',
    comparing: '{name} wird mit dem verglichen, was schon hochgeladen ist',
    completing: 'Der Upload von {name} wird abgeschlossen',
    paused: 'Der Upload von {name} ist angehalten',
    pause: 'Anhalten',
    resume: 'Upload fortsetzen',
    retrying:
      '{seconds, plural, =0 {Die Verbindung ist abgerissen. Neuer Versuch…} other {Die Verbindung ist abgerissen. Nächster Versuch in # s.}}',
    another: 'Es gibt einen unvollständigen Upload einer anderen Datei namens {name}',
    anotherHint:
      'Diese andere Datei ist gleich groß, hat aber anderen Inhalt. Ersetzen Sie den unvollständigen Upload, oder brechen Sie ab und wählen Sie jene Datei.',
    replace: 'Durch diese Datei ersetzen',
    unreadable:
      'Der Browser kann die Datei nicht mehr lesen. Sie wurde geändert, verschoben oder entfernt. Wählen Sie sie erneut.',
    cancel: 'Upload abbrechen',
    failed: '{name} wurde nicht hochgeladen',
    cutOff: 'Die Verbindung ist abgerissen, und nichts wurde behalten. Laden Sie die Datei erneut hoch.',
    timedOut:
      'Der Upload war zu langsam und wurde beendet. Prüfen Sie Ihre Verbindung, und laden Sie die Datei erneut hoch.',
    noRoom:
      'Der Dateispeicher ist voll. Bitten Sie Ihren Betreiber, Platz zu schaffen, und laden Sie die Datei erneut hoch.',
    refused:
      'Der Dateispeicher hat mit {status} geantwortet. Versuchen Sie es erneut. Wenn es wieder passiert, wenden Sie sich an Ihren Betreiber.',
    again: 'Erneut hochladen',
    doneAway: '{name} ist hochgeladen und wird geprüft',
    doneAwayHint: 'Siehe Import / Export.',
  },

  unfinished: {
    title: 'Der Upload von {name} ist nicht abgeschlossen',
    hint: 'Wählen Sie dieselbe Datei, um fortzufahren. Letzte Aktivität: {last}. Plantroom entfernt den unvollständigen Upload: {end}.',
    choose: 'Datei wählen und fortfahren',
    input: 'Datei des unvollständigen Uploads {name}',
    other: '„{name}“ ist eine andere Datei',
    otherHint: 'Der unvollständige Upload gehört zu {name} ({size}). Die gewählte Datei ist {given} groß.',
  },

  job: {
    of: {
      PREVIEW_TICKET_IMPORT: 'Prüfung',
      TICKET_IMPORT: 'Import',
      TICKET_EXPORT: 'Export',
      PREVIEW_TICKET_FILL: 'Prüfung der Ergänzung',
      TICKET_FILL: 'Ergänzung',
    },
    title: {
      PREVIEW_TICKET_IMPORT: 'Prüfung von {file}',
      TICKET_IMPORT: 'Import von {file}',
      TICKET_EXPORT: 'Export von {file}',
      PREVIEW_TICKET_FILL: 'Prüfung der Ergänzung aus {file}',
      TICKET_FILL: 'Ergänzung aus {file}',
    },
    bar: {
      PREVIEW_TICKET_IMPORT: 'Prüfung: Fortschritt',
      TICKET_IMPORT: 'Import: Fortschritt',
      TICKET_EXPORT: 'Export: Fortschritt',
      PREVIEW_TICKET_FILL: 'Prüfung der Ergänzung: Fortschritt',
      TICKET_FILL: 'Ergänzung: Fortschritt',
    },
    accepted: 'Gestartet {time}',
    acceptedBy: 'Gestartet {time} von {who}',
    lost: 'Die Verbindung zu Plantroom ist unterbrochen. Der Auftrag läuft weiter, und diese Seite aktualisiert sich, sobald Plantroom antwortet.',
    noWorker:
      'Das dauert ungewöhnlich lange. Fragen Sie Ihren Betreiber, ob ein Worker läuft. Inzwischen geht nichts verloren.',
    stays: 'Sie können diese Seite schließen. Der Auftrag läuft weiter, und diese Adresse zeigt ihn wieder.',
  },

  progress: {
    waiting: 'Wartet auf den Start',
    starting: 'Startet',
    stages: {
      'checking manifest': 'Liste der Anfragen wird gelesen',
      'checking files': 'Dateien werden geprüft',
      comparing: 'Vergleich mit den Anfragen dieses Standorts',
      importing: 'Anfragen werden importiert',
      filling: 'Leere Felder werden ergänzt',
      requests: 'Anfragen werden gesammelt',
      files: 'Anhänge werden gepackt',
    },
    ofBytes: '{done} von {total}',
    ofRequests: '{count, plural, one {{done} von # Anfrage} other {{done} von # Anfragen}}',
    attempt: 'Versuch {current} von {most}',
    again: 'Versuch {next} von {most} beginnt innerhalb einer Minute',
    againTitle: 'Der letzte Versuch wurde nicht fertig',
    againHint: 'Importierte Anfragen bleiben. Der nächste Versuch macht dort weiter, wo dieser aufgehört hat.',
  },

  counts: {
    new: 'Neue Anfragen',
    existing: 'Schon an diesem Standort',
    comments: 'Kommentare',
    attachments: 'Anhänge',
    imported: 'Importierte Anfragen',
    skipped: 'Übersprungen, schon an diesem Standort',
    tags: 'Neue Schlagwörter',
  },

  preview: {
    valid: 'Das Paket ist gültig',
    willAdd:
      '{count, plural, one {Der Import fügt # neue Anfrage hinzu.} other {Der Import fügt # neue Anfragen hinzu.}}',
    willSkip:
      '{count, plural, one {Er überspringt # Anfrage, die schon an diesem Standort ist.} other {Er überspringt # Anfragen, die schon an diesem Standort sind.}}',
    empty: 'Das Paket hat keine Anfragen, es gibt also nichts zu importieren.',
    nothingNew:
      '{count, plural, one {Die # Anfrage des Pakets ist schon an diesem Standort, es gibt also nichts zu importieren.} other {Alle # Anfragen des Pakets sind schon an diesem Standort, es gibt also nichts zu importieren.}}',
    noMail: 'Der Import sendet keine E-Mails und ändert niemals bestehende Anfragen.',
    importAll: '{count, plural, one {# Anfrage importieren} other {# Anfragen importieren}}',
    forManagers: 'Ein Manager oder Admin kann es importieren.',
  },

  imported: {
    title: 'Der Import ist fertig.',
    line: '{count, plural, one {# Anfrage hinzugefügt, {skipped} übersprungen.} other {# Anfragen hinzugefügt, {skipped} übersprungen.}}',
    seeRequests: 'Anfragen ansehen',
    numbers: 'Nummern der Anfragen herunterladen (CSV)',
    numbersHint: 'Die Datei enthält zu jeder Anfrage die externe Kennung und ihre Nummer an diesem Standort.',
  },

  findings: {
    tags: '{count, plural, one {# neues Schlagwort, vom Import erstellt} other {# neue Schlagwörter, vom Import erstellt}}',
    units: '{count, plural, one {# unbekannte Einheit, leer gelassen} other {# unbekannte Einheiten, leer gelassen}}',
    people:
      '{count, plural, one {# Person nicht gefunden, leer gelassen} other {# Personen nicht gefunden, leer gelassen}}',
    manyTags: 'Mindestens {count} neue Schlagwörter, vom Import erstellt',
    manyUnits: 'Mindestens {count} unbekannte Einheiten, leer gelassen',
    manyPeople: 'Mindestens {count} Personen nicht gefunden, leer gelassen',
    unitsHint:
      'Um sie zu behalten, fügen Sie unter Einheiten und Personen Einheiten mit diesen Namen hinzu, und prüfen Sie das Paket erneut.',
    peopleHint:
      'Um sie zu behalten, fügen Sie unter Einheiten und Personen Personen mit diesen Adressen hinzu, und prüfen Sie das Paket erneut.',
    more: '… und {count} weitere',
    download: 'Vollständige Liste herunterladen (CSV)',
  },

  failed: {
    invalid: 'Das Paket ist nicht gültig',
    invalidHint:
      'Nichts wurde importiert. Korrigieren Sie die Anfragen in ihrem Quellsystem, erstellen Sie das Paket neu und laden Sie es hoch.',
    unreadable: 'Plantroom kann diese Datei nicht als Paket lesen',
    unreadableHint:
      'Nichts wurde importiert. Die Datei ist beschädigt, unvollständig oder kein Paket. Erstellen Sie das Paket neu, oder wandeln Sie den Export eines anderen Systems zuerst um.',
    other: {
      PREVIEW_TICKET_IMPORT: 'Die Prüfung ist fehlgeschlagen',
      TICKET_IMPORT: 'Der Import wurde unterbrochen',
      TICKET_EXPORT: 'Der Export ist fehlgeschlagen',
      PREVIEW_TICKET_FILL: 'Die Prüfung der Ergänzung ist fehlgeschlagen',
      TICKET_FILL: 'Die Ergänzung wurde unterbrochen',
    },
    csv: 'Vollständigen Bericht herunterladen (CSV)',
    json: 'Vollständigen Bericht herunterladen (JSON)',
    again: 'Import erneut ausführen',
    unknown: 'Plantroom hat keinen Grund genannt.',
  },

  exporting: {
    title: 'Export',
    hint: 'Exportieren Sie alle Anfragen dieses Standorts mit Unterhaltungen und Anhängen als ein Paket. Der Export enthält personenbezogene Daten. Bewahren Sie ihn entsprechend auf.',
    start: 'Alle Anfragen exportieren',
    done: 'Das Paket ist fertig',
    requests: '{count, plural, one {# Anfrage} other {# Anfragen}}',
    comments: '{count, plural, one {# Kommentar} other {# Kommentare}}',
    attachments: '{count, plural, one {# Anhang} other {# Anhänge}}',
    download: 'Herunterladen ({size})',
    adjusted:
      '{count, plural, one {# gespeicherter Wert wurde im Paket geändert, weil ein Paket ihn nicht enthalten darf:} other {# gespeicherte Werte wurden im Paket geändert, weil ein Paket sie nicht enthalten darf:}}',
    became: '{value} wurde zu {became}',
    leftOut: '{value} wurde weggelassen',
    kept: 'Das Paket bleibt höchstens sieben Tage, oder bis drei neuere Exporte fertig sind.',
    removed:
      'Sie können dieses Paket nicht herunterladen: Das können nur Manager und Admins, höchstens sieben Tage lang, solange es eines der neuesten drei ist. Exportieren Sie erneut.',
  },

  history: {
    title: 'Verlauf',
    label: 'Aufträge dieses Standorts',
    kind: 'Auftrag',
    file: 'Datei',
    by: 'Gestartet von',
    byOperator: 'Betreiber',
    bySchedule: 'Zeitplan',
    byKey: '{name} (API-Schlüssel)',
    when: 'Gestartet',
    result: 'Ergebnis',
    empty: 'Noch keine Importe oder Exporte',
    previewed: 'Gültig: {added} neu, {existing} schon an diesem Standort',
    imported:
      '{count, plural, one {# Anfrage hinzugefügt, {skipped} übersprungen} other {# Anfragen hinzugefügt, {skipped} übersprungen}}',
    exported: '{count, plural, one {# Anfrage, {size}} other {# Anfragen, {size}}}',
    fillPreviewed: '{count, plural, one {# Anfrage kann ergänzt werden} other {# Anfragen können ergänzt werden}}',
    filled: '{count, plural, one {# Anfrage ergänzt} other {# Anfragen ergänzt}}',
  },
}
