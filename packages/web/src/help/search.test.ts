import { describe, expect, test } from 'vitest'
import { createSearch } from './search.ts'
import { snippet } from './snippet.ts'

const search = createSearch([
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
])
const addresses = (words: string, which?: 'all' | 'any') => search(words, which).map(({ address }) => address)

describe('the search of the help', () => {
  test.each(['retention', 'retent', 'RETENTION', 'retentoin', 'older retention'])('finds a section by %s', (words) => {
    expect(addresses(words)[0]).toBe('/help/how-to/export#retention')
  })

  test('finds pages before decisions', () => {
    expect(addresses('retention')).toEqual(['/help/how-to/export#retention', '/help/decisions/0060'])
  })

  test('finds names of settings', () => {
    expect(addresses('PLANTROOM_PORT')).toEqual(['/help/reference/settings'])
  })

  test('needs all words, unless any will do', () => {
    expect(addresses('retention nonsense')).toEqual([])
    expect(addresses('retention nonsense', 'any')).toHaveLength(2)
  })

  test.each(['', ' ', '.*', '((', '\\', '__proto__', 'x'.repeat(10_000)])('finds nothing for %j', (words) => {
    expect(addresses(words)).toEqual([])
  })
})

describe('a snippet', () => {
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
