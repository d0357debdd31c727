import { posix } from 'node:path'
import type { Document, Sources } from './documents.ts'
import { textOf, visitLinks } from './markdown.ts'

const INDEX = 'docs/README.md'

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
 * Derives the navigation from `docs/README.md`: its headings are the sections, the links in its lists and tables are the
 * pages, in their order.
 */
export function navigationOf({ documents }: Sources): NavigationSection[] {
  const index = documents.find(({ source }) => source === INDEX)
  const sections: { title: string; entries: { label: string; document: Document; below: NavigationEntry[] }[] }[] = []
  for (const token of index?.tokens ?? []) {
    if (token.type === 'heading') {
      if (token.depth === 2) sections.push({ title: textOf(token.tokens ?? []), entries: [] })
      continue
    }
    if (token.type !== 'list' && token.type !== 'table') continue
    const entries = sections.at(-1)?.entries
    visitLinks([token], (href, label) => {
      const source = posix.join('docs', href.split('#')[0] ?? '')
      const document = documents.find((candidate) => candidate.source === source)
      if (!document || !entries) return
      const parent = entries.find((entry) => isBelow(document, entry.document))
      ;(parent?.below ?? entries).push({ label, document, below: [] })
    })
  }
  return sections.filter(({ entries }) => entries.length > 0)
}

/** `how-to/convert/jira` is below `how-to/convert-an-export`. */
const isBelow = ({ path }: Document, parent: Document) =>
  path.split('/').length > 2 && parent.path.startsWith(posix.dirname(path))

/** Returns the pages in reading order. */
export const readingOrder = (sections: readonly NavigationSection[]): NavigationEntry[] =>
  sections.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...entry.below]))

/** Returns pages that the navigation does not reach, as problems. A list of decisions leads to each decision. */
export function pagesWithoutPlace(sources: Sources): string[] {
  const placed = new Set(readingOrder(navigationOf(sources)).map(({ document }) => document.source))
  const decisions = sources.documents.find(({ source }) => source === 'docs/decisions/README.md')
  visitLinks(decisions?.tokens ?? [], (href) => placed.add(posix.join('docs/decisions', href)))
  return sources.documents
    .filter(({ source }) => source !== INDEX && !placed.has(source))
    .map(({ source }) =>
      source.startsWith('docs/decisions/')
        ? `${source}: list it in docs/decisions/README.md`
        : `${source}: link to it from ${INDEX}, which is the navigation of the help`,
    )
}
