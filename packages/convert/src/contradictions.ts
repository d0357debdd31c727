import type { ConversionNote, NoteCode } from '@plantroom/contract/conversion-notes'
import type { TicketState } from '@plantroom/contract/request-fields'
import { note, quoted } from './notes.ts'

/** What is compared of a request. Times are those of a manifest, which sort like texts. */
interface Compared {
  readonly state: TicketState
  readonly createdAt?: string | null | undefined
  readonly updatedAt?: string | null | undefined
  readonly resolvedAt?: string | null | undefined
  readonly stateChangedAt?: string | null | undefined
  readonly isTitleOfField: boolean
}

/** Counts what does not fit together in the requests of a conversion, so that a wrong mapping cannot pass unnoticed. */
export interface Contradictions {
  look(place: string, request: Compared): void
  /** Call it after the last request. */
  found(): ConversionNote[]
}

const MOST_EXAMPLES = 5
/** Fewer requests of one state are nothing special. */
const ENOUGH = 20
const DONE: ReadonlySet<TicketState> = new Set(['resolved', 'closed'])
const FINAL: ReadonlySet<TicketState> = new Set([...DONE, 'canceled'])

interface Tally {
  count: number
  readonly examples: string[]
}

/** `now` in milliseconds. Without it, no date is in the future. */
export function createContradictions(now?: number): Contradictions {
  const tallies = new Map<NoteCode, Tally>()
  const states = new Set<TicketState>()
  const present = now === undefined ? undefined : new Date(now).toISOString()
  let requests = 0
  let hasResolvedDate = false

  const count = (code: NoteCode, place: string) => {
    const tally = tallies.get(code) ?? { count: 0, examples: [] }
    tally.count += 1
    if (tally.examples.length < MOST_EXAMPLES) tally.examples.push(quoted(place))
    tallies.set(code, tally)
  }

  return {
    look(place, { state, createdAt, updatedAt, resolvedAt, stateChangedAt, isTitleOfField }) {
      requests += 1
      states.add(state)
      if (!createdAt) count('undated', place)
      if (resolvedAt) {
        if (DONE.has(state)) hasResolvedDate = true
        if (!FINAL.has(state)) count('open-but-resolved', place)
        if (createdAt && createdAt > resolvedAt) count('resolved-before-created', place)
      } else if (DONE.has(state)) count('done-without-date', place)
      if (isTitleOfField) count('titles-of-fields', place)
      if (present === undefined) return
      if ([createdAt, updatedAt, resolvedAt, stateChangedAt].some((at) => at && at > present)) {
        count('future-dates', place)
      }
    },
    found() {
      // A source without such dates proves nothing.
      if (!hasResolvedDate) tallies.delete('done-without-date')
      const [state] = states
      return [
        ...(states.size === 1 && requests > ENOUGH
          ? [note('one-state', { count: requests, ...(state && { subject: state }) })]
          : []),
        ...[...tallies].map(([code, { count: times, examples }]) => note(code, { count: times, values: examples })),
      ]
    },
  }
}
