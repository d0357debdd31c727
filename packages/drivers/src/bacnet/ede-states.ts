import { csvLine } from '@plantroom/base/csv'
import type { FoundConnection, FoundDatapoint } from '@plantroom/contract/discovery'
import { excerpt } from '../excerpt.ts'
import { readTable } from './ede-table.ts'

/** The names of states by their reference number. */
export type StateTexts = ReadonlyMap<number, readonly string[]>

const FIRST_CELL = /^"?(?:#? ?reference number|\d{1,7})"? ?([;\t,])/im
const MAX_STATES = 1000

/** Reads the file of state texts of an EDE file. Warns of the lines that it cannot use. */
export function readStateTexts(text: string): { stateTexts: StateTexts; warnings: string[] } {
  const stateTexts = new Map<number, readonly string[]>()
  const warnings: string[] = []
  for (const { line, cells } of readTable(text, FIRST_CELL)) {
    const [first = '', ...others] = cells.map((cell) => cell.trim())
    if (first.startsWith('#') || /^reference number$/i.test(first)) continue
    const names = others.slice(0, others.findLastIndex((name) => name !== '') + 1)
    if (first === '' && names.length === 0) continue
    const reference = referenceOf(first)
    const problem = problemOf(first, names, stateTexts)
    if (reference === undefined || problem !== undefined) warnings.push(`state texts, line ${line}: ${problem}`)
    else stateTexts.set(reference, names)
  }
  return { stateTexts, warnings }
}

function problemOf(first: string, names: readonly string[], known: StateTexts): string | undefined {
  const reference = referenceOf(first)
  if (reference === undefined) return `the reference number ${excerpt(first) || 'nothing'} must be a whole number`
  if (known.has(reference)) return `the reference number ${reference} is there twice: the first one counts`
  if (names.length === 0) return `the reference number ${reference} has no texts`
  if (names.length > MAX_STATES) return `the reference number ${reference} has more than ${MAX_STATES} texts`
  const empty = names.indexOf('')
  return empty < 0 ? undefined : `text ${empty + 1} of the reference number ${reference} is empty: it was left out`
}

const referenceOf = (text: string) => (/^\d{1,7}$/.test(text) ? Number(text) : undefined)

/**
 * Returns the names of the states of an object whose line refers to them, or why it has none; `undefined` where there is
 * nothing to say. A binary object has two: inactive first, then active.
 */
export function statesFor(
  reference: string,
  isBinary: boolean,
  stateTexts: StateTexts,
): { states: readonly string[] } | { problem: string } | undefined {
  if (reference === '') return undefined
  const number = referenceOf(reference)
  if (number === undefined) return { problem: `${excerpt(reference)} must be a reference number of the state texts` }
  const states = stateTexts.get(number)
  if (!states) return { problem: `${number} is not among the state texts, so its states have no names here` }
  if (isBinary && states.length !== 2) {
    return { problem: `${number} has ${states.length} texts, but a binary object has two states` }
  }
  return { states }
}

/** Numbers each list of states that datapoints have, as the lines of a file of state texts. */
export function stateTextsOf(connections: readonly FoundConnection[]): {
  referenceOf(datapoint: FoundDatapoint): number | ''
  /** The file; `undefined` when no datapoint has names of states. */
  file: string | undefined
} {
  const references = new Map<string, number>()
  const keyOf = ({ data }: FoundDatapoint) => (Array.isArray(data.states) ? JSON.stringify(data.states) : undefined)
  for (const key of connections.flatMap(({ datapoints }) => datapoints.map(keyOf))) {
    if (key !== undefined && !references.has(key)) references.set(key, references.size + 1)
  }
  const lists = [...references].map(([key, number]) => [number, ...(JSON.parse(key) as string[])])
  const width = Math.max(2, ...lists.map(({ length }) => length - 1))
  const titles = Array.from({ length: width }, (_, index) => TITLES[index] ?? `Text ${index + 1}`)
  const lines = [['#State Text Reference'], ['#Reference Number', ...titles], ...lists]
  return {
    referenceOf: (datapoint) => references.get(keyOf(datapoint) ?? '') ?? '',
    file: lists.length === 0 ? undefined : lines.map((cells) => csvLine(cells, ';')).join(''),
  }
}

const TITLES = ['Text 1 or Inactive-Text', 'Text 2 or Active-Text']
