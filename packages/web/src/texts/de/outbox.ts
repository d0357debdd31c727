import type * as english from '../outbox.ts'
import type { Translation } from '../translation.ts'

export const outbox: Translation<typeof english.outbox> = {
  title: 'Postausgang',
  intro: 'Kommentare an meldende und erwähnte Personen, neueste zuerst. Importe senden keine E-Mails.',
  forManagers: 'Nur Manager und Admins können den Postausgang sehen, weil er Unterhaltungen zitiert.',
  label: 'E-Mails dieses Standorts',
  subject: 'Betreff',
  to: 'An',
  about: 'Anfrage',
  request: 'Anfrage {number}',
  gone: 'Keine Anfrage',
  state: 'Status',
  when: 'Geschrieben',
  sent: 'Gesendet',
  sentAt: 'Gesendet {time}',
  notSent: 'Nicht gesendet: kein Mailserver eingerichtet',
  noServer: 'E-Mails werden nicht gesendet: Es ist kein Mailserver eingerichtet',
  noServerHint: 'Der Betreiber des Dienstes setzt SMTP_URL und startet ihn neu. Wartende E-Mails werden dann gesendet.',
  waiting: 'Wartet auf den Versand',
  waitingAgain:
    '{count, plural, one {Wartet auf einen weiteren Versuch (bisher #)} other {Wartet auf einen weiteren Versuch (bisher #)}}',
  failed: '{count, plural, one {Nach # Versuch fehlgeschlagen} other {Nach # Versuchen fehlgeschlagen}}',
  error: 'Antwort des Mailservers',
  empty: 'Noch keine E-Mails',
  emptyHint: 'Kommentare zu einer Anfrage gehen per E-Mail an die meldende Person und erscheinen hier.',
  notThere: 'Diese E-Mail ist nicht im Postausgang',
}
