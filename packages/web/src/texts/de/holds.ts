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
  actual: 'Die Anlage steht auf {value}',
  untilTime: 'Bis {time}',
  untilPassed: 'Hätte um {time} enden sollen. Der Controller hat es nicht bestätigt.',
  until: 'Bis {time} (noch {left})',
  untilAnyMoment: 'Bis {time} (endet jetzt)',
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
    'write-failed':
      'Das Schreiben an die Anlage ist fehlgeschlagen. Der Controller versucht es weiter, mindestens einmal pro Minute.',
    'not-taken': 'Die Anlage hat den Wert nicht übernommen.',
  },
  troubleBecause: {
    'write-failed':
      'Das Schreiben an die Anlage ist fehlgeschlagen ({reason}). Der Controller versucht es weiter, mindestens einmal pro Minute.',
    'not-taken': 'Die Anlage hat den Wert nicht übernommen ({reason}).',
  },
  fromTo: 'Von {from} bis {to}',
}
