import type { Language } from '@plantroom/contract/languages'
import MiniSearch from 'minisearch'
import { snippet } from './snippet.ts'
import { fold, wordsOf } from './words.ts'

const MOST_RESULTS = 12
/** Results with less than this part of the best score share only a common word with the question. */
const LEAST = 0.05
const API = '/docs/'
/** Decisions and the changelog repeat words of the pages that people look for. */
const LESS = 0.4
/** A short answer beside the page that one is on comes before a chapter. */
const MORE = 1.3
/** In the API reference, people look for operations. */
const MOST = 4
/** Longer words are no typing errors, and slow to compare. */
const LONGEST = 40
/** A word of the question counts more than another word with its meaning. */
const MEANING = 0.6

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

/** Finds sections with any of the words; the more of them a section has, the earlier it comes. */
export type Search = (words: string) => Result[]

/** Loads the text of all pages of a language and indexes it. `here` is the address of the page with the search. */
export async function loadSearch(address: string, language: Language, here: string): Promise<Search> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`the text of the help answered with ${answer.status}`)
  return createSearch((await answer.json()) as SearchPage[], language, here)
}

/** Finds sections by words, their beginnings and their synonyms, also with typing errors. */
export function createSearch(pages: readonly SearchPage[], language: Language, here = ''): Search {
  const sections = pages.flatMap(({ address, title, part, sections: inside }) =>
    inside.map(([anchor, heading, text]) => ({
      address: anchor === '' ? address : `${address}#${anchor}`,
      title,
      part,
      heading: anchor === '' ? '' : heading,
      text,
    })),
  )
  const words = wordsOf(language)
  const index = new MiniSearch({
    fields: ['heading', 'title', 'text'],
    processTerm(term) {
      const word = fold(term)
      return words.isStopWord(word) ? null : [word, ...words.meaningsOf(word)]
    },
    searchOptions: {
      combineWith: 'OR',
      boost: { heading: 4, title: 3 },
      boostTerm: (term) => (isMeaning(term) ? MEANING : 1),
      prefix: (term) => !isMeaning(term) && term.length > 2,
      fuzzy: (term) => (!isMeaning(term) && term.length > 3 && term.length < LONGEST ? 0.2 : 0),
      boostDocument: (id) => weightOf(sections[id]?.address ?? '', here),
    },
  })
  index.addAll(sections.map((section, id) => ({ ...section, id })))
  return (question) => {
    const found = index.search(question)
    const least = (found[0]?.score ?? 0) * LEAST
    return found
      .filter(({ score }) => score >= least)
      .slice(0, MOST_RESULTS)
      .flatMap(({ id, terms }) => {
        const section = sections[id]
        const marked = terms.flatMap((term) => (isMeaning(term) ? words.wordsFor(term) : term))
        return section ? [{ ...section, snippet: snippet(section.text, marked) }] : []
      })
  }
}

const isMeaning = (term: string) => term.startsWith('=')

function weightOf(address: string, here: string): number {
  if (/^\/help\/(decisions\/|changelog)/.test(address)) return LESS
  if (address.startsWith(API)) return here.startsWith(API) ? MOST : LESS
  return address.startsWith('/help/console/') ? MORE : 1
}
