import type { Target } from '@plantroom/contract/conversion'
import { TICKET_STATES, type TicketState } from '@plantroom/contract/request-fields'
import { manifestSchema, type Schema } from '@plantroom/fpl/manifest-schema'
import type { SourceRecord } from '../source.ts'
import { cut, isWithin, storable } from '../text/limits.ts'
import { numberIn } from '../text/numbers.ts'
import { dateOf } from './apply-date.ts'
import { applyList, applyPerson, applyReporter } from './apply-people.ts'
import { type ApplyDeps, type Cell, type Outcome, toDescription, toNotes } from './cell.ts'
import { plain } from './compile.ts'
import { append, type Draft, emptyDraft } from './draft.ts'
import { provenState } from './evidence.ts'

const TITLE_CHARACTERS = 255

type ValuesOfRecord = Pick<SourceRecord, 'place' | 'values' | 'evidence'>

/** Applies the mapping to the columns of a record. What has no field goes to a text, and the account says so. */
export function applyColumns({ place, values, evidence }: ValuesOfRecord, deps: ApplyDeps): Draft {
  const draft = emptyDraft(deps.mapping.otherState)
  for (const [name, raw] of values) {
    const trimmed = raw.trim()
    if (trimmed === '') continue
    const { column, target } = deps.mapping.columnOf(name)
    const value = storable(trimmed)
    if (value !== trimmed) deps.account.add(place, column, value, { code: 'unstorable-character' })
    const became = applyCell({ place, column, value }, target, draft, deps)
    if (became !== undefined) deps.account.add(place, column, value, became)
  }
  decideState(place, draft, evidence, deps)
  return draft
}

/** Gives a request without a listed state the one that the source proves otherwise, or else the other state. */
function decideState(
  place: string,
  draft: Draft,
  evidence: TicketState | undefined,
  { mapping, account }: ApplyDeps,
): void {
  const { unlistedState } = draft
  if (draft.hasState && !unlistedState) return
  const proven = mapping.stateFromEvidence ? provenState(evidence, draft.fields.resolvedAt !== undefined) : undefined
  draft.isByEvidence = proven !== undefined
  draft.state = proven ?? mapping.otherState
  if (!unlistedState) return
  account.add(place, unlistedState.column, unlistedState.value, { code: 'other-state', detail: draft.state })
}

function applyCell(cell: Cell, target: Target, draft: Draft, deps: ApplyDeps): Outcome {
  const { column, value } = cell
  switch (target) {
    case 'omit':
      return { code: 'left-out' }
    case 'description+':
      return toDescription(cell, draft)
    case 'notes+':
      return toNotes(cell, draft)
    case 'description':
    case 'notes':
      return applyLongText(cell, target, draft)
    case 'comment':
      draft.comments.push(value)
      return { code: 'comment' }
    case 'attachments':
      draft.files.push({ column, value })
      return undefined
    case 'title':
      return applyTitle(cell, draft)
    case 'state':
      return applyState(cell, draft, deps)
    case 'priority':
      return applyPriority(cell, draft, deps)
    case 'reporter.name':
    case 'reporter.email':
    case 'reporter.phone':
      return applyReporter(cell, target, draft)
    case 'assignee':
    case 'supervisor':
      return applyPerson(cell, target, draft)
    case 'watchers':
    case 'ccEmails':
    case 'tags':
      return applyList(cell, target, draft, deps)
    case 'createdAt':
    case 'updatedAt':
    case 'resolvedAt':
    case 'stateChangedAt':
      return applyDate(cell, target, draft, deps)
    default:
      return applyField(cell, target, draft)
  }
}

function applyLongText(cell: Cell, target: 'description' | 'notes', draft: Draft): Outcome {
  if (draft[target].main.length > 0) return target === 'notes' ? toNotes(cell, draft) : toDescription(cell, draft)
  draft[target].main.push(cell.value)
  return undefined
}

function applyTitle(cell: Cell, draft: Draft): Outcome {
  if (draft.fields.title !== undefined) return toDescription(cell, draft)
  const line = cell.value.replaceAll(/(?<!\s)\s*[\r\n\u2028\u2029]+\s*/g, ' ')
  draft.fields.title = cut(line, TITLE_CHARACTERS)
  if (draft.fields.title === cell.value) return undefined
  append(draft.description, cell.column, cell.value)
  return { code: 'short-title' }
}

function applyState(cell: Cell, draft: Draft, { mapping }: ApplyDeps): Outcome {
  if (draft.hasState) return toNotes(cell, draft)
  draft.hasState = true
  const own = plain(cell.value).replaceAll(' ', '_')
  const state = mapping.stateOf(cell.value) ?? TICKET_STATES.find((name) => name === own)
  if (state) draft.state = state
  else {
    // What it becomes depends on columns that follow.
    draft.unlistedState = cell
    append(draft.notes, cell.column, cell.value)
  }
  return undefined
}

function applyPriority(cell: Cell, draft: Draft, { mapping }: ApplyDeps): Outcome {
  if (draft.fields.priority !== undefined) return toNotes(cell, draft)
  const listed = mapping.priorityOf(cell.value)
  if (listed === undefined) return toNotes(cell, draft, { code: 'notes-no-priority' })
  draft.fields.priority = listed
  return undefined
}

type DateTarget = 'createdAt' | 'updatedAt' | 'resolvedAt' | 'stateChangedAt'

function applyDate(cell: Cell, target: DateTarget, draft: Draft, deps: ApplyDeps): Outcome {
  if (draft.fields[target] !== undefined) return toDescription(cell, draft)
  const time = dateOf(cell, deps)
  if (time !== undefined) draft.fields[target] = time
  return undefined
}

const TRUE = new Set(['true', 'yes', 'y', '1', 'x', 'ja', 'wahr', 'jah', 'j'])
const FALSE = new Set(['false', 'no', 'n', '0', 'nein', 'falsch', 'ei'])
/** What the manifest accepts in each field. */
const RULES = manifestSchema.definitions.ticket.properties

function applyField(cell: Cell, target: keyof typeof RULES, draft: Draft): Outcome {
  if (draft.fields[target] !== undefined) return toNotes(cell, draft)
  const value = fieldValue(target, cell.value)
  if (value === undefined) return toNotes(cell, draft, { code: 'notes-unfit', detail: target })
  Object.assign(draft.fields, { [target]: value })
  return undefined
}

/** Returns the value in the form of the manifest, or undefined if the field cannot hold it. */
function fieldValue(target: keyof typeof RULES, value: string): unknown {
  const { enum: choices, type = [], maxLength = Number.POSITIVE_INFINITY }: Schema = RULES[target]
  if (choices) return choices.find((choice) => choice === plain(value).replaceAll(/[\s-]+/g, '_'))
  if (type.includes('boolean')) return TRUE.has(plain(value)) ? true : FALSE.has(plain(value)) ? false : undefined
  if (!type.includes('integer')) return isWithin(value, maxLength) ? value : undefined
  const number = numberIn(value)
  // 007 and 1e3 are more than the number they mean.
  return Number.isSafeInteger(number) && String(number) === value ? number : undefined
}
