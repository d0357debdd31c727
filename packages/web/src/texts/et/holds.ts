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
  returningTo: 'Läheb tagasi väärtusele {value}',
  actual: 'Seadme väärtus on {value}',
  untilTime: 'Kuni {time}',
  untilPassed: 'Pidi lõppema {time}. Kontroller pole seda kinnitanud.',
  until: 'Kuni {time} (jäänud {left})',
  untilAnyMoment: 'Kuni {time} (lõpeb kohe)',
  untilOverdue: 'Pidi lõppema {time}. Kontroller hoiab endiselt.',
  untilBelowLimit: 'Kuni koormus on alla piiri',
  untilScheduleEnds: 'Kuni ajakava ajavahemik lõpeb',
  untilReleased: 'Kuni vabastamiseni',
  thenBackTo: 'Seejärel tagasi väärtusele {value}',
  thenLeft: 'Seejärel jääb nii, nagu on: varasem väärtus pole teada',
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
    'write-failed': 'Seadmesse kirjutamine ebaõnnestus.',
    'not-taken': 'Seade ei võtnud väärtust vastu.',
  },
  troubleBecause: {
    'write-failed': 'Seadmesse kirjutamine ebaõnnestus ({reason}).',
    'not-taken': 'Seade ei võtnud väärtust vastu ({reason}).',
  },
  retrying: 'Kontroller proovib edasi, vähemalt kord minutis.',
  state: {
    reading: 'Loeb enne',
    waiting: 'Ootab piiride tõttu',
    writing: 'Kirjutab',
    holding: 'Hoiab',
    releasing: 'Vabastab',
    stuck: 'Ei saa taastada',
  },
  stateHint: {
    reading: 'Kontroller pole varasemat väärtust veel lugenud. Seni ei kirjuta see midagi.',
    waiting: 'Andmepunkti piirid ei luba väärtust veel. Kontroller kirjutab selle kohe, kui need lubavad.',
    writing: 'Seade ei näita väärtust veel.',
    holding: 'Seade näitab väärtust.',
    releasing: 'Kontroller taastab varasemat väärtust. Seade ei näita seda veel.',
    stuck: 'Kontroller ei saa varasemat väärtust taastada. Seadke seadme väärtus käsitsi ja lõpetage siis hoidmine.',
  },
  releaseWaits: 'Vabastamine ootab kontrollerit.',
  close: 'Lõpeta hoidmine…',
  closeOf: 'Lõpeta hoidmine: {name}…',
  fromTo: '{from} kuni {to}',
}

export const unanswered: Translation<typeof english.unanswered> = {
  ends: 'Kui katkenud on ainult ühendus, lõpetab kontroller selle õigel ajal.',
  ended: 'Kui katkenud on ainult ühendus, lõpetas kontroller selle {time}.',
  goesOn: 'Kui katkenud on ainult ühendus, jätkab kontroller nagu seni.',
  releases: 'Kui katkenud on ainult ühendus, püüab kontroller väärtust edasi taastada.',
  staysAt: 'Kui kontrolleril pole voolu, jääb seade väärtusele {value}: minge kohale.',
  stays: 'Kui kontrolleril pole voolu, jääb seade nii, nagu on: minge kohale.',
  reversion:
    'Kui kontrolleril pole voolu, peaks seadme rikkekindlus selle lõpetama {time} jooksul. Minge kohale, kui peate kindel olema.',
  heartbeat:
    'Kui kontrolleril pole voolu, ei saa seade enam elumärki ja peaks rikkekindluse tõttu ise tagasi minema. Minge kohale, kui peate kindel olema.',
}
