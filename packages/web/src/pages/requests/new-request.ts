import type { OperationInput } from '@plantroom/client/client'
import type { Person } from '@plantroom/contract/tickets'
import { newRequest } from '../../texts/requests.ts'
import { readPriority } from './request-filters.ts'

const MAX_TITLE = 255
/** The limit of longer texts, in characters. */
export const MAX_TEXT = 50_000

/** Choices of the reporter beside the people of the site, who are chosen by address. */
export const MYSELF = 'myself'
export const SOMEONE_ELSE = 'someone-else'

/** The form of a new request as it is filled in. */
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

/** Returns the errors of the form, by field. */
export function problemsOf(filled: NewRequest): Partial<Record<keyof NewRequest, string>> {
  const title = filled.title.trim()
  return {
    ...(title === '' && { title: newRequest.blankTitle }),
    ...(title.length > MAX_TITLE && { title: newRequest.longTitle }),
    ...(filled.description.length > MAX_TEXT && { description: newRequest.longDescription }),
    ...(filled.reporter === SOMEONE_ELSE &&
      [filled.name, filled.email, filled.phone].every((text) => text.trim() === '') && {
        name: newRequest.namelessReporter,
      }),
  }
}

/** Returns the body of the request to add, without empty fields. The service defaults the reporter to the signed-in person. */
export function toBody(filled: NewRequest): OperationInput<'addRequest'>['body'] {
  const { priority, unit, assignee } = filled
  const reporter = reporterOf(filled)
  return {
    title: filled.title.trim(),
    ...(filled.description.trim() !== '' && { description: filled.description }),
    ...(priority !== null && { priority: readPriority(priority) }),
    ...(unit !== null && { unit }),
    ...(assignee !== null && { assignee }),
    ...(reporter && { reporter }),
  }
}

function reporterOf({ reporter, name, email, phone }: NewRequest): Partial<Person> | undefined {
  if (reporter === MYSELF) return undefined
  if (reporter !== SOMEONE_ELSE) return { email: reporter }
  const given = { name: name.trim(), email: email.trim(), phone: phone.trim() }
  return Object.fromEntries(Object.entries(given).filter(([, text]) => text !== ''))
}
