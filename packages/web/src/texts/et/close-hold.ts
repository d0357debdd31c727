import type * as english from '../close-hold.ts'
import type { Translation } from '../translation.ts'

export const closeHold: Translation<typeof english.closeHold> = {
  title: 'Kas lõpetada hoidmine: {name}?',
  notRestored: 'Kontroller ei saanud andmepunkti {name} taastada väärtusele {value}.',
  notKnown: 'Kontroller ei saa andmepunkti {name} taastada: varasem väärtus pole teada.',
  lastRead: 'Viimati loetud: {value}, {age} tagasi ({time}).',
  neverRead: 'Kontroller pole seda andmepunkti lugenud.',
  writeOnly: 'Seda andmepunkti saab ainult kirjutada. Keegi ei saa lugeda, mis väärtus seadmel on.',
  outcome: 'Mis seadmega juhtus',
  outcomes: { 'restored-by-hand': 'Käsitsi taastatud', abandoned: 'Loobutud' },
  outcomeHints: {
    'restored-by-hand': 'Keegi on seadnud seadme väärtusele, mis sellel olema peab.',
    abandoned: 'Seade jääb nii, nagu on, näiteks sest seda enam pole või seda juhib miski muu.',
  },
  reason: 'Põhjus',
  reasonHint: 'See jääb koos teie nimega auditilogisse ja tegevuste logisse.',
  nothingWritten:
    'Plantroom ei kirjuta sellesse seadmesse enam midagi, kuni ülekirjutus, tipukoormuse piiramine või ajakava selle uuesti üle võtab.',
  offline: 'Kontroller ei vasta. Hoidmine on kontrolleris: lõpetage see, kui kontroller on tagasi.',
  gone: 'See hoidmine on juba läbi. Midagi pole lõpetada.',
  action: 'Lõpeta hoidmine',
  done: 'Hoidmine on lõpetatud: {name}',
}
