import type * as english from '../calendar.ts'
import type { Translation } from '../translation.ts'

export const calendar: Translation<typeof english.calendar> = {
  title: 'Kalender',
  intro: 'Übersteuerungen und Zeitprogramme dieses Standorts, in seiner Zeit ({zone}).',
  views: { week: 'Woche', day: 'Tag' },
  view: 'Ansicht',
  previous: 'Früher',
  next: 'Später',
  today: 'Heute',
  date: 'Datum',
  period: '{from} bis {to}',
  clockChange:
    '{count, plural, one {Die Uhren werden umgestellt: Dieser Tag hat # Stunde.} other {Die Uhren werden umgestellt: Dieser Tag hat # Stunden.}}',
  empty: 'Keine Zeitprogramme und keine Übersteuerungen in diesem Zeitraum',
  cut: 'Es gibt mehr vergangene Übersteuerungen, als der Kalender zeigt. Wählen Sie einen kürzeren Zeitraum.',
  notKnown:
    'Aktive und eingeplante Übersteuerungen von {controllers} sind unbekannt, weil der Controller nicht antwortet.',
  legendSchedule: 'Zeitprogramm',
  legendOverride: 'Übersteuerung: {state}',
  states: { active: 'Aktiv', queued: 'Eingeplant', superseded: 'Verdrängt', ended: 'Beendet' },
  bar: 'Übersteuerung von {name} ({state}): {value}, {from} bis {to}',
  band: 'Zeitprogramm von {name}: {value}, {from} bis {to}',
  row: '{name} am Controller {controller}',
  more: '{count} weitere Datenpunkte anzeigen',
  nothingOnDay: 'Nichts an diesem Tag.',
  scheduled: 'Zeitprogramm: {value}',
  overridden: 'Übersteuerung: {value}',
  times: '{from} bis {to}',
  details: 'Einzelheiten',
  detailsOf: 'Einzelheiten der Übersteuerung von {name}, {from} bis {to}',
  placedBy: 'Gesetzt von {name}',
  reason: 'Grund: {reason}',
  toDevice: 'Controller öffnen',
  release: 'Freigeben',
  cancelQueued: 'Übersteuerung abbrechen',
  releaseHint:
    'Die Freigabe beendet diese Übersteuerung jetzt. Dann übernimmt eine andere Übersteuerung, die Spitzenlastbegrenzung, das Zeitprogramm oder der Grundwert.',
  queuedHint: 'Diese Übersteuerung wird entfernt, bevor sie den Datenpunkt hält.',
  released: 'Übersteuerung von {name} beendet',
}
