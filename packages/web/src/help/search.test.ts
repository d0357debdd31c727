import { LANGUAGES } from '@plantroom/contract/languages'
import { describe, expect, test } from 'vitest'
import { createSearch } from './search.ts'
import { snippet } from './snippet.ts'
import { fold, wordsOf } from './words.ts'

const search = createSearch(
  [
    {
      address: '/help/how-to/export',
      title: 'Export automatically',
      part: 'How-to guides',
      sections: [
        ['', 'Export automatically', 'To S3 and WebDAV.'],
        ['retention', 'Retention', 'Plantroom removes older packages.'],
      ],
    },
    {
      address: '/help/decisions/0060',
      title: 'Deliver exports',
      part: 'Design decisions',
      sections: [['', 'Retention', 'Packages and their retention.']],
    },
    {
      address: '/help/reference/settings',
      title: 'Settings',
      part: 'Reference',
      sections: [['', 'Settings', 'PLANTROOM_PORT is the port.']],
    },
  ],
  'en',
)
const addresses = (words: string) => search(words).map(({ address }) => address)

describe('the search of the help', () => {
  test.each(['retention', 'retent', 'RETENTION', 'retentoin', 'older retention'])('finds a section by %s', (words) => {
    expect(addresses(words)[0]).toBe('/help/how-to/export#retention')
  })

  test('finds pages before decisions', () => {
    expect(addresses('retention')).toEqual(['/help/how-to/export#retention', '/help/decisions/0060'])
  })

  test('finds names of settings', () => {
    expect(addresses('PLANTROOM_PORT')[0]).toBe('/help/reference/settings')
  })

  test('needs any of the words, and drops those that say nothing', () => {
    expect(addresses('how do I change the retention nonsense')).toEqual(addresses('retention'))
    expect(addresses('how do I')).toEqual([])
  })

  test('finds other words for the same', () => {
    expect(addresses('how long are backups kept')).toContain('/help/decisions/0060')
    expect(search('quota')).toEqual([])
  })

  test.each(['', ' ', '.*', '((', '\\', '__proto__', 'x'.repeat(10_000)])('finds nothing for %j', (words) => {
    expect(addresses(words)).toEqual([])
  })
})

describe('words', () => {
  test.each([
    ['en', 'password', 'passphrase'],
    ['de', 'passwort', 'Kennwörter'],
    ['de', 'alarm', 'Störungen'],
    ['et', 'parooli', 'salasõna'],
    ['et', 'häired', 'alarmi'],
  ] as const)('in %s: %s means the same as %s', (language, one, other) => {
    const { meaningsOf } = wordsOf(language)
    const shared = meaningsOf(fold(one)).filter((meaning) => meaningsOf(fold(other)).includes(meaning))
    expect(shared).toHaveLength(1)
  })

  test.each(LANGUAGES)('in %s: no word of a question is dropped that has a meaning', (language) => {
    const { isStopWord, meaningsOf, wordsFor } = wordsOf(language)
    const all = meaningsOf('').length === 0 ? Array.from({ length: 60 }, (_, line) => wordsFor(`=${line}`)).flat() : []
    expect(all.length).toBeGreaterThan(60)
    expect(all.filter(isStopWord)).toEqual([])
  })

  test('keep their length without marks', () => {
    expect(fold('Über Öösel Ñ ß 😀 İ')).toBe('uber oosel n ß 😀 i')
  })
})

describe('a snippet', () => {
  test('marks words as they are written', () => {
    expect(snippet('Das Passwort zurücksetzen', ['zuruck'])).toContainEqual({ text: 'zurück', found: true })
  })

  test('shows the words around the first match and marks every match', () => {
    const text = `${'before '.repeat(30)}the port is here and the ports are there ${'after '.repeat(30)}`
    const parts = snippet(text, ['port', 'here'])
    expect(parts.filter(({ found }) => found).map(({ text: word }) => word)).toEqual(['port', 'here', 'port'])
    expect(parts[0]?.text).toMatch(/^… before/)
    expect(parts.at(-1)?.text).toMatch(/ …$/)
    expect(parts.map(({ text: part }) => part).join('').length).toBeLessThan(180)
  })

  test('is the start of a text without the words', () => {
    expect(snippet('some text', ['none'])).toEqual([{ text: 'some text', found: false }])
    expect(snippet('x'.repeat(400), [])).toEqual([{ text: 'x'.repeat(160), found: false }])
  })

  test.each(['a+b', '(', '[x', '$&', '\\'])('takes %j as it is', (word) => {
    expect(snippet(`see ${word} here`, [word])).toContainEqual({ text: word, found: true })
  })
})
