import { describe, expect, test } from 'vitest'
import { findText, format, partsOf } from './format.ts'

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
    expect(format({ one: '{count} request', other: '{count} requests' }, { count })).toBe(text)
  })

  test('does not fill in placeholders inside of values', () => {
    expect(format('Released {name}', { name: '{name}' })).toBe('Released {name}')
  })

  test('needs every placeholder', () => {
    // @ts-expect-error the value of {name} is missing
    expect(format('Released {name}', {})).toBe('Released {name}')
    // @ts-expect-error the message has no {title}
    format('Released {name}', { name: 'Pump', title: 'Pump' })
    // @ts-expect-error plural forms need a number
    format({ one: '{count} request', other: '{count} requests' }, { count: '1' })
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
