import { posix } from 'node:path'
import type { Document, Sources } from './documents.ts'
import { textOf, visitLinks } from './markdown.ts'

const INDEX = 'docs/README.md'
/** The help of the console has an index in each language, by role. */
const CONSOLE_INDEX = /^docs\/console\/\w+\/README\.md$/

export interface NavigationEntry {
  label: string
  document: Document
  /** Pages in a folder below this one. */
  below: readonly NavigationEntry[]
}

export interface NavigationSection {
  title: string
  entries: readonly NavigationEntry[]
}

/**
 * Derives the navigation from an index, which is `docs/README.md` except in the help of the console: its headings are the
 * sections, the links in its lists and tables are the pages, in their order.
 */
export function navigationOf({ documents }: Sources, indexSource = INDEX): NavigationSection[] {
  const index = documents.find(({ source }) => source === indexSource)
  const sections: { title: string; entries: { label: string; document: Document; below: NavigationEntry[] }[] }[] = []
  for (const token of index?.tokens ?? []) {
    if (token.type === 'heading') {
      if (token.depth === 2) sections.push({ title: textOf(token.tokens ?? []), entries: [] })
      continue
    }
    if (token.type !== 'list' && token.type !== 'table') continue
    const entries = sections.at(-1)?.entries
    visitLinks([token], (href, label) => {
      const source = posix.join(posix.dirname(indexSource), href.split('#')[0] ?? '')
      const document = documents.find((candidate) => candidate.source === source)
      if (!document || !entries) return
      const parent = entries.find((entry) => isBelow(document, entry.document))
      ;(parent?.below ?? entries).push({ label, document, below: [] })
    })
  }
  return sections.filter(({ entries }) => entries.length > 0)
}

/** The index whose navigation a page shows. */
export const indexOf = ({ path }: { path: string }): string => {
  const [, language] = /^console\/(\w+)(?:\/|$)/.exec(path) ?? []
  return language ? `docs/console/${language}/README.md` : INDEX
}

/** `how-to/convert/jira` is below `how-to/convert-an-export`. */
const isBelow = ({ path }: Document, parent: Document) =>
  path.startsWith('how-to/') && path.split('/').length > 2 && parent.path.startsWith(posix.dirname(path))

/** Returns the pages in reading order. */
export const readingOrder = (sections: readonly NavigationSection[]): NavigationEntry[] =>
  sections.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...entry.below]))

/** Folders with a list of their own, which leads to each of their pages. */
export const LISTED = ['decisions', 'templates'] as const

/** Returns pages that the navigation does not reach, as problems. */
export function pagesWithoutPlace(sources: Sources): string[] {
  const indexes = [
    INDEX,
    ...sources.documents.map(({ source }) => source).filter((source) => CONSOLE_INDEX.test(source)),
  ]
  const placed = new Set(
    indexes.flatMap((index) => readingOrder(navigationOf(sources, index)).map(({ document }) => document.source)),
  )
  for (const folder of LISTED) {
    const list = sources.documents.find(({ source }) => source === `docs/${folder}/README.md`)
    visitLinks(list?.tokens ?? [], (href) => placed.add(posix.join('docs', folder, href)))
  }
  return sources.documents
    .filter(({ source }) => source !== INDEX && !placed.has(source))
    .map(({ source }) => {
      const folder = LISTED.find((listed) => source.startsWith(`docs/${listed}/`))
      return folder
        ? `${source}: list it in docs/${folder}/README.md`
        : `${source}: link to it from ${indexOf({ path: source.slice('docs/'.length) })}, which is the navigation of the help`
    })
}
