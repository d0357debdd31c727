import type * as english from '../charts.ts'
import type { Translation } from '../translation.ts'

export const chart: Translation<typeof english.chart> = {
  title: 'Diagramm von {name}',
  label: 'Diagramm von {names}. {summary}',
  close: 'Diagramm schließen',
  openPage: 'In Diagrammen öffnen',
  range: 'Zeitraum',
  ranges: {
    '1h': '1 h',
    '6h': '6 h',
    '24h': '24 h',
    '7d': '7 d',
    '30d': '30 d',
    '365d': '1 J.',
    day: 'Tag',
    own: 'Von–bis',
  },
  day: 'Tag ({zone})',
  from: 'Von ({zone})',
  to: 'Bis ({zone})',
  notArchived: '{name} wird nicht archiviert. Das Diagramm zeigt nur Werte, die eintreffen, während es offen ist.',
  notArchivedPast: '{name} wird nicht archiviert, deshalb hat dieser Zeitraum keine Werte.',
  notArchivedAtAll: '{name} wird nicht archiviert und hat deshalb keinen Verlauf.',
  empty: 'Keine Werte in diesem Zeitraum.',
  notLoaded: 'Die Werte sind nicht geladen.',
  summary:
    '{count, plural, one {# Wert: {last} um {at}.} other {# Werte: niedrigster {min}, höchster {max}, letzter {last} um {at}.}}',
  summaryOf: '{name}: {summary}',
  holds: '{count, plural, one {# Eingriff in diesem Zeitraum.} other {# Eingriffe in diesem Zeitraum.}}',
  noHolds: 'Keine Eingriffe in diesem Zeitraum.',
  bandList: 'Eingriffe in diesem Zeitraum',
  bandAt: '{writer} mit {value}',
  bandOf: '{name}: {band}',
  bandTimes: '{from} bis {to}',
  bandSince: 'Seit {from}',
  bandSinceUntil: 'Seit {from}, bis {until}',
  planned: 'Geplant',
  moreBands:
    '{count, plural, one {Das Prüfprotokoll hat # weiteren Eingriff.} other {Das Prüfprotokoll hat # weitere Eingriffe.}}',
  tooManyReports: 'Dieser Zeitraum hat zu viele Eingriffe, um sie zu zeichnen. Das Prüfprotokoll enthält alle.',
  beforeAndAfter: 'Vorher und nachher',
  beforeAndAfterOf: 'Vorher und nachher: {band}',
  dropped:
    '{count, plural, one {Der Controller hat in # Abschnitt dieses Zeitraums Werte verworfen.} other {Der Controller hat in # Abschnitten dieses Zeitraums Werte verworfen.}}',
  historyFailed: 'Die archivierten Werte konnten nicht geladen werden',
  historyFailedOf: 'Die archivierten Werte von {name} konnten nicht geladen werden',
  reportsFailed: 'Die Eingriffe dieses Zeitraums konnten nicht geladen werden',
  unknownName: 'Datenpunkt nicht mehr eingerichtet ({id})',
  on: '{connection} · {controller}',
  loading: 'Werte werden geladen. Bis dahin zeigen die Linien vielleicht einen anderen Zeitraum oder gröbere Werte.',
  noValuesSince: 'Keine Werte seit {time}',
  noValuesYet: 'Keine Werte in den letzten 24 Stunden',
  cursor: '{time}: {value}',
  cursorRange: '{time}: {value} ({min} bis {max})',
  cursorNothing: '{time}: kein Wert',
  lastAt: 'Letzter: {value} um {time}',
  step: 'Jeder Punkt ist ein Mittelwert ({length}). Die Fläche reicht vom niedrigsten bis zum höchsten Wert.',
  reports: 'Prüfprotokoll dieses Datenpunkts',
}

export const chartMoves: Translation<typeof english.chartMoves> = {
  group: 'Zoomen und verschieben',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  earlier: 'Früher',
  later: 'Später',
  reset: 'Zoom zurücksetzen',
  remove: '{name} entfernen',
  plot: '{label} Pfeiltasten verschieben, Plus und Minus zoomen, 0 setzt den Zoom zurück.',
  hint: 'Zum Zoomen ziehen. Zum Verschieben mit gedrückter Umschalttaste ziehen. Strg und das Mausrad zoomen; ist das Diagramm ausgewählt, das Mausrad allein.',
  touchHint: 'Zum Verschieben seitlich wischen. Zum Zoomen zwei Finger spreizen.',
}

export const limits: Translation<typeof english.limits> = {
  list: 'Grenzwerte',
  'envelope-min': 'Eingerichtetes Minimum',
  'envelope-max': 'Eingerichtetes Maximum',
  'limit-min': 'Erzwungenes Minimum',
  'limit-max': 'Erzwungenes Maximum',
  peak: 'Spitzenlast-Grenzwert',
  at: '{limit} {value}',
  atOf: '{name}: {limit} {value}',
  hourly: '{limit} {min} bis {max}, stündlich',
  hourlyOf: '{name}: {limit} {min} bis {max}, stündlich',
}

