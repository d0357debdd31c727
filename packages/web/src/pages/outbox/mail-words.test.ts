import { expect, test } from 'vitest'
import { stateOf } from './mail-words.ts'

test.each([
  [{ state: 'waiting', attempts: 0, sentAt: null }, 'Waits to be sent'],
  [{ state: 'waiting', attempts: 3, sentAt: null }, 'Waits for another attempt (3 so far)'],
  [{ state: 'sent', attempts: 1, sentAt: '2026-01-01T00:00:00Z' }, 'Sent at 2026-01-01T00:00:00Z'],
  [{ state: 'failed', attempts: 1, sentAt: null }, 'Given up'],
  [{ state: 'failed', attempts: 75, sentAt: null }, 'Given up after 75 attempts'],
] as const)('%j: %s', (mail, words) => expect(stateOf(mail, (at) => `at ${at}`)).toBe(words))
