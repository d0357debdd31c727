import type * as english from '../editor.ts'
import type { Translation } from '../translation.ts'

export const editor: Translation<typeof english.editor> = {
  plainTitle: 'Controller in Betrieb nehmen',
  title: '{device} in Betrieb nehmen',
  back: 'Zurück zu den Systemen',
  intro:
    'Schreiben Sie im Formular oder in der Datei: Eines folgt dem anderen. Nichts wird geladen, bevor Sie gesehen haben, was sich ändert.',
  open: 'In Betrieb nehmen',
  openLabel: '{device} in Betrieb nehmen',
  notHere: 'Diesen Controller gibt es an diesem Standort nicht',
  from: 'Ausgehen von',
  fromHint:
    'Eine Vorlage für ein Gerät oder ein technisches System dieses Standorts, um es zu ändern oder auf diesen Controller zu kopieren',
  empty: 'Eine leere Datei',
  form: 'Formular',
  file: 'Datei',
  fileHint: 'YAML oder JSON',
  fileBroken: 'Die Datei lässt sich nicht als Inbetriebnahmedatei lesen. Das Formular zeigt den Stand davor.',
  undoFile: 'Datei neu schreiben',
  replaced: 'Was Sie geschrieben hatten ({system}), wurde ersetzt.',
  removed: '{name} entfernt',
  notPutBack: 'Die Datei hat sich seitdem zu sehr verändert.',
  system: 'Technisches System',
  systemHint: 'Das Laden ersetzt das System dieses Namens auf dem Controller; andere bleiben.',
  connection: 'Verbindung {number}: {name}',
  unnamed: 'noch ohne Namen',
  remove: 'Entfernen',
  removeLabel: '{name} entfernen',
  name: 'Name',
  protocol: 'Protokoll',
  settings: 'Einstellungen',
  settingsHint: 'Zum Beispiel host=10.0.0.5 port=502',
  datapoints: '{count, plural, =0 {Noch keine Datenpunkte} one {# Datenpunkt} other {# Datenpunkte}}',
  datapoint: 'Datenpunkt {number}: {name}',
  more: 'Mehr von {count} anzeigen',
  addDatapoint: 'Datenpunkt hinzufügen',
  paste: 'Tabelle einfügen',
  addConnection: 'Verbindung hinzufügen',
  noFields: 'Schreiben Sie Paare wie register=100 type=int16.',
  check: 'Mit dem Controller prüfen',
  checkHint: 'Der Controller prüft Adressen und sagt, was sich ändern würde.',
  problems: '{count, plural, one {# Fehler ist oben markiert.} other {# Fehler sind oben markiert.}}',
  template: {
    group: 'Vorlage: {family}',
    fill: 'Ausfüllen',
    tried: {
      'simulated map':
        'Nur mit einem simulierten Gerät erprobt: Vergleichen Sie jeden Wert mit der Anzeige des Geräts.',
      equipment: 'Mit dem Gerät selbst erprobt.',
    },
  },
  read: {
    now: 'Jetzt lesen',
    label: 'Jetzt lesen: {name}',
    withRaw: '{value} (im Gerät steht {raw})',
    unsigned:
      '{value} sieht aus wie {likely} ohne Vorzeichen, oder wie ein Wert, den das Gerät nicht hat. Vergleichen Sie mit der Anzeige.',
    scale: '{value} sieht aus wie {likely} mal {factor}. Vergleichen Sie mit der Anzeige.',
    direction: {
      grid: {
        positive:
          '{value}: Das Gebäude bezieht gerade Leistung aus dem Netz. Speist es ein, drehen Sie das Vorzeichen um.',
        negative: '{value}: Speist das Gebäude gerade ins Netz ein? Wenn nicht, drehen Sie das Vorzeichen um.',
      },
      storage: {
        positive: '{value}: Die Batterie wird gerade geladen. Wird sie entladen, drehen Sie das Vorzeichen um.',
        negative: '{value}: Die Batterie wird gerade entladen. Wird sie geladen, drehen Sie das Vorzeichen um.',
      },
      generation: {
        positive: '{value}: Das Gerät erzeugt gerade.',
        negative:
          '{value}: Bezieht das Gerät gerade Leistung, statt zu erzeugen? Wenn nicht, drehen Sie das Vorzeichen um.',
      },
      load: {
        positive: '{value}: Der Verbraucher bezieht gerade Leistung.',
        negative:
          '{value}: Liefert der Verbraucher gerade Leistung, statt sie zu beziehen? Wenn nicht, drehen Sie das Vorzeichen um.',
      },
    },
    turn: 'Vorzeichen umdrehen',
    readAs: 'Als {type} lesen',
    divide: 'Durch {factor} teilen',
    turned: 'Vorzeichen umgedreht.',
    nowReadAs: 'Jetzt als {type} gelesen.',
    divided: 'Jetzt durch {factor} geteilt.',
    undo: 'Rückgängig',
  },
  csv: {
    label: 'Tabelle der Datenpunkte',
    hint: 'Fügen Sie sie aus einer Tabellenkalkulation ein, oder ziehen Sie eine CSV-Datei hierher. Die erste Zeile nennt die Spalten: name, access (R, W, RW), unit, kind, tags, min, max, scale, releaseValue; jede andere Spalte gehört zur Adresse.',
    mistakes: '{count, plural, one {# Fehler} other {# Fehler}}',
    at: 'Zeile {row}: {message}',
    add: '{count, plural, one {# Datenpunkt hinzufügen} other {# Datenpunkte hinzufügen}}',
    rest: 'Zeilen mit Fehlern werden ausgelassen.',
    openQuote: 'Ein Anführungszeichen ist nicht geschlossen. Schließen oder entfernen Sie es.',
    columnTwice: 'Die Spalte {column} kommt zweimal vor.',
    otherSeparator:
      'Sie ist anders getrennt als die erste Zeile. Verwenden Sie in der ganzen Tabelle ein Trennzeichen.',
    noName: 'Die erste Zeile hat keine Spalte name.',
    tooMany:
      'Sie hat {count} Zellen, und die erste Zeile nennt {columns}. Setzen Sie Zellen mit dem Trennzeichen in Anführungszeichen.',
    unnamed: 'Der Name fehlt.',
    twice: '{name} steht schon in Zeile {row}.',
    known: 'Die Verbindung hat {name} schon.',
    noNumber: '{column} ist keine Zahl: {value}. Schreiben Sie 1234.5 oder 1234,5, ohne Tausendertrennzeichen.',
    noAccess: 'access ist {value}: Schreiben Sie R, W oder RW.',
    oneBound: 'Geben Sie min und max an, oder keines von beiden.',
    noScale: 'scale darf nicht 0 sein.',
  },
}
