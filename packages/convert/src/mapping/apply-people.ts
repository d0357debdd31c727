import { readAddress } from '../text/addresses.ts'
import { isWithin } from '../text/limits.ts'
import { type ApplyDeps, type Cell, type Outcome, toNotes } from './cell.ts'
import type { Draft } from './draft.ts'

const REPORTER = { 'reporter.name': 'name', 'reporter.email': 'email', 'reporter.phone': 'phone' } as const
const REPORTER_CHARACTERS = { name: 255, email: 255, phone: 64 } as const

/** Sets a part of the reporter. `Mari <mari@example.ee>` has two. */
export function applyReporter(cell: Cell, target: keyof typeof REPORTER, draft: Draft): Outcome {
  const { reporter } = draft
  const field = REPORTER[target]
  const address = field === 'phone' ? undefined : readAddress(cell.value)
  if (address && reporter.email === undefined) {
    reporter.email = address.email
    if (address.name === '' || address.name === reporter.name) return undefined
    if (reporter.name !== undefined || !isWithin(address.name, 255)) {
      return toNotes(cell, draft, { code: 'reporter-email-and-notes' })
    }
    reporter.name = address.name
    return undefined
  }
  if (reporter[field] === cell.value) return undefined
  // A name in a column of addresses still is a name.
  const free = field === 'email' ? 'name' : field
  if (address || reporter[free] !== undefined || !isWithin(cell.value, REPORTER_CHARACTERS[free])) {
    return toNotes(cell, draft)
  }
  reporter[free] = cell.value
  return free === field ? undefined : { code: 'reporter-name' }
}

/** Sets the assignee or the supervisor, who are known by their email only. */
export function applyPerson(cell: Cell, target: 'assignee' | 'supervisor', draft: Draft): Outcome {
  const address = readAddress(cell.value)
  if (!address) return toNotes(cell, draft, { code: 'notes-no-email' })
  if (draft.fields[target] !== undefined) return toNotes(cell, draft)
  draft.fields[target] = address.email
  return address.name === '' ? undefined : toNotes(cell, draft, { code: 'person-name-in-notes', detail: target })
}

/** Adds tags or addresses. Each part of the cell that has no place is accounted for on its own. */
export function applyList(
  cell: Cell,
  target: 'watchers' | 'ccEmails' | 'tags',
  draft: Draft,
  { mapping, account }: ApplyDeps,
): Outcome {
  const parts = mapping.split(cell.value)
  for (const value of parts) {
    const part = { ...cell, value }
    const became = target === 'tags' ? applyTag(part, draft) : applyAddress(part, draft.lists[target], draft)
    if (became !== undefined) account.add(cell.place, cell.column, value, became)
  }
  return parts.length === 0 ? { code: 'left-out-separators' } : undefined
}

function applyTag(cell: Cell, draft: Draft): Outcome {
  if (!isWithin(cell.value, 255)) return toNotes(cell, draft, { code: 'notes-long-tag' })
  if (!draft.lists.tags.includes(cell.value)) draft.lists.tags.push(cell.value)
  return undefined
}

function applyAddress(cell: Cell, list: string[], draft: Draft): Outcome {
  const address = readAddress(cell.value)
  if (!address) return toNotes(cell, draft, { code: 'notes-no-email' })
  if (!list.includes(address.email)) list.push(address.email)
  return address.name === '' ? undefined : toNotes(cell, draft, { code: 'address-name-in-notes' })
}
