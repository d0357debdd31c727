import type * as english from '../reports.ts'
import type { Translation } from '../translation.ts'

export const reports: Translation<typeof english.reports> = {
  beforeAndAfter: 'Vorher und nachher',
  title: 'Prüfprotokoll',
  about: 'Was Demand Response, Spitzenlastbegrenzung und Zeitprogramme mit den Anlagen dieses Standorts getan haben.',
  listLabel: 'Einträge des Prüfprotokolls, neueste zuerst',
  time: 'Zeit',
  happened: 'Ereignis',
  device: 'Controller',
  system: 'Technisches System',
  datapoint: 'Datenpunkt',
  value: 'Wert',
  code: 'Art',
  from: 'Von',
  to: 'Bis (ausschließlich)',
  zone: 'Zeiten gelten in der Zeitzone des Standorts ({zone}).',
  anyDevice: 'Alle Controller',
  anySystem: 'Alle Systeme',
  anyDatapoint: 'Alle Datenpunkte',
  anyCode: 'Alle Arten',
  datapointOn: '{name} ({connection})',
  filtersLabel: 'Filter',
  clearFilters: 'Filter löschen',
  emptyRange: '„Von“ muss vor „Bis“ liegen.',
  refresh: 'Aktualisieren',
  updatedAt: 'Stand {time}',
  updatesStopped:
    'Diese lange Liste aktualisiert sich nicht mehr automatisch. Drücken Sie Aktualisieren, um neuere Einträge zu sehen.',
  download: 'CSV herunterladen',
  noneAtAll: 'Noch keine Einträge',
  noneAtAllHint:
    'Ein Eintrag erscheint, wenn Demand Response, Spitzenlastbegrenzung oder ein Zeitprogramm einen Datenpunkt dieses Standorts ändert.',
  noneMatch: 'Kein Eintrag passt zu diesen Filtern',
  noneMatchHint: 'Verwenden Sie weniger Filter oder einen längeren Zeitraum.',
  shown: '{count, plural, one {# Eintrag} other {# Einträge}}',
  shownOfMore: '{count, plural, one {Der neueste Eintrag} other {Die neuesten # Einträge}}',
  notCommissioned: '{id} (nicht mehr eingerichtet)',
  removedDevice: '{id} (entfernt)',
  namesFailed: 'Die Namen einiger Datenpunkte konnten nicht geladen werden',
  ids: 'Kennungen',
  overrideId: 'Übersteuerung',
  requestId: 'Anfrage',
  datapointId: 'Datenpunkt',
  entryId: 'Eintrag',
}

export const codes: Translation<typeof english.codes> = {
  4000: '4000 Spitzenlastbegrenzung',
  4001: '4001 Zeitprogramm der Cloud',
  4005: '4005 Demand Response',
}

export const titles: Translation<typeof english.titles> = {
  4000: 'Anpassung durch Spitzenlastbegrenzung',
  4001: 'Anpassung durch Zeitprogramm der Cloud',
  4005: 'Anpassung durch Demand Response',
}

export const phases: Translation<typeof english.phases> = {
  applied: 'Angewendet',
  released: 'Freigegeben',
  'write-failed': 'Schreiben fehlgeschlagen',
  'not-taken': 'Von der Anlage nicht übernommen',
  limited: 'Durch die Grenzwerte des Datenpunkts begrenzt',
  interval: 'Intervall einer Leistungsbegrenzung',
  tested: 'Getestet',
}

export const began: Translation<typeof english.began> = {
  4000: 'Der Zähler lag über dem Grenzwert',
  4001: 'Das Zeitfenster des Zeitprogramms hat begonnen',
  4005: 'Die Übersteuerung hat begonnen',
}

export const over: Translation<typeof english.over> = {
  4000: 'Die Last wurde wieder zugeschaltet',
  4001: 'Das Zeitfenster des Zeitprogramms ist beendet',
  4005: 'Die Übersteuerung ist beendet',
}

export const reasons: Translation<typeof english.reasons> = {
  window: 'Die Übersteuerung hat begonnen',
  cancelled: 'Die Übersteuerung wurde abgebrochen',
  cancelledBefore: 'Die Übersteuerung wurde abgebrochen, bevor sie aktiv wurde',
  outranked: 'Die Übersteuerung endete, während eine spätere aktiv war',
  superseded: 'Eine andere Stelle hat übernommen',
  restart: 'Die Übersteuerung endete, während der Controller aus war',
  replaced: 'Ein neuer Controller hat die Übersteuerung vom vorigen übernommen',
  differs: 'Die Anlage zeigt weder den Sollwert noch den vorherigen Wert',
  'restored-by-hand': 'Eine Person hat die Anlage von Hand zurückgesetzt und den Eingriff abgeschlossen',
  abandoned: 'Eine Person hat den Eingriff abgeschlossen, ohne die Anlage zurückzusetzen',
  limited: 'Die Grenzwerte des Datenpunkts haben den geschriebenen Wert geändert',
  whileHeld: 'Während der Datenpunkt auf diesem Wert gehalten wurde',
  whileReleasing: 'Während der Datenpunkt freigegeben wurde: Die Anlage hat vielleicht noch den anderen Wert',
}

export const callers: Translation<typeof english.callers> = {
  placed: {
    by: 'Gesetzt von {name}',
    byBecause: 'Gesetzt von {name}: {reason}',
    because: 'Gesetzt: {reason}',
  },
  cancelled: {
    by: 'Abgebrochen von {name}',
    byBecause: 'Abgebrochen von {name}: {reason}',
    because: 'Abgebrochen: {reason}',
  },
  closed: {
    by: 'Abgeschlossen von {name}',
    byBecause: 'Abgeschlossen von {name}: {reason}',
    because: 'Abgeschlossen: {reason}',
  },
}

export const sources: Translation<typeof english.sources> = {
  outranks: {
    alone: 'Priorität {priority} der Anlage geht diesem Controller vor',
    withValue: 'Priorität {priority} der Anlage hält {value} und geht diesem Controller vor',
  },
  follows: {
    alone: 'Die Anlage folgt jetzt der Priorität {priority}',
    withValue: 'Die Anlage folgt jetzt der Priorität {priority} mit {value}',
  },
}

export const changes: Translation<typeof english.changes> = {
  notKnown: 'unbekannt',
  applied: '{before} → {value}',
  backTo: 'Zurück auf {value}',
  givenOn: 'Jetzt {value} ({before} vor diesem Eingriff)',
  nothingWritten: 'Nichts wurde geschrieben',
  wanted: 'Verlangt: {value} ({before} vor diesem Eingriff)',
  readBack: 'Zurückgelesen: {value}',
  wrote: 'Geschrieben: {value}',
  byHand: 'Von Hand zurückgesetzt',
  abandoned: 'Gelassen, wie es ist',
  lastRead: 'Zuletzt gelesen: {value}',
}
