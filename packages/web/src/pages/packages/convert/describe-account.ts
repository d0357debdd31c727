import type { Unplaced } from '@plantroom/contract/conversion-account'
import type { ConversionNote, NoteCode } from '@plantroom/contract/conversion-notes'
import type { TicketState } from '@plantroom/contract/request-fields'
import { listed } from '../../../parts/value.ts'
import { conversionAccount as texts } from '../../../texts/conversion-account.ts'
import { convert } from '../../../texts/convert.ts'
import { findText, format, formatNumber, partsOf } from '../../../texts/format.ts'
import { states } from '../../../texts/requests.ts'
import { targetName } from './target-name.ts'

/** More values would hide the sentence that they belong to. */
const LISTED = 10

/** What was assumed, in the language of the page. */
export function describeNote(note: ConversionNote): string {
  const { code, subject = '', count = 0, dayFirst = 0, monthFirst = 0, from } = note
  const message = code === 'zone-assumed' && from === 'site' ? texts.siteZone : findText(texts.notes, code)
  // A service that is newer than this page may assume something else.
  if (message === undefined) return note.text
  const order = findText(convert.mapping.orders, subject) ?? subject
  const known = { state: states.new, done: states.resolved, one: findText(states, subject as TicketState) ?? subject }
  const values = { ...known, subject, count, dayFirst, monthFirst, order, values: listOf(note) }
  return partsOf<string | number>(message, values).join('')
}

/** Notes whose values are places. */
const PLACED: ReadonlySet<NoteCode> = new Set<NoteCode>([
  ...(['open-but-resolved', 'done-without-date', 'future-dates', 'resolved-before-created'] as const),
  ...(['undated', 'titles-of-fields'] as const),
])

function listOf({ code, values = [], counts, more = 0 }: ConversionNote): string {
  const text = (value: string, at: number) => (counts ? `${value} (${formatNumber(counts[at] ?? 0)})` : value)
  const first = values.slice(0, LISTED).map(PLACED.has(code) ? describePlace : text)
  const others = values.length - first.length + more
  return others === 0 ? listed(first) : format(texts.andMore, { values: first.join(', '), count: others })
}

/** What became of values without a field of their own, in the language of the page. */
export function describeUnplaced({ code, became, detail = '' }: Pick<Unplaced, 'code' | 'became' | 'detail'>): string {
  const message = findText(texts.became, code)
  if (message === undefined) return became
  return partsOf(message, { field: targetName(detail), state: findText(states, detail as TicketState) ?? detail }).join(
    '',
  )
}

const WORD = /^([a-z]+) (.+)$/

/** Where a value stands, such as “ticket 35, comment 2” or “row 13 (record 11)”, in the language of the page. */
export function describePlace(place: string): string {
  const bracket = place.endsWith(')') ? place.lastIndexOf(' (', place.length - 4) : -1
  if (bracket > 0) {
    return `${describePlace(place.slice(0, bracket))} (${describePlace(place.slice(bracket + 2, -1))})`
  }
  return place.split(', ').map(describeStep).join(', ')
}

function describeStep(step: string): string {
  const [, word = '', id = ''] = WORD.exec(step) ?? []
  const message = findText(texts.places, word)
  return message === undefined ? step : partsOf(message, { id }).join('')
}

/** Parts of an author have no column in the export; the others are names of columns or fields. */
export const describeColumn = (column: string): string => findText(texts.authors, column) ?? column
