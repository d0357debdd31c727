import type { TicketChanges } from '@plantroom/client/tickets'
import type { Person } from '@plantroom/contract/tickets'
import { newRequest } from '../../texts/requests.ts'

const MAX_TITLE = 255
/** Letters of any longer text. */
export const MAX_WRITTEN = 50_000

/** Whoever is signed in, or somebody who is told by name; else the address of someone of the site. */
export const MYSELF = 'myself'
export const SOMEONE_ELSE = 'someone-else'

/** A form for a new request, as it is filled in. */
export interface NewRequest {
  title: string
  description: string
  priority: string | null
  unit: string | null
  assignee: string | null
  reporter: string
  name: string
  email: string
  phone: string
}

export const BLANK: NewRequest = {
  title: '',
  description: '',
  priority: null,
  unit: null,
  assignee: null,
  reporter: MYSELF,
  name: '',
  email: '',
  phone: '',
}

/** What has to be mended before it can be sent, by the field that it is about. */
export function problemsOf(filled: NewRequest): Partial<Record<keyof NewRequest, string>> {
  const title = filled.title.trim()
  return {
    ...(title === '' && { title: newRequest.blankTitle }),
    ...(title.length > MAX_TITLE && { title: newRequest.longTitle }),
    ...(filled.description.length > MAX_WRITTEN && { description: newRequest.longDescription }),
    ...(filled.reporter === SOMEONE_ELSE &&
      [filled.name, filled.email, filled.phone].every((text) => text.trim() === '') && {
        name: newRequest.namelessReporter,
      }),
  }
}

/** What is sent; what was left empty is left out. The service takes whoever is signed in for the reporter. */
export function toAdded(filled: NewRequest): TicketChanges & { title: string; reporter?: Partial<Person> } {
  const { priority, unit, assignee } = filled
  const reporter = reporterOf(filled)
  return {
    title: filled.title.trim(),
    ...(filled.description.trim() !== '' && { description: filled.description }),
    ...(priority !== null && { priority: Number(priority) }),
    ...(unit !== null && { unit }),
    ...(assignee !== null && { assignee }),
    ...(reporter && { reporter }),
  }
}

function reporterOf({ reporter, name, email, phone }: NewRequest): Partial<Person> | undefined {
  if (reporter === MYSELF) return undefined
  if (reporter !== SOMEONE_ELSE) return { email: reporter }
  const said = { name: name.trim(), email: email.trim(), phone: phone.trim() }
  return Object.fromEntries(Object.entries(said).filter(([, text]) => text !== ''))
}
