import MiniSearch from 'minisearch'
import { snippet } from './snippet.ts'

/** The address of the text of all pages. The build fills it in. */
declare const SEARCH_DATA: string

const MOST_RESULTS = 20
/** Decisions and the changelog repeat words of the pages that people look for. */
const LESS = 0.4

/** As `tools/src/build-help/search-data.ts` writes it. */
export interface SearchPage {
  address: string
  title: string
  part: string
  sections: readonly [anchor: string, heading: string, text: string][]
}

export interface Result {
  address: string
  title: string
  heading: string
  part: string
  snippet: readonly { text: string; found: boolean }[]
}

/** Finds sections with all of the words, or with any of them. */
export type Search = (words: string, which?: 'all' | 'any') => Result[]

/** Loads the text of all pages and indexes it. */
export async function loadSearch(): Promise<Search> {
  const answer = await fetch(SEARCH_DATA)
  if (!answer.ok) throw new Error(`the text of the help answered with ${answer.status}`)
  return createSearch((await answer.json()) as SearchPage[])
}

/** Finds sections by words, also by their beginnings and with small typing errors. */
export function createSearch(pages: readonly SearchPage[]): Search {
  const sections = pages.flatMap(({ address, title, part, sections: inside }) =>
    inside.map(([anchor, heading, text]) => ({
      address: anchor === '' ? address : `${address}#${anchor}`,
      title,
      part,
      heading: anchor === '' ? '' : heading,
      text,
    })),
  )
  const index = new MiniSearch({
    fields: ['heading', 'title', 'text'],
    searchOptions: {
      boost: { heading: 4, title: 3 },
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : 0),
      boostDocument: (id) => (isLess(sections[id]?.address ?? '') ? LESS : 1),
    },
  })
  index.addAll(sections.map((section, id) => ({ ...section, id })))
  return (words, which = 'all') =>
    index
      .search(words, { combineWith: which === 'all' ? 'AND' : 'OR' })
      .slice(0, MOST_RESULTS)
      .flatMap(({ id, terms }) => {
        const section = sections[id]
        return section ? [{ ...section, snippet: snippet(section.text, terms) }] : []
      })
}

const isLess = (address: string) => /^\/help\/(decisions\/|changelog)/.test(address)
