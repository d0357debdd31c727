import { describe, expect, test } from 'vitest'
import { PERSON_EMAIL, readPerson, shownPerson } from './person.ts'

const named = (name: string | null, changes = {}) => ({ email: null, name, phone: null, ...changes })

describe('a person', () => {
  test('may have a single field', () => {
    expect(readPerson({ name: 'Mari' }, 'author')).toEqual(named('Mari'))
    expect(readPerson({ email: 'm@ex.ee' }, 'author')).toEqual(named(null, { email: 'm@ex.ee' }))
    expect(readPerson({ phone: '5', name: null }, 'author')).toEqual(named(null, { phone: '5' }))
  })

  test('is null when not given', () => {
    expect(readPerson(null, 'author')).toBeNull()
    expect(readPerson(undefined, 'author')).toBeNull()
  })

  test.each([[{}], [{ name: ' ' }], [{ name: '', phone: '\t', email: null }]])(
    'without any field is rejected: %j',
    (given) => {
      expect(() => readPerson(given, 'author')).toThrow('author must have an email, a name or a phone, or be null')
    },
  )

  test('of the site is shown with the data of the site', () => {
    const said = { email: 'old@ex.ee', name: 'M.', phone: '5' }
    expect(shownPerson({ email: 'Mari@ex.ee', name: 'Mari', phone: null }, said)).toEqual({
      email: 'Mari@ex.ee',
      name: 'Mari',
      phone: '5',
    })
    expect(shownPerson(null, said)).toEqual(said)
    expect(shownPerson(null, null)).toBeNull()
  })
})

describe('an email', () => {
  test('follows the rule of packages', () => {
    const rule = new RegExp(PERSON_EMAIL, 'u')
    expect(['a@b.ee', 'õnne@näide.ee', 'a+b@c.d.info'].every((text) => rule.test(text))).toBe(true)
    expect(['', 'a', 'a@b', 'a b@c.ee', 'a@b.ee\n', '<a@b.ee>'].some((text) => rule.test(text))).toBe(false)
  })
})
