import { IntlMessageFormat } from 'intl-messageformat'
import { describe, expect, test } from 'vitest'
import { type Catalogues, catalogues, messagesOf } from '../testing/messages.ts'
import { NUMBER, type Part, parseMessage } from './parse-message.ts'

type Ast = ReturnType<IntlMessageFormat['getAst']>
const KINDS: Readonly<Record<number, 'select' | 'plural' | undefined>> = { 1: undefined, 5: 'select', 6: 'plural' }

/** The parts of a message as an ICU library reads them. */
function expected(message: string): Part[] {
  const partsOf = (ast: Ast): Part[] =>
    ast.map((element) => {
      if (element.type === 7) return NUMBER
      if (!('value' in element) || typeof element.value !== 'string') throw new Error(`unknown part of ${message}`)
      if (element.type === 0) return element.value
      const options = 'options' in element ? Object.entries(element.options) : []
      return {
        name: element.value,
        kind: KINDS[element.type],
        options: new Map(options.map(([key, { value }]) => [key, partsOf(value)])),
      }
    })
  return partsOf(new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true }).getAst())
}

describe('a message is read like an ICU library reads it:', () => {
  const languages = {
    en: Object.fromEntries(catalogues.map(({ name, texts }) => [name, texts])),
    ...import.meta.glob<Catalogues>('../{de,et}/index.ts', { eager: true }),
  }
  test.each(Object.entries(languages))('every text of %s', (_language, all) => {
    const messages = Object.values(all).flatMap((texts) => [...messagesOf(texts).values()])
    expect(messages.length).toBeGreaterThan(1000)
    for (const message of messages) expect(parseMessage(message), message).toEqual(expected(message))
  })

  test.each([
    "It's {name}'s",
    "'{'quoted'}' and ''twice''",
    "'{it''s}' open",
    "an open '{quote",
    "{n, plural, =0 {none} one {'#' is # of {all}} other {{x, select, a {# A} other {#}}}}",
    '{ name } # { n , plural , other { # } }',
    "ends with an apostrophe'",
  ])('%s', (message) => expect(parseMessage(message)).toEqual(expected(message)))

  test.each(['{', '{name', 'a } b', '{n, plural, one {x}', '{n, date}', '{}'])('%s is refused', (message) => {
    expect(() => parseMessage(message)).toThrow('not a message')
  })
})
