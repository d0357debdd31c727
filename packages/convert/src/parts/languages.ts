import type { TicketState } from '@plantroom/contract/request-fields'
import { folded } from '../text/folded.ts'

/** The languages of a row of terms after English, in this order. */
export const LANGUAGES = ['de', 'fr', 'es', 'pt', 'pt-BR', 'it', 'nl', 'pl', 'et'] as const

/**
 * Words of a system's interface: by English term, the words of the other languages, `de | fr | es | …`. Words of other
 * versions follow after `/`, also in English. An empty cell means that the system writes the English term.
 */
export type Terms = Readonly<Record<string, string>>

type Priority = 0 | 1 | 2 | 3

/** The terms of a system by their meaning. */
export interface SystemTerms {
  readonly columns: Terms
  readonly states: Readonly<Partial<Record<TicketState, Terms>>>
  readonly priorities: Readonly<Partial<Record<Priority, Terms>>>
}

/** What a system writes, in any of its languages. */
export interface SystemLanguages {
  readonly terms: SystemTerms
  /** Returns the English name of a column. Case and accents do not count. An unknown header stays as it is. */
  columnOf(header: string): string
  /** By word. */
  readonly states: Readonly<Record<string, TicketState>>
  readonly priorities: Readonly<Record<string, Priority>>
}

export function createLanguages(terms: SystemTerms): SystemLanguages {
  const exact = new Map<string, string>()
  const alike = new Map<string, string>()
  for (const [term, cells] of Object.entries(terms.columns)) {
    const [english = term, ...others] = wordsOf(term, cells)
    for (const word of [english, ...others]) {
      // Two columns may share a word. The first of the table matters more.
      if (!exact.has(word)) exact.set(word, english)
      if (folded(word) !== '' && !alike.has(folded(word))) alike.set(folded(word), english)
    }
  }
  return {
    terms,
    columnOf: remembered((header) => exact.get(header.normalize('NFC')) ?? alike.get(folded(header)) ?? header),
    states: meanings(terms.states),
    priorities: meanings(terms.priorities, (key) => ([0, 1, 2, 3] as const).find((priority) => `${priority}` === key)),
  }
}

const MOST_REMEMBERED = 10_000

/** Every row of a list asks for the same few headers. */
function remembered(columnOf: (header: string) => string): (header: string) => string {
  const known = new Map<string, string>()
  return (header) => {
    const before = known.get(header)
    if (before !== undefined) return before
    if (known.size === MOST_REMEMBERED) known.clear()
    const column = columnOf(header)
    known.set(header, column)
    return column
  }
}

/** Returns a term in all languages, each word once, the English one first. */
export function wordsOf(term: string, cells: string): string[] {
  return [...new Set([...splitWords(term), ...cells.split('|').flatMap(splitWords)])]
}

const splitWords = (cell: string) => cell.split(' / ').flatMap((word) => word.trim() || [])

function meanings<Key extends string | number>(
  table: Readonly<Partial<Record<Key, Terms>>>,
  meaningOf: (key: string) => Key | undefined = (key) => key as Key,
): Record<string, Key> {
  const byWord: Record<string, Key> = {}
  for (const [key, terms] of Object.entries<Terms | undefined>(table)) {
    const meaning = meaningOf(key)
    if (meaning === undefined) continue
    for (const [term, cells] of Object.entries(terms ?? {})) {
      for (const word of wordsOf(term, cells)) byWord[word] = meaning
    }
  }
  return byWord
}
