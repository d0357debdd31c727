import { describe, expect, test } from 'vitest'
import { anyCase, foldEmail, isSameEmail } from './fold-email.ts'

describe('the key of an email', () => {
  test.each([
    ['Mari@Example.EE', 'mari@example.ee'],
    ['ÕIE@example.ee', 'õie@example.ee'],
    ['o\u0303ie@example.ee', 'õie@example.ee'],
    ['J\u030C@example.ee', '\u01F0@example.ee'],
    ['ΝΙΚΟΣ@example.gr', 'νικος@example.gr'],
    ['ИВАН@example.bg', 'иван@example.bg'],
  ])('of %s is %s', (email, key) => {
    expect(foldEmail(email)).toBe(key)
    expect(foldEmail(key)).toBe(key)
  })

  test('tells different letters apart', () => {
    const emails = ['oie@example.ee', 'õie@example.ee', 'öie@example.ee', 'strasse@example.de', 'straße@example.de']
    expect(new Set(emails.map(foldEmail)).size).toBe(emails.length)
    expect(isSameEmail('Õ@example.ee', 'õ@example.ee')).toBe(true)
    expect(isSameEmail('õ@example.ee', 'o@example.ee')).toBe(false)
    expect(isSameEmail(null, null)).toBe(false)
  })
})

test('a pattern for any case has both cases of each letter and nothing special', () => {
  expect(anyCase('Õ1.a_(ß)')).toBe('[Õõ]1\\.[aA]_\\(ß\\)')
})
