import { LANGUAGES } from '@plantroom/contract/languages'
import { describe, expect, test } from 'vitest'
import { messagesIn } from './testing/messages.ts'

const files = import.meta.glob<string>(
  ['../../../../docs/console/*/*.md', '../../../../docs/reference/translations.md'],
  {
    eager: true,
    query: '?raw',
    import: 'default',
  },
)
const terms = files['../../../../docs/reference/translations.md'] ?? ''
const articles = Object.entries(files).flatMap(([file, text]) => {
  const [, language] = /console\/(\w+)\//.exec(file) ?? []
  return language === undefined ? [] : [{ file, text, language }]
})

describe('a word that docs/reference/translations.md rejects', () => {
  const codes: Readonly<Record<string, string>> = { English: 'en', German: 'de', Estonian: 'et' }
  const rows = terms
    .slice(terms.indexOf('## Words that the texts do not use'))
    .matchAll(/^\| (English|German|Estonian) \| (.*?) \| (.*?) \|$/gm)
  const rejected = [...rows].map(([, name = '', words = '', instead = '']) => {
    const any = words.split(', ').map((word) => (word.endsWith('-') ? word.slice(0, -1) : `${word}(?!\\p{L})`))
    return { language: codes[name], words: new RegExp(`(?<!\\p{L})(${any.join('|')})`, 'iu'), instead }
  })

  test.each(LANGUAGES)('is nowhere in the messages and the articles in %s', (language) => {
    const rules = rejected.filter((rule) => rule.language === language)
    expect(rules.length).toBeGreaterThan(0)
    const texts = [
      ...messagesIn(language),
      // The titles of pages in English stay as they are.
      ...articles
        .filter((article) => article.language === language)
        .map(({ file, text }) => [file, text.replaceAll(/\[[^\]]*\]\(\.\.\/\.\.[^)]*\)/g, '')] as const),
    ]
    expect(texts.length).toBeGreaterThan(1000)
    const found = texts.flatMap(([place, text]) =>
      rules.flatMap(({ words, instead }) => {
        const word = words.exec(text)?.[0]
        return word === undefined ? [] : [`${place}: not “${word}”: ${instead}`]
      }),
    )
    expect(found).toEqual([])
  })
})

describe('an article', () => {
  test.each(articles)('names only what the console shows: $file', ({ text, language }) => {
    const messages = new Set(messagesIn(language).values())
    const named = [...text.matchAll(/(?<!\*)\*([^*]+)\*(?!\*)/g)].flatMap(([, label = '']) =>
      label.replaceAll(/\s+/g, ' ').split(' > '),
    )
    expect(named.filter((label) => !messages.has(label))).toEqual([])
  })

  test.each(LANGUAGES)('in %s names something', (language) => {
    const emphasized = articles.filter(
      (article) => article.language === language && /(?<!\*)\*[^*]+\*/.test(article.text),
    )
    expect(emphasized.length).toBeGreaterThan(15)
  })
})
