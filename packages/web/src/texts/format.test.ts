import { describe, expect, test } from 'vitest'
import { findText, format, partsOf } from './format.ts'

const REQUESTS = '{count, plural, one {# request} other {# requests}}'

describe('format', () => {
  test('fills in every placeholder', () => {
    expect(format('{name} is held at {value} by {name}', { name: 'Charge power', value: '20' })).toBe(
      'Charge power is held at 20 by Charge power',
    )
  })

  test('separates thousands of numbers, but leaves text unchanged', () => {
    expect(format('{shown} of {all}', { shown: 1000, all: '50000' })).toBe('1,000 of 50000')
  })

  test.each([
    [0, '0 requests'],
    [1, '1 request'],
    [50_000, '50,000 requests'],
  ])('chooses the plural form of %d', (count, text) => {
    expect(format(REQUESTS, { count })).toBe(text)
  })

  test('fills in placeholders inside of plural forms, and around them', () => {
    const message = 'On {site}: {count, plural, =0 {nothing} one {{done} of # done} other {{done} of # done}}.'
    expect(format(message, { site: 'Roof', count: 1200, done: 1100 })).toBe('On Roof: 1,100 of 1,200 done.')
    expect(format(message, { site: 'Roof', count: 0, done: 0 })).toBe('On Roof: nothing.')
  })

  test('chooses by a word', () => {
    const message = '{role, select, admin {Everything} other {What {name} may see}}'
    expect(format(message, { role: 'admin', name: 'Mari' })).toBe('Everything')
    expect(format(message, { role: 'constructor', name: 'Mari' })).toBe('What Mari may see')
  })

  test('shows quoted braces, apostrophes, hashes and angle brackets as they are', () => {
    const message: string = "The controller's '{'brace'}' of <{name}> is #{number}"
    expect(format(message, { name: 'a', number: 7 })).toBe("The controller's {brace} of <a> is #7")
  })

  test('does not fill in placeholders inside of values', () => {
    expect(format('Released {name}', { name: '{name}' })).toBe('Released {name}')
    expect(format(REQUESTS, { count: 2 })).toBe('2 requests')
  })

  test('needs every placeholder', () => {
    // @ts-expect-error the value of {name} is missing
    expect(format('Released {name}', {})).toBe('Released {name}')
    // @ts-expect-error the message has no {title}
    format('Released {name}', { name: 'Pump', title: 'Pump' })
    // @ts-expect-error plural forms need a number
    format(REQUESTS, { count: '1' })
    // @ts-expect-error a placeholder in a plural form needs its value
    format('{count, plural, one {{done} of #} other {{done} of #}} at {site}', { count: 1, done: 1 })
    // @ts-expect-error a choice needs a word
    format('{role, select, admin {Yes} other {No}}', { role: 1 })
  })
})

test('partsOf keeps values that are not text', () => {
  const link = { href: '/import' }
  expect(partsOf('See {link}.', { link })).toEqual(['See ', link, '.'])
})

test('findText returns only texts of the catalogue', () => {
  expect(findText({ open: 'Open' }, 'open')).toBe('Open')
  expect(findText({ open: 'Open' }, 'constructor')).toBeUndefined()
})
