import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { LANGUAGES, type Language } from '@plantroom/contract/languages'
import { type Heading, headingsOf, parse, type Token } from './markdown.ts'
import { FILES_BESIDE, listSources, PAGES_BESIDE, SERVED } from './source-files.ts'

/** A Markdown file that becomes a page. */
export interface Document {
  /** Below the root of the repository. */
  source: string
  /** Below `/help/`, without an extension; empty for the first page. */
  path: string
  language: Language
  title: string
  tokens: readonly Token[]
  headings: readonly Heading[]
}

/** A file or folder of the repository that the help shows as it is. */
export interface ShownFile {
  source: string
  path: string
  /** The text of a file, or the names in a folder. */
  content: string | readonly string[]
}

export interface Sources {
  documents: readonly Document[]
  files: readonly ShownFile[]
  /** Pictures below `docs/images`. */
  images: readonly string[]
  served: Readonly<Record<string, string>>
}

/** Reads everything that the help consists of. */
export function readSources(root: string): Sources {
  const { pages, images } = listSources(root)
  return {
    documents: pages.map((source) => {
      const tokens = parse(readFileSync(join(root, source), 'utf8'))
      const headings = headingsOf(tokens)
      const path = pathOf(source)
      return { source, path, language: languageOf(path), title: headings[0]?.text ?? source, tokens, headings }
    }),
    files: FILES_BESIDE.flatMap((source) => shownFiles(root, source)),
    images,
    served: SERVED,
  }
}

function pathOf(source: string): string {
  return PAGES_BESIDE[source] ?? source.slice('docs/'.length, -'.md'.length).replace(/(^|\/)README$/, '')
}

/** The help of the console is in every language: `console/de/alerts`. Everything else is in English. */
export const languageOf = (path: string): Language =>
  LANGUAGES.find((language) => `${path}/`.startsWith(`console/${language}/`)) ?? 'en'

function shownFiles(root: string, source: string): ShownFile[] {
  const path = `files/${source}`
  if (statSync(join(root, source)).isFile()) {
    return [{ source, path, content: readFileSync(join(root, source), 'utf8') }]
  }
  const names = readdirSync(join(root, source)).sort()
  return [{ source, path, content: names }, ...names.flatMap((name) => shownFiles(root, `${source}/${name}`))]
}
