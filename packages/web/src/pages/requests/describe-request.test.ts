import { describe, expect, test } from 'vitest'
import {
  languageName,
  mailedNotice,
  mailLink,
  mailNotice,
  nameOf,
  personLabel,
  phoneLink,
  recipientOf,
} from './describe-request.ts'

const mari = { email: 'mari@example.ee', name: 'Mari', phone: null }
const ME = 'jaan@example.ee'

describe('a person', () => {
  test('is called by name, address or phone number', () => {
    expect(nameOf(mari)).toBe('Mari')
    expect(nameOf({ ...mari, name: null })).toBe('mari@example.ee')
    expect(nameOf({ email: null, name: '  ', phone: '+372 5' })).toBe('+372 5')
    expect(nameOf({ email: null, name: null, phone: null })).toBeUndefined()
    expect(nameOf(null)).toBeUndefined()
  })

  test('is listed with name and address', () => {
    expect(personLabel(mari)).toBe('Mari (mari@example.ee)')
    expect(personLabel({ name: ' ', email: 'x@y.ee' })).toBe('x@y.ee')
  })
})

describe('a staff comment', () => {
  test('is mailed to the reporter', () => {
    expect(recipientOf(mari, ME)).toBe('mari@example.ee')
    expect(mailNotice(mari, ME, true)).toBe('The comment will be mailed to mari@example.ee.')
  })

  test('is not mailed when the reporter writes it', () => {
    expect(recipientOf(mari, 'MARI@example.ee')).toBeNull()
    expect(mailNotice(mari, 'MARI@example.ee', true)).toBe('The comment will not be mailed: you are the reporter.')
  })

  test('is not sent without a mail server, before and after', () => {
    expect(mailNotice(mari, ME, false)).toBe(
      'The comment will not be sent to mari@example.ee: no mail server is set up.',
    )
    expect(mailedNotice('mari@example.ee', false)).toBe(
      'Your comment was added. Not sent to mari@example.ee: no mail server is set up.',
    )
    expect(mailedNotice('mari@example.ee', true)).toContain('is being mailed to mari@example.ee')
    expect(mailedNotice(null, false)).toBe('Your comment was added. It is not mailed.')
  })

  test('is not mailed without an address, and says why', () => {
    expect(mailNotice(null, ME, true)).toBe('The comment will not be mailed: this request has no reporter.')
    expect(mailNotice({ ...mari, email: null }, ME, true)).toBe(
      'The comment will not be mailed: Mari has no e-mail address.',
    )
  })
})

test('a language is shown by name, or unchanged when it is unknown', () => {
  expect(['et', 'en-GB', 'zz', 'not one', ''].map(languageName)).toEqual([
    'Estonian (et)',
    'British English (en-GB)',
    'zz',
    'not one',
    '',
  ])
})

test('a mail link has only its own recipient', () => {
  expect(mailLink('mari@example.ee')).toBe('mailto:mari@example.ee')
  expect(mailLink('x@y.ee?bcc=z@w.ee&body=hi')).toBe('mailto:x@y.ee%3Fbcc%3Dz@w.ee%26body%3Dhi')
})

test('a phone link dials the digits', () => {
  expect(phoneLink('+372 (5) 123-45')).toBe('tel:+372512345')
  expect(phoneLink('ask at the desk')).toBeUndefined()
})
