import type * as english from '../holds.ts'
import type { Translation } from '../translation.ts'

export const holds: Translation<typeof english.holds> = {
  writer: {
    'demand-response': 'Demand Response',
    'peak-shaving': 'Spitzenlastbegrenzung',
    deviation: 'Zeitprogramm',
    plain: 'Wird freigegeben',
  },
  holder: '{writer}, gesetzt von {name}',
  placedBy: 'Gesetzt von {name}',
  heldAt: 'Gehalten auf {value}',
  returningTo: 'Geht zurück auf {value}',
  actual: 'Die Anlage steht auf {value}',
  untilTime: 'Bis {time}',
  untilPassed: 'Hätte um {time} enden sollen. Der Controller hat es nicht bestätigt.',
  until: 'Bis {time} (noch {left})',
  untilAnyMoment: 'Bis {time} (endet jetzt)',
  untilOverdue: 'Hätte um {time} enden sollen. Der Controller hält noch.',
  untilBelowLimit: 'Bis die Last unter ihrem Grenzwert liegt',
  untilScheduleEnds: 'Bis das Zeitfenster des Zeitprogramms endet',
  untilReleased: 'Bis zur Freigabe',
  thenBackTo: 'Dann zurück auf {value}',
  thenLeft: 'Dann bleibt es, wie es ist: Der vorherige Wert ist unbekannt',
  thenHeld: {
    'demand-response': 'Dann hält Demand Response {value}',
    'peak-shaving': 'Dann hält die Spitzenlastbegrenzung {value}',
    deviation: 'Dann hält das Zeitprogramm {value}',
  },
  thenTakesOver: {
    'demand-response': 'Dann übernimmt Demand Response',
    'peak-shaving': 'Dann übernimmt die Spitzenlastbegrenzung',
    deviation: 'Dann übernimmt das Zeitprogramm',
  },
  trouble: {
    'write-failed': 'Das Schreiben an die Anlage ist fehlgeschlagen.',
    'not-taken': 'Die Anlage hat den Wert nicht übernommen.',
  },
  troubleBecause: {
    'write-failed': 'Das Schreiben an die Anlage ist fehlgeschlagen ({reason}).',
    'not-taken': 'Die Anlage hat den Wert nicht übernommen ({reason}).',
  },
  retrying: 'Der Controller versucht es weiter, mindestens einmal pro Minute.',
  state: {
    reading: 'Liest zuerst',
    waiting: 'Wartet auf Grenzwerte',
    writing: 'Schreibt',
    holding: 'Hält',
    releasing: 'Gibt frei',
    stuck: 'Nicht zurücksetzbar',
  },
  stateHint: {
    reading: 'Der Controller hat den vorherigen Wert noch nicht gelesen. Bis dahin schreibt er nichts.',
    waiting:
      'Die Grenzwerte des Datenpunkts erlauben den Wert noch nicht. Der Controller schreibt ihn, sobald sie es tun.',
    writing: 'Die Anlage zeigt den Wert noch nicht.',
    holding: 'Die Anlage zeigt den Wert.',
    releasing: 'Der Controller stellt den vorherigen Wert wieder her. Die Anlage zeigt ihn noch nicht.',
    stuck:
      'Der Controller kann den vorherigen Wert nicht wiederherstellen. Stellen Sie die Anlage von Hand ein, und schließen Sie dann den Eingriff ab.',
  },
  releaseWaits: 'Die Freigabe wartet auf den Controller.',
  close: 'Eingriff abschließen…',
  closeOf: 'Eingriff an {name} abschließen…',
  fromTo: 'Von {from} bis {to}',
}

export const unanswered: Translation<typeof english.unanswered> = {
  ends: 'Ist nur seine Verbindung gestört, beendet der Controller dies pünktlich.',
  ended: 'Ist nur seine Verbindung gestört, hat der Controller dies um {time} beendet.',
  goesOn: 'Ist nur seine Verbindung gestört, macht der Controller weiter wie bisher.',
  releases: 'Ist nur seine Verbindung gestört, versucht der Controller weiter, den Wert wiederherzustellen.',
  staysAt: 'Hat er keinen Strom, bleibt die Anlage auf {value}: Sehen Sie vor Ort nach.',
  stays: 'Hat er keinen Strom, bleibt die Anlage, wie sie ist: Sehen Sie vor Ort nach.',
  reversion:
    'Hat er keinen Strom, sollte der Failsafe der Anlage dies innerhalb von {time} beenden. Sehen Sie vor Ort nach, wenn Sie sicher sein müssen.',
  heartbeat:
    'Hat er keinen Strom, fehlt der Anlage sein Lebenszeichen, und sie sollte auf ihren Failsafe zurückfallen. Sehen Sie vor Ort nach, wenn Sie sicher sein müssen.',
}
