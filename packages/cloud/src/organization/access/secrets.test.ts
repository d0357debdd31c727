import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { apiKeyId, hashSecret, loadAdminToken, makeApiKey, randomText, secretMatches } from './secrets.ts'

const LETTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz']
const FORM = /^plr_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/

describe('a new key', () => {
  test('has the documented form, contains its id and matches its hash', () => {
    for (let times = 0; times < 100; times += 1) {
      const { id, text, hash } = makeApiKey()
      expect(text).toMatch(FORM)
      expect(text.startsWith(`plr_${id}_`)).toBe(true)
      expect(apiKeyId(text)).toBe(id)
      expect(secretMatches(text, hash)).toBe(true)
    }
  })

  test('is unique', () => {
    const keys = Array.from({ length: 1_000 }, makeApiKey)
    expect(new Set(keys.map(({ id }) => id)).size).toBe(keys.length)
    expect(new Set(keys.map(({ text }) => text.slice(17))).size).toBe(keys.length)
  })
})

describe('a key that was not copied exactly', () => {
  const key = fc.constantFrom(...Array.from({ length: 50 }, () => makeApiKey().text))

  test('is rejected when any character differs', () => {
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

  test('is rejected for every other letter at every position', () => {
    const { text } = makeApiKey()
    for (let at = 0; at < text.length; at += 1) {
      for (const letter of LETTERS) {
        if (letter === text[at]) continue
        expect(apiKeyId(text.slice(0, at) + letter + text.slice(at + 1))).toBeUndefined()
      }
    }
  })

  test('is rejected when two neighboring characters are swapped', () => {
    fc.assert(
      fc.property(key, fc.nat(), (text, place) => {
        const at = place % (text.length - 1)
        fc.pre(text[at] !== text[at + 1])
        expect(apiKeyId(`${text.slice(0, at)}${text[at + 1]}${text[at]}${text.slice(at + 2)}`)).toBeUndefined()
      }),
    )
  })

  test.each([
    ['lacks its last character', (text: string) => text.slice(0, -1)],
    ['lacks its first character', (text: string) => text.slice(1)],
    ['has an extra character', (text: string) => `${text}a`],
    ['ends with a line break', (text: string) => `${text}\n`],
    ['starts with a space', (text: string) => ` ${text}`],
    ['is in lower case', (text: string) => text.toLowerCase()],
    ['is pasted twice', (text: string) => text + text],
    ['is empty', () => ''],
    ['is an admin token', () => `pla_${randomText(40)}`],
  ])('is rejected when it %s', (_what, spoil) => {
    expect(apiKeyId(spoil(makeApiKey().text))).toBeUndefined()
  })

  test('is rejected when it is any other text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(apiKeyId(text)).toBeUndefined()
      }),
    )
  })
})

describe('a secret', () => {
  test('matches only its own hash', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (secret, other) => {
        expect(secretMatches(secret, hashSecret(secret))).toBe(true)
        expect(secretMatches(other, hashSecret(secret))).toBe(other === secret)
      }),
    )
  })

  test('cannot be read from its hash', () => {
    const { text, hash } = makeApiKey()
    expect(hash).toHaveLength(32)
    expect(hash.toString('latin1')).not.toContain(text.slice(17, 25))
  })
})

describe('random text', () => {
  test('has the requested length and uses the alphabet', () => {
    for (const length of [0, 1, 12, 40, 1_000])
      expect(randomText(length)).toMatch(new RegExp(`^[0-9A-Za-z]{${length}}$`))
  })

  test('uses every letter equally often', () => {
    const count = new Map<string, number>()
    const drawn = 62 * 5_000
    for (const letter of randomText(drawn)) count.set(letter, (count.get(letter) ?? 0) + 1)
    expect([...count.keys()].toSorted()).toEqual(LETTERS.toSorted())
    // Ten standard deviations: a fair draw stays within, a biased one (256 % 62) far exceeds it.
    for (const times of count.values()) expect(Math.abs(times - 5_000)).toBeLessThan(700)
  })
})

const fileIn = (folder: string) => join(folder, 'admin-token')

describe('the admin token', () => {
  test('is created at the first start, readable only by its owner', async () => {
    const folder = temporaryFolder()
    const token = await loadAdminToken(folder, undefined)
    expect(token).toMatch(/^pla_[0-9A-Za-z]{40}$/)
    expect(readFileSync(fileIn(folder), 'utf8')).toBe(`${token}\n`)
    expect(statSync(fileIn(folder)).mode & 0o777).toBe(0o600)
  })

  test('is the same at every later start', async () => {
    const folder = temporaryFolder()
    const token = await loadAdminToken(folder, undefined)
    for (let times = 0; times < 3; times += 1) expect(await loadAdminToken(folder, undefined)).toBe(token)
  })

  test('differs between folders', async () => {
    expect(await loadAdminToken(temporaryFolder(), undefined)).not.toBe(
      await loadAdminToken(temporaryFolder(), undefined),
    )
  })

  test('is created along with a missing folder', async () => {
    const folder = join(temporaryFolder(), 'new', 'folder')
    expect(await loadAdminToken(folder, undefined)).toBe(await loadAdminToken(folder, undefined))
  })

  test('can be written by hand, with trailing white space', async () => {
    const folder = temporaryFolder()
    writeFileSync(fileIn(folder), 'chosen-by-the-operator \n')
    expect(await loadAdminToken(folder, undefined)).toBe('chosen-by-the-operator')
  })

  test('from the configuration takes precedence over the file, which stays unchanged', async () => {
    const folder = temporaryFolder()
    const token = await loadAdminToken(folder, undefined)
    expect(await loadAdminToken(folder, 'configured-0123456789')).toBe('configured-0123456789')
    expect(await loadAdminToken(folder, undefined)).toBe(token)
  })

  test('from the configuration is not written to the folder', async () => {
    const folder = temporaryFolder()
    await loadAdminToken(folder, 'configured-0123456789')
    expect(() => statSync(fileIn(folder))).toThrow(/ENOENT/)
  })

  test('is the same for concurrent starts', async () => {
    const folder = temporaryFolder()
    const tokens = await Promise.all(Array.from({ length: 20 }, () => loadAdminToken(folder, undefined)))
    expect(new Set(tokens).size).toBe(1)
    expect(readdirSync(folder)).toEqual(['admin-token'])
  })

  test('is rejected when the file is empty, with a remedy', async () => {
    const folder = temporaryFolder()
    writeFileSync(fileIn(folder), '')
    await expect(loadAdminToken(folder, undefined)).rejects.toThrow(/admin-token is empty; remove it/)
  })
})
