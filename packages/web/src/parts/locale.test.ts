import { expect, test } from 'vitest'
import { dayStyle, decimalSeparator, exampleOf, namedLocales } from './locale.ts'

/** Different versions of the locale data use different kinds of spaces. */
const plain = ({ time, number }: { time: string; number: string }) =>
  [time, number].map((each) => each.replaceAll(/\s/gu, ' '))

test('a locale shows how it writes a time and a number', () => {
  expect(plain(exampleOf('en-GB', 'UTC'))).toEqual(['30 Nov 2026, 15:05', '1,234.5'])
  expect(plain(exampleOf('en-US', 'UTC'))).toEqual(['Nov 30, 2026, 03:05 PM', '1,234.5'])
  expect(plain(exampleOf('de-CH', 'UTC'))).toEqual(['30.11.2026, 15:05', expect.stringMatching(/^1['’]234\.5$/)])
})

test('the name of a month appears only in the language of the page', () => {
  expect([dayStyle('en-IE').month, dayStyle('et-EE').month]).toEqual(['short', '2-digit'])
})

test('the decimal separator is that of the locale', () => {
  expect(['en-GB', 'de-DE', 'de-CH', 'et-EE'].map(decimalSeparator)).toEqual(['.', ',', '.', ','])
})

test('locales have names, in their order', () => {
  expect(namedLocales(['de-DE', 'en-GB', 'de-CH'])).toEqual([
    { value: 'en-GB', label: 'English (United Kingdom)' },
    { value: 'de-DE', label: 'German (Germany)' },
    { value: 'de-CH', label: 'German (Switzerland)' },
  ])
})
