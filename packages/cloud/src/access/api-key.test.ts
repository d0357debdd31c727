import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apiKeyId, hashSecret, makeApiKey, randomText, secretMatches } from './api-key.ts'

const LETTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
const FORM = /^plr_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/

describe('a new key', () => {
  test('has its form, its id inside, and its hash', () => {
    for (let times = 0; times < 100; times += 1) {
      const { id, text, hash } = makeApiKey()
      expect(text).toMatch(FORM)
      expect(text.startsWith(`plr_${id}_`)).toBe(true)
      expect(apiKeyId(text)).toBe(id)
      expect(secretMatches(text, hash)).toBe(true)
    }
  })

  test('is like no other', () => {
    const keys = Array.from({ length: 1_000 }, makeApiKey)
    expect(new Set(keys.map(({ id }) => id)).size).toBe(keys.length)
    expect(new Set(keys.map(({ text }) => text.slice(17))).size).toBe(keys.length)
  })
})

describe('a key that was not copied as it is', () => {
  const key = fc.constantFrom(...Array.from({ length: 50 }, () => makeApiKey().text))

  test('is caught: any one character is another', () => {
    const character = fc.oneof(
      fc.constantFrom(...LETTERS, '_', '-', ' '),
      fc.string({ unit: 'grapheme', minLength: 1 }),
    )
    fc.assert(
      fc.property(key, fc.nat(), character, (text, place, other) => {
        const at = place % text.length
        fc.pre(text[at] !== other)
        expect(apiKeyId(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined()
      }),
      { numRuns: 1_000 },
    )
  })

  test('is caught: every character of one key, replaced by every letter', () => {
    const { text } = makeApiKey()
    for (let at = 0; at < text.length; at += 1) {
      for (const letter of LETTERS) {
        if (letter === text[at]) continue
        expect(apiKeyId(text.slice(0, at) + letter + text.slice(at + 1))).toBeUndefined()
      }
    }
  })

  test('is caught: two neighbours have changed places', () => {
    fc.assert(
      fc.property(key, fc.nat(), (text, place) => {
        const at = place % (text.length - 1)
        fc.pre(text[at] !== text[at + 1])
        expect(apiKeyId(`${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`)).toBeUndefined()
      }),
    )
  })

  test.each([
    ['the end is missing', (text: string) => text.slice(0, -1)],
    ['the beginning is missing', (text: string) => text.slice(1)],
    ['there is something more', (text: string) => `${text}a`],
    ['a line break follows', (text: string) => `${text}\n`],
    ['a space comes first', (text: string) => ` ${text}`],
    ['it is all in small letters', (text: string) => text.toLowerCase()],
    ['it is there twice', (text: string) => text + text],
    ['it is empty', () => ''],
    ['it is the token of the operator', () => `pla_${randomText(40)}`],
  ])('is caught: %s', (_what, spoil) => {
    expect(apiKeyId(spoil(makeApiKey().text))).toBeUndefined()
  })

  test('is caught: any text that is no key at all', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(apiKeyId(text)).toBeUndefined()
      }),
    )
  })
})

describe('a secret', () => {
  test('matches its own hash, and that of no other', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (secret, other) => {
        expect(secretMatches(secret, hashSecret(secret))).toBe(true)
        expect(secretMatches(other, hashSecret(secret))).toBe(other === secret)
      }),
    )
  })

  test('is not in its hash', () => {
    const { text, hash } = makeApiKey()
    expect(hash).toHaveLength(32)
    expect(hash.toString('latin1')).not.toContain(text.slice(17, 25))
  })
})

describe('random letters', () => {
  test('are as many as were asked for, all of the alphabet', () => {
    for (const length of [0, 1, 12, 40, 1_000])
      expect(randomText(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
  })

  test('come equally often', () => {
    const count = new Map<string, number>()
    const drawn = 62 * 5_000
    for (const letter of randomText(drawn)) count.set(letter, (count.get(letter) ?? 0) + 1)
    expect([...count.keys()].toSorted()).toEqual(LETTERS.toSorted())
    // Ten standard deviations: a fair draw never gets there, and a biased one (256 % 62) would by far.
    for (const times of count.values()) expect(Math.abs(times - 5_000)).toBeLessThan(700)
  })
})
