import type { TicketState } from '@plantroom/contract/request-fields'
import type { ManifestTicket } from '@plantroom/fpl/manifest'
import { cut } from '../text/limits.ts'

type Writable<Type> = { -readonly [Name in keyof Type]: Type[Name] }

/** A request while its columns are applied. */
export interface Draft {
  readonly fields: Writable<Partial<ManifestTicket>>
  state: TicketState
  hasState: boolean
  /** A value that the mapping does not list. */
  unlistedState: { readonly column: string; readonly value: string } | undefined
  /** True if something else than the name of a status decided the state. */
  isByEvidence: boolean
  readonly reporter: { name?: string; email?: string; phone?: string }
  /** Texts in order: the column itself first, then what was appended. */
  readonly description: { main: string[]; appended: string[] }
  readonly notes: { main: string[]; appended: string[] }
  readonly lists: Record<'tags' | 'watchers' | 'ccEmails', string[]>
  /** Contents of comments from columns. */
  readonly comments: string[]
  /** Names of files from columns, with their column. */
  readonly files: { column: string; value: string }[]
}

export function emptyDraft(state: TicketState): Draft {
  return {
    fields: {},
    state,
    hasState: false,
    unlistedState: undefined,
    isByEvidence: false,
    reporter: {},
    description: { main: [], appended: [] },
    notes: { main: [], appended: [] },
    lists: { tags: [], watchers: [], ccEmails: [] },
    comments: [],
    files: [],
  }
}

/** Appends a value under the name of its column. */
export function append(texts: { appended: string[] }, column: string, value: string): void {
  texts.appended.push(value.includes('\n') ? `${column}:\n${value}` : `${column}: ${value}`)
}

export function joined({
  main,
  appended,
}: {
  main: readonly string[]
  appended: readonly string[]
}): string | undefined {
  const parts = [...main, ...(appended.length > 0 ? [appended.join('\n')] : [])]
  return parts.length === 0 ? undefined : parts.join('\n\n')
}

/**
 * Returns a title for a request without one: the first line that says something. `isOfField`: it is not from a text, but
 * from some other field.
 */
export function derivedTitle(draft: Draft, externalId: string): { title: string; isOfField: boolean } {
  const firstLine = (texts: readonly string[]) =>
    texts.flatMap((text) => text.split('\n')).find((text) => text.trim() !== '')
  const line = firstLine([...draft.description.main, ...draft.comments])
  const other = line ?? firstLine([...draft.description.appended, ...draft.notes.main]) ?? `Request ${externalId}`
  return { title: cut(other.trim(), 255), isOfField: line === undefined }
}
