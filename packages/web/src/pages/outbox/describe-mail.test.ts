import { expect, test } from 'vitest'
import { describeMail } from './describe-mail.ts'

test.each([
  [{ state: 'waiting', attempts: 0, sentAt: null }, 'Waiting to be sent'],
  [{ state: 'waiting', attempts: 3, sentAt: null }, 'Waiting for another attempt (3 so far)'],
  [{ state: 'sent', attempts: 1, sentAt: '2026-01-01T00:00:00Z' }, 'Sent at 2026-01-01T00:00:00Z'],
  [{ state: 'failed', attempts: 1, sentAt: null }, 'Failed after 1 attempt'],
  [{ state: 'failed', attempts: 75, sentAt: null }, 'Failed after 75 attempts'],
] as const)('%j: %s', (mail, text) => expect(describeMail(mail, (at) => `at ${at}`)).toBe(text))

test('a mail that waits is not sent without a mail server', () => {
  const mail = { state: 'waiting', attempts: 0, sentAt: null } as const
  expect(describeMail(mail, String, false)).toBe('Not sent: no mail server is set up')
  const sent = { state: 'sent', attempts: 1, sentAt: '2026-01-01T00:00:00Z' } as const
  expect(describeMail(sent, String, false)).toBe('Sent 2026-01-01T00:00:00Z')
})
