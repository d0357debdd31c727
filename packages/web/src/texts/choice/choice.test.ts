import { describe, expect, test } from 'vitest'
import { chooseLanguage, chooseLocale } from './choose-language.ts'
import { keepForAccount, keepForBrowser, keptChoice } from './kept-choice.ts'
import { pseudo } from './pseudo.ts'

describe('the language', () => {
  test.each([
    [undefined, ['de-CH', 'en'], 'de'],
    [undefined, ['fr-FR', 'et', 'de'], 'et'],
    [undefined, ['EN-us'], 'en'],
    [undefined, ['fr', 'ja'], 'en'],
    [undefined, [], 'en'],
    [undefined, ['en-XA', 'de'], 'en-XA'],
    ['et', ['de-DE'], 'et'],
    ['fr', ['de-DE'], 'de'],
    ['en-XA', ['de-DE'], 'de'],
  ])('chosen as %s in a browser of %s is %s', (chosen, ofBrowser, language) => {
    expect(chooseLanguage(chosen, ofBrowser)).toBe(language)
  })
})

describe('the locale of times and numbers', () => {
  test.each([
    [undefined, 'de', ['de-CH', 'de'], 'de-CH'],
    [undefined, 'de', ['en-US', 'de-AT'], 'de-AT'],
    [undefined, 'et', ['et'], 'et-EE'],
    [undefined, 'en', ['en', 'fr-FR'], 'fr-FR'],
    [undefined, 'en', ['en-US'], 'en-US'],
    [undefined, 'en', [], 'en-GB'],
    [undefined, 'en-XA', ['en-XA'], 'en-GB'],
    [undefined, 'en', ['not a language', 'sv-SE'], 'sv-SE'],
    ['de-CH', 'en', ['en-GB'], 'de-CH'],
    ['not a locale', 'en', ['en-GB'], 'en-GB'],
  ] as const)('chosen as %s, in the language %s and a browser of %s, is %s', (chosen, language, ofBrowser, locale) => {
    expect(chooseLocale(chosen, language, ofBrowser)).toBe(locale)
  })
})

function storage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

describe('what the browser keeps', () => {
  test('is the choice of the account, which comes before that of the browser', () => {
    const here = storage()
    keepForBrowser(here, 'et')
    expect(keptChoice(here)).toEqual({ language: 'et', locale: undefined })
    expect(keepForAccount(here, { language: 'de', locale: 'de-CH' })).toBe(true)
    expect(keptChoice(here)).toEqual({ language: 'de', locale: 'de-CH' })
  })

  test('goes when the next person has chosen nothing', () => {
    const here = storage()
    keepForBrowser(here, 'et')
    keepForAccount(here, { language: 'de' })
    expect(keepForAccount(here, {})).toBe(true)
    expect(keptChoice(here)).toEqual({ language: 'et', locale: undefined })
  })

  test('changes with a choice before signing in, until someone signs in', () => {
    const here = storage()
    keepForAccount(here, { language: 'de', locale: 'de-CH' })
    keepForBrowser(here, 'en')
    expect(keptChoice(here)).toEqual({ language: 'en', locale: undefined })
  })

  test('needs a new page only if it changed, and never in a browser that keeps nothing', () => {
    const here = storage()
    keepForAccount(here, { language: 'de' })
    expect(keepForAccount(here, { language: 'de' })).toBe(false)
    const denied = () => {
      throw new Error('denied')
    }
    const closed = { getItem: denied, setItem: denied, removeItem: denied }
    expect(keepForAccount(closed, { language: 'de' })).toBe(false)
    expect(keepForAccount(undefined, { language: 'de' })).toBe(false)
  })

  test('is ignored when someone broke it', () => {
    const here = storage()
    for (const broken of ['{', 'null', '7', '{"language":7}']) {
      here.setItem('plantroom-language', broken)
      expect(keptChoice(here)).toEqual({ language: undefined, locale: undefined })
    }
  })
})

test('the pseudo-language changes only text', () => {
  expect(
    pseudo({ done: '{count, plural, one {# day of {site}} other {# days}} over', group: { title: 'Day {day}' } }),
  ).toEqual({
    done: '⟦{count, plural, one {# dáý óf {site}} other {# dáýs}} óvér⟧',
    group: { title: '⟦Dáý {day}⟧' },
  })
})
