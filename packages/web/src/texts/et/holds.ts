import type * as english from '../holds.ts'
import type { Translation } from '../translation.ts'

export const holds: Translation<typeof english.holds> = {
  writer: {
    'demand-response': 'Tarbimiskaja',
    'peak-shaving': 'Tipukoormuse piiramine',
    deviation: 'Ajakava',
    plain: 'Vabastatakse',
  },
  holder: '{writer}, määras {name}',
  placedBy: 'Määras {name}',
  heldAt: 'Hoitakse väärtusel {value}',
  actual: 'Seadme väärtus on {value}',
  untilTime: 'Kuni {time}',
  untilPassed: 'Pidi lõppema {time}. Kontroller pole seda kinnitanud.',
  until: 'Kuni {time} (jäänud {left})',
  untilAnyMoment: 'Kuni {time} (lõpeb kohe)',
  untilBelowLimit: 'Kuni koormus on alla piiri',
  untilScheduleEnds: 'Kuni ajakava ajavahemik lõpeb',
  untilReleased: 'Kuni vabastamiseni',
  thenBackTo: 'Seejärel tagasi väärtusele {value}',
  thenLeft: 'Seejärel jääb nii, nagu on: eelmine väärtus pole teada',
  thenHeld: {
    'demand-response': 'Seejärel hoiab tarbimiskaja väärtust {value}',
    'peak-shaving': 'Seejärel hoiab tipukoormuse piiramine väärtust {value}',
    deviation: 'Seejärel hoiab ajakava väärtust {value}',
  },
  thenTakesOver: {
    'demand-response': 'Seejärel võtab üle tarbimiskaja',
    'peak-shaving': 'Seejärel võtab üle tipukoormuse piiramine',
    deviation: 'Seejärel võtab üle ajakava',
  },
  trouble: {
    'write-failed': 'Seadmesse kirjutamine ebaõnnestus. Kontroller proovib edasi, vähemalt kord minutis.',
    'not-taken': 'Seade ei võtnud väärtust vastu.',
  },
  troubleBecause: {
    'write-failed': 'Seadmesse kirjutamine ebaõnnestus ({reason}). Kontroller proovib edasi, vähemalt kord minutis.',
    'not-taken': 'Seade ei võtnud väärtust vastu ({reason}).',
  },
  fromTo: '{from} kuni {to}',
}
