import { describe, expect, test } from 'vitest'
import { PSEUDO_MARKS, pseudo, type Texts } from './language.ts'

/** The catalogues of every page, by file. */
const pages = import.meta.glob<Record<string, Texts>>(['./*.ts', '!./*.test.ts', '!./format.ts', '!./language.ts'], {
  eager: true,
})
const catalogues = Object.entries(pages).flatMap(([file, exported]) =>
  Object.entries(exported).map(([name, texts]) => ({ name, file: file.slice(2), texts })),
)

/** The messages of a catalogue by the path of their key. */
function messagesOf(texts: Texts, path = ''): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([key, text]): [string, string][] => {
    const at = path === '' ? key : `${path}.${key}`
    return typeof text === 'string' ? [[at, text]] : [...messagesOf(text, at)]
  })
  return new Map(entries)
}

const placeholdersOf = (message: string) => [...new Set(message.match(/\{\w+\}/g))].toSorted()

/** What a translation lacks or adds, compared with English; empty for a complete one. */
function differences(english: Texts, translated: Texts): string[] {
  const [source, target] = [messagesOf(english), messagesOf(translated)]
  const keys = new Set([...source.keys(), ...target.keys()])
  return [...keys].filter((key) => {
    const [one, other] = [source.get(key), target.get(key)]
    return one === undefined || other === undefined || `${placeholdersOf(one)}` !== `${placeholdersOf(other)}`
  })
}

test.each(catalogues)('$name contains only well-formed messages', ({ texts }) => {
  for (const [key, message] of messagesOf(texts)) {
    expect(message, key).toBe(message.trim())
    expect(message, key).not.toBe('')
    expect(message.replaceAll(/\{[a-z]\w*\}/g, ''), key).not.toMatch(/[{}]/)
  }
})

describe('a translation', () => {
  test.each(catalogues)('of $name has the keys and placeholders of the English texts', ({ texts }) => {
    const translated = pseudo(texts)
    expect(differences(texts, translated)).toEqual([])
    for (const message of messagesOf(translated).values()) {
      expect([message.at(0), message.at(-1)]).toEqual(PSEUDO_MARKS)
    }
  })

  test('is incomplete without a key or with other placeholders', () => {
    const english = { title: 'Release {name}', done: { one: '{count} done', other: '{count} done' } }
    expect(differences(english, { title: 'Vabasta {name}' })).toEqual(['done.one', 'done.other'])
    expect(differences(english, { ...english, title: 'Vabasta {nimi}' })).toEqual(['title'])
  })
})

describe('every text is used', () => {
  const sources = Object.values(
    import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.ts', '!../texts/**'], {
      eager: true,
      query: '?raw',
      import: 'default',
    }),
  )

  const escaped = (names: Iterable<string>) => [...names].join('|')

  /** The names by which a file refers to a group of texts: the key itself, constants made from it, destructuring. */
  function aliasesOf(group: string, source: string): string[] {
    const constants = source.matchAll(new RegExp(`const (\\w+) = [^\\n]*\\b${group}\\b[^(\\n]*\\n`, 'g'))
    const destructured = source.matchAll(new RegExp(`\\{[^}]*\\b${group}: (\\w+)[^}]*\\} = `, 'g'))
    return [group, ...[...constants, ...destructured].flatMap(([, name]) => name ?? [])]
  }

  /** A group whose keys come from data (`texts.state[state]`, `findText(texts.stages, stage)`) is used as a whole. */
  function isUsed(path: readonly string[], groups: readonly string[], source: string): boolean {
    const [key, ...rest] = path
    if (key === undefined || key === 'one' || key === 'other') return true
    const isFromData = new RegExp(`\\b(${escaped(groups)})(\\[|, [\\w.]+\\))`).test(source)
    const isNamed = new RegExp(
      `\\b(${escaped(groups)})\\.${key}\\b|\\{[^}]*\\b${key}\\b[^}]*\\} = (${escaped(groups)})\\b`,
    )
    return isFromData || (isNamed.test(source) && isUsed(rest, aliasesOf(key, source), source))
  }

  test.each(catalogues)('in $name', ({ name, file, texts }) => {
    const imported = new RegExp(`\\b${name}(?: as (\\w+))?\\b[^']*from '[./]*texts/${file}'`)
    const users = sources.flatMap((source) => {
      const found = imported.exec(source)
      return found ? [{ source, groups: aliasesOf(found[1] ?? name, source) }] : []
    })
    const unused = [...messagesOf(texts).keys()].filter(
      (path) => !users.some(({ source, groups }) => isUsed(path.split('.'), groups, source)),
    )
    expect(unused).toEqual([])
  })
})
