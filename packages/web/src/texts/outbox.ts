import { catalogue } from './language.ts'

/** The mail outbox. */
export const outbox = catalogue('outbox', {
  title: 'Mail outbox',
  intro:
    'Staff comments mailed to the reporters of requests and to mentioned people, newest first. Imports send no mail.',
  forManagers: 'Only managers and admins can see the outbox, because it quotes conversations.',
  label: 'Mail of this site',
  subject: 'Subject',
  to: 'To',
  about: 'Request',
  request: 'Request {number}',
  gone: 'No request',
  state: 'State',
  when: 'Written',
  sent: 'Sent',
  sentAt: 'Sent {time}',
  notSent: 'Not sent: no mail server is set up',
  noServer: 'Mail is not sent: no mail server is set up',
  noServerHint: 'The operator of the service sets SMTP_URL and restarts it. Mail that waits here is sent then.',
  waiting: 'Waiting to be sent',
  waitingAgain:
    '{count, plural, one {Waiting for another attempt (# so far)} other {Waiting for another attempt (# so far)}}',
  failed: '{count, plural, one {Failed after # attempt} other {Failed after # attempts}}',
  error: 'Answer of the mail server',
  empty: 'No mail yet',
  emptyHint: 'Staff comments on a request are mailed to its reporter and listed here.',
  notThere: 'This mail is not in the outbox',
})
