import type { ShownTicket } from '@plantroom/contract/api'

/** The texts of a request that people edit together. */
export const TEXT_FIELDS = ['title', 'description', 'notes', 'resolutionSummary'] as const
export type TextField = (typeof TEXT_FIELDS)[number]
export type Texts = Record<TextField, string>

/** Someone else's text of a field that was edited here, too. */
export interface Conflict {
  field: TextField
  theirs: string
}

export function textsOf(ticket: Pick<ShownTicket, TextField>): Texts {
  const { title, description, notes, resolutionSummary } = ticket
  return { title, description: description ?? '', notes: notes ?? '', resolutionSummary: resolutionSummary ?? '' }
}

/** Returns the fields that differ from what was loaded, as the service takes them, with what was loaded. */
export function changesOf(seen: Pick<ShownTicket, TextField>, typed: Texts) {
  const before = textsOf(seen)
  const changed = TEXT_FIELDS.filter((field) => typed[field] !== before[field])
  const toValue = (field: TextField, text: string) =>
    field === 'title' ? text.trim() : text.trim() === '' ? null : text
  return {
    isChanged: changed.length > 0,
    changes: Object.fromEntries(changed.map((field) => [field, toValue(field, typed[field])])),
    before: Object.fromEntries(changed.map((field) => [field, seen[field]])),
  }
}

/**
 * Brings someone else's changes into a form: fields that were not edited here take the new text, edited ones keep what was
 * typed and become conflicts unless both texts are the same.
 */
export function mergeTexts(
  seen: Pick<ShownTicket, TextField>,
  now: Pick<ShownTicket, TextField>,
  typed: Texts,
): { typed: Texts; conflicts: Conflict[] } {
  const [before, after] = [textsOf(seen), textsOf(now)]
  const merged = { ...typed }
  const conflicts: Conflict[] = []
  for (const field of TEXT_FIELDS) {
    if (after[field] === before[field]) continue
    if (typed[field] === before[field]) merged[field] = after[field]
    else if (typed[field] !== after[field]) conflicts.push({ field, theirs: after[field] })
  }
  return { typed: merged, conflicts }
}
