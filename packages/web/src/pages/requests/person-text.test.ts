import { describe, expect, test } from 'vitest'
import { isSameAddress, mailNotice, nameOf, personLabel, recipientOf } from './person-text.ts'

const mari = { email: 'mari@example.ee', name: 'Mari', phone: null }
const ME = 'jaan@example.ee'

describe('somebody', () => {
  test('is called by the best that is known', () => {
    expect(nameOf(mari)).toBe('Mari')
    expect(nameOf({ ...mari, name: null })).toBe('mari@example.ee')
    expect(nameOf({ email: null, name: '  ', phone: '+372 5' })).toBe('+372 5')
    expect(nameOf({ email: null, name: null, phone: null })).toBeUndefined()
    expect(nameOf(null)).toBeUndefined()
  })

  test('is chosen by name and address', () => {
    expect(personLabel(mari)).toBe('Mari (mari@example.ee)')
    expect(personLabel({ name: ' ', email: 'x@y.ee' })).toBe('x@y.ee')
  })

  test('is the same whatever the case of the address', () => {
    expect(isSameAddress('Mari@Example.ee', 'mari@example.EE')).toBe(true)
    expect(isSameAddress(null, null)).toBe(false)
  })
})

describe('a comment', () => {
  test('is mailed to the reporter', () => {
    expect(recipientOf(mari, ME)).toBe('mari@example.ee')
    expect(mailNotice(mari, ME)).toBe('It will be mailed to mari@example.ee.')
  })

  test('is mailed to nobody where the reporter writes', () => {
    expect(recipientOf(mari, 'MARI@example.ee')).toBeNull()
    expect(mailNotice(mari, 'MARI@example.ee')).toBe('Nobody is mailed: you are the reporter.')
  })

  test('is mailed to nobody where there is no address, and says why', () => {
    expect(mailNotice(null, ME)).toBe('Nobody is mailed: this request has no reporter.')
    expect(mailNotice({ ...mari, email: null }, ME)).toBe('Nobody is mailed: there is no e-mail address of Mari.')
  })
})
