import type { Account } from '../account.ts'
import type { ProblemList } from '../problems.ts'
import type { UnplacedOutcome } from '../unplaced-outcome.ts'
import type { CompiledMapping } from './compile.ts'
import { append, type Draft } from './draft.ts'

export interface ApplyDeps {
  readonly mapping: CompiledMapping
  readonly account: Account
  readonly problems: ProblemList
}

/** One value on its way into a request. */
export interface Cell {
  readonly place: string
  readonly column: string
  readonly value: string
}

/** What a value became that has no field of its own; undefined for a value that is in its field. */
export type Outcome = UnplacedOutcome | undefined

export function toDescription({ column, value }: Cell, draft: Draft): Outcome {
  append(draft.description, column, value)
  return { code: 'description' }
}

export function toNotes({ column, value }: Cell, draft: Draft, became: UnplacedOutcome = { code: 'notes' }): Outcome {
  append(draft.notes, column, value)
  return became
}
