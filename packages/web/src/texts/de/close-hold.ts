import type * as english from '../close-hold.ts'
import type { Translation } from '../translation.ts'

export const closeHold: Translation<typeof english.closeHold> = {
  title: 'Eingriff an {name} abschließen?',
  notRestored: 'Der Controller konnte {name} nicht auf {value} zurücksetzen.',
  notKnown: 'Der Controller kann {name} nicht zurücksetzen: Der vorherige Wert ist unbekannt.',
  lastRead: 'Zuletzt gelesen: {value}, vor {age} ({time}).',
  neverRead: 'Der Controller hat diesen Datenpunkt nicht gelesen.',
  writeOnly: 'Dieser Datenpunkt lässt sich nur schreiben. Niemand kann ablesen, was an der Anlage eingestellt ist.',
  outcome: 'Was mit der Anlage geschehen ist',
  outcomes: { 'restored-by-hand': 'Von Hand zurückgesetzt', abandoned: 'Aufgegeben' },
  outcomeHints: {
    'restored-by-hand': 'Jemand hat die Anlage auf den Wert gestellt, den sie haben soll.',
    abandoned:
      'Die Anlage bleibt, wie sie ist, zum Beispiel weil es sie nicht mehr gibt oder etwas anderes sie steuert.',
  },
  reason: 'Grund',
  reasonHint: 'Das Prüfprotokoll und die Aktivitäten bewahren ihn mit Ihrem Namen auf.',
  nothingWritten:
    'Plantroom schreibt nichts mehr an diese Anlage, bis eine Übersteuerung, die Spitzenlastbegrenzung oder ein Zeitprogramm sie wieder übernimmt.',
  offline:
    'Der Controller antwortet nicht. Der Eingriff liegt auf dem Controller: Schließen Sie ihn ab, wenn der Controller zurück ist.',
  gone: 'Dieser Eingriff ist bereits vorbei. Es gibt nichts abzuschließen.',
  action: 'Eingriff abschließen',
  done: 'Eingriff an {name} abgeschlossen',
}
