import type { Account } from '../account.ts'
import type { ProblemList } from '../problems.ts'
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

/** What a value without a field of its own became; undefined for a value that is in its field. */
export type Became = string | undefined

export function toDescription({ column, value }: Cell, draft: Draft): Became {
  append(draft.description, column, value)
  return 'part of the description'
}

export function toNotes({ column, value }: Cell, draft: Draft, became = 'part of the notes'): Became {
  append(draft.notes, column, value)
  return became
}
