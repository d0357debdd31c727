import type * as english from '../outbox.ts'
import type { Translation } from '../translation.ts'

export const outbox: Translation<typeof english.outbox> = {
  title: 'Väljuvad kirjad',
  intro:
    'Töötajate kommentaarid, mis saadetakse taotluse teatajale ja mainitud inimestele, uuemad ees. Import ei saada e-kirju.',
  forManagers: 'Väljuvaid kirju näevad ainult haldurid ja administraatorid, sest need tsiteerivad vestlusi.',
  label: 'Selle objekti e-kirjad',
  subject: 'Teema',
  to: 'Saaja',
  about: 'Taotlus',
  request: 'Taotlus {number}',
  gone: 'Taotlust pole',
  state: 'Olek',
  when: 'Kirjutatud',
  sent: 'Saadetud',
  sentAt: 'Saadetud {time}',
  notSent: 'Saatmata: e-posti server on seadistamata',
  noServer: 'E-kirju ei saadeta: e-posti server on seadistamata',
  noServerHint: 'Teenusepakkuja määrab SMTP_URL-i ja taaskäivitab teenuse. Siin ootavad kirjad saadetakse siis.',
  waiting: 'Ootab saatmist',
  waitingAgain: '{count, plural, one {Ootab uut katset (seni #)} other {Ootab uut katset (seni #)}}',
  failed: '{count, plural, one {Ebaõnnestus pärast # katset} other {Ebaõnnestus pärast # katset}}',
  error: 'E-posti serveri vastus',
  empty: 'E-kirju veel pole',
  emptyHint: 'Töötajate kommentaarid saadetakse taotluse teatajale e-kirjaga ja loetletakse siin.',
  notThere: 'Seda e-kirja pole väljuvate kirjade hulgas',
}