export const chartPage: Translation<typeof english.chartPage> = {
  title: 'Diagramme',
  subtitle: 'Zeiten in {zone}',
  add: 'Datenpunkt hinzufügen',
  addHint: 'Name, Verbindung, Controller oder Maßeinheit',
  full: '{count, plural, one {Ein Diagramm zeigt höchstens # Datenpunkt.} other {Ein Diagramm zeigt höchstens # Datenpunkte.}}',
  nothing: 'Wählen Sie einen Datenpunkt für das Diagramm',
  nothingHint:
    'Fügen Sie bis zu {count} Datenpunkte hinzu. Die Adresse dieser Seite zeigt anderen dann dasselbe Diagramm.',
  noDatapoints: 'An diesem Standort ist noch nichts in Betrieb genommen',
  noDatapointsHint: 'Ein Administrator kann unter Einstellungen, Technische Systeme eine Inbetriebnahmedatei laden.',
  option: '{name} · {where}',
  optionIn: '{name} ({unit}) · {where}',
  compare: 'Vergleichen mit',
  comparisons: { none: 'Nichts', '1': 'Gestern', '7': 'Eine Woche zuvor', day: 'Anderer Tag' },
  compareDay: 'Vergleichstag ({zone})',
  sameDay: 'Diesen Tag zeigt das Diagramm bereits. Wählen Sie einen anderen.',
  compared:
    '{count, plural, one {Gestrichelte Linien: # Tag zuvor, nach der Uhr des Standorts.} other {Gestrichelte Linien: # Tage zuvor, nach der Uhr des Standorts.}}',
  comparedLater:
    '{count, plural, one {Gestrichelte Linien: # Tag später, nach der Uhr des Standorts.} other {Gestrichelte Linien: # Tage später, nach der Uhr des Standorts.}}',
  compareFailed: 'Die Vergleichswerte konnten nicht geladen werden',
  table: 'Tabelle',
  hideTable: 'Tabelle ausblenden',
  tableOf: 'Werte des Diagramms',
  tableStep: 'Jede Zeile umfasst {length}, in {zone}. Die CSV-Datei enthält jeden Schritt.',
  time: 'Zeit',
  cell: '{mean} ({min} bis {max})',
  column: '{name} ({unit})',
  csv: 'CSV',
  csvShown: 'Wie angezeigt, eine Zeile je {length}',
  csvRaw: 'Jeder archivierte Wert',
  csvTooMany:
    'Dieser Zeitraum hat {count} Werte, und eine Datei fasst höchstens {most}. Wählen Sie einen kürzeren Zeitraum.',
  csvFailed: 'Die Datei konnte nicht erstellt werden',
  csvTime: 'Zeit ({zone})',
  csvMean: '{name}, Mittelwert',
  csvMin: '{name}, niedrigster',
  csvMax: '{name}, höchster',
}

export const aroundHold: Translation<typeof english.aroundHold> = {
  title: 'Vorher und nachher',
  of: '{name}: {hold} · {times}',
  explained: 'Mittelwerte der archivierten Werte, für eine Stunde vor und eine Stunde nach dem Eingriff.',
  going: 'Der Eingriff dauert an, deshalb gibt es noch keine Zeit danach.',
  datapoint: 'Datenpunkt',
  before: 'Vorher',
  during: 'Während',
  after: 'Nachher',
  difference: 'Änderung',
  gone: 'Der Eingriff dieses Links wurde nicht gefunden',
  goneHint: 'Das Prüfprotokoll hat keinen Eingriff dieses Datenpunkts um {time}.',
  close: 'Diagramm ohne ihn anzeigen',
}

export const siteDay: Translation<typeof english.siteDay> = {
  title: 'Letzte 24 Stunden',
  power: 'Leistung des Standorts',
  powerOf: '{count, plural, one {{name}} other {Summe von # Zählern}}',
  allCharts: 'Mit diesen Werten arbeiten',
  nothing: 'An diesem Standort ist keine Leistung und kein Hauptmesswert gekennzeichnet.',
  nothingHint:
    'Geben Sie in der Inbetriebnahmedatei einem Zähler das Schlagwort site.power und bis zu drei anderen Datenpunkten site.main.',
  heldBy: '{count, plural, one {{writer}: # Eingriff} other {{writer}: # Eingriffe}}',
  someHolds: 'Mehr Eingriffe, als sich zeichnen lassen. Das Prüfprotokoll enthält alle.',
}

export const recent: Translation<typeof english.recent> = {
  steady: 'Letzte Stunde: {value}',
  between: 'Letzte Stunde: {min} bis {max}',
}
