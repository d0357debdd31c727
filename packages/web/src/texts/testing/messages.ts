import type { Texts } from '../translation.ts'

export type Catalogues = Record<string, Texts>

/** The catalogues of every page, by file. */
const pages = import.meta.glob<Catalogues>(['../*.ts', '!../*.test.ts', '!../format.ts', '!../language.ts'], {
  eager: true,
})
export const catalogues = Object.entries(pages).flatMap(([file, exported]) =>
  Object.entries(exported).map(([name, texts]) => ({ name, file: file.slice(3), texts })),
)

const translations = import.meta.glob<Catalogues>('../{de,et}/index.ts', { eager: true })

/** The messages of a catalogue by the path of their key. */
export function messagesOf(texts: Texts, path = ''): Map<string, string> {
  const entries = Object.entries(texts).flatMap(([key, text]): [string, string][] => {
    const at = path === '' ? key : `${path}.${key}`
    return typeof text === 'string' ? [[at, text]] : [...messagesOf(text, at)]
  })
  return new Map(entries)
}

/** Every message of a language by the name of its catalogue and the path of its key. */
export function messagesIn(language: string): Map<string, string> {
  const english = Object.fromEntries(catalogues.map(({ name, texts }) => [name, texts]))
  return messagesOf(language === 'en' ? english : (translations[`../${language}/index.ts`] ?? {}))
}
