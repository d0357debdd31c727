import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import formBesideFile from '../parts/form-beside-file.tsx?raw'
import listPage from '../parts/list-page.tsx?raw'
import { PSEUDO_MARKS, pseudo } from './choice/pseudo.ts'
import { translated } from './language.ts'
import { type Catalogues, catalogues, messagesOf } from './testing/messages.ts'
import type { Texts } from './translation.ts'

type Ast = ReturnType<IntlMessageFormat['getAst']>
const LITERAL = 0
const ARGUMENT = 1
const SELECT = 5
const PLURAL = 6

/** What a message asks for: its arguments, and the keys of its options. Throws for a message that is not well-formed. */
function shapeOf(message: string): string[] {
  const shape = new Set<string>()
  const visit = (ast: Ast): void => {
    for (const element of ast) {
      if (element.type === LITERAL || !('value' in element)) continue
      shape.add(`${String(element.value)}: ${element.type === ARGUMENT ? 'text' : element.type}`)
      if (element.type !== SELECT && element.type !== PLURAL) continue
      // A form may be added for one number, like =0.
      const keys = Object.keys(element.options).filter((key) => !key.startsWith('='))
      shape.add(`${element.value}: ${keys.toSorted().join(' ')}`)
      for (const { value } of Object.values(element.options)) visit(value)
    }
  }
  visit(new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst())
  return [...shape].toSorted()
}

/** What a translation lacks, adds or asks for otherwise, compared with English; empty for a complete one. */
function differences(english: Texts, translation: Texts): string[] {
  const [source, target] = [messagesOf(english), messagesOf(translation)]
  const keys = new Set([...source.keys(), ...target.keys()])
  return [...keys].filter((key) => {
    const [one, other] = [source.get(key), target.get(key)]
    return one === undefined || other === undefined || `${shapeOf(one)}` !== `${shapeOf(other)}`
  })
}

function expectWellFormed(texts: Texts): void {
  for (const [key, message] of messagesOf(texts)) {
    expect(message, key).toBe(message.trim())
    expect(message, key).not.toBe('')
    const shape = shapeOf(message)
    // Inside of a plural, # is the number as people write it.
    for (const plural of shape.filter((each) => each.endsWith(`: ${PLURAL}`))) {
      expect(shape, key).not.toContain(plural.replace(/: .*/, ': text'))
    }
  }
}

test.each(catalogues)('$name contains only well-formed messages', ({ texts }) => expectWellFormed(texts))

describe('a translation', () => {
  const languages = {
    de: import.meta.glob<Catalogues>('./de/*.ts', { eager: true }),
    et: import.meta.glob<Catalogues>('./et/*.ts', { eager: true }),
  }
  const all = Object.entries(languages).map(([language, files]) => ({ language, files }))

  test.each(catalogues)('of $name has the keys and placeholders of the English texts', ({ texts }) => {
    const inPseudo = pseudo(texts)
    expect(differences(texts, inPseudo)).toEqual([])
    for (const message of messagesOf(inPseudo).values()) {
      if (!message.startsWith('{')) expect([message.at(0), message.at(-1)]).toEqual(PSEUDO_MARKS)
    }
  })

  test.each(all)('into $language is complete', ({ language, files }) => {
    const index = files[`./${language}/index.ts`] ?? {}
    const found = catalogues.flatMap(({ name, texts }) =>
      differences(texts, index[name] ?? {}).map((key) => `${language} ${name}.${key}`),
    )
    expect(found).toEqual([])
    const english = new Set(catalogues.map(({ name }) => name))
    expect(Object.keys(index).filter((name) => !english.has(name))).toEqual([])
  })

  test.each(all)(
    'into $language is in the file that is named like the English one, and well-formed',
    ({ language, files }) => {
      for (const { name, file } of catalogues) {
        expect(Object.keys(files[`./${language}/${file}`] ?? {}), `${language}/${file}`).toContain(name)
      }
      for (const exported of Object.values(files)) Object.values(exported).forEach(expectWellFormed)
    },
  )

  test('is incomplete without a key, with other placeholders or with other plural forms', () => {
    const english = { title: 'Release {name}', done: '{count, plural, one {# done} other {# done}}' }
    expect(differences(english, { title: 'Vabasta {name}' })).toEqual(['done'])
    expect(differences(english, { ...english, title: 'Vabasta {nimi}' })).toEqual(['title'])
    expect(differences(english, { ...english, done: '{count, plural, other {# valmis}}' })).toEqual(['done'])
  })

  test('falls back to English key by key', () => {
    const english = { title: 'Release', group: { one: 'One', two: 'Two' } }
    expect(translated(english, { title: 'Vabasta', group: { two: 'Kaks' } })).toEqual({
      title: 'Vabasta',
      group: { one: 'One', two: 'Kaks' },
    })
  })
})

describe('every catalogue', () => {
  const files = import.meta.glob<string>(['./*.ts', '!./*.test.ts', '!./format.ts', '!./language.ts'], {
    eager: true,
    query: '?raw',
    import: 'default',
  })

  test('has a name of its own, that of its constant', () => {
    const declared = Object.values(files).flatMap((source) => [
      ...source.matchAll(/export const (\w+) = catalogue\((?:'(\w+)')?/g),
    ])
    expect(declared.filter(([, constant, name]) => constant !== name)).toEqual([])
    expect(declared).toHaveLength(new Set(declared.map(([, constant]) => constant)).size)
    expect(declared).toHaveLength(catalogues.length)
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

  /** Parts to which a page hands its texts; they use some of them. */
  const PARTS = Object.entries({ ListPage: listPage, FormBesideFile: formBesideFile })
  const isHandedOver = (key: string, groups: readonly string[], source: string) =>
    PARTS.some(
      ([part, code]) =>
        new RegExp(`<${part}\\s+texts=\\{(${escaped(groups)})\\}`).test(source) &&
        new RegExp(`\\btexts\\.${key}\\b`).test(code),
    )

  /** A group whose keys come from data (`texts.state[state]`, `findText(texts.stages, stage)`) is used as a whole. */
  function isUsed(path: readonly string[], groups: readonly string[], source: string): boolean {
    const [key, ...rest] = path
    if (key === undefined) return true
    const isFromData = new RegExp(`\\b(${escaped(groups)})(\\[|, [\\w.]+\\))`).test(source)
    if (isHandedOver(key, groups, source)) return true
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
