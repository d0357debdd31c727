import { expect, test } from 'vitest'
import { languageName, mailLink, phoneLink } from './detail-text.ts'

test('a language has its name, and stays as it is where nobody knows it', () => {
  expect(['et', 'en-GB', 'zz', 'not one', ''].map(languageName)).toEqual([
    'Estonian (et)',
    'British English (en-GB)',
    'zz',
    'not one',
    '',
  ])
})

test('a link to an address writes to that address, and to nobody else', () => {
  expect(mailLink('mari@example.ee')).toBe('mailto:mari@example.ee')
  expect(mailLink('x@y.ee?bcc=z@w.ee&body=hi')).toBe('mailto:x@y.ee%3Fbcc%3Dz@w.ee%26body%3Dhi')
})

test('a link to a phone dials what can be dialled', () => {
  expect(phoneLink('+372 (5) 123-45')).toBe('tel:+372512345')
  expect(phoneLink('ask at the desk')).toBeUndefined()
})
