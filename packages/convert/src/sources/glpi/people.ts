import { addPeople, addPerson, addReporter } from '../../parts/people.ts'
import type { SourcePerson } from '../../source.ts'

/** The people of a ticket, by what they have to do with it. */
export interface TicketPeople {
  readonly requesters: readonly SourcePerson[]
  readonly technicians: readonly SourcePerson[]
  readonly observers: readonly SourcePerson[]
  /** Who typed the ticket in. */
  readonly writer?: SourcePerson | undefined
}

/** Adds the columns of the people. A package has one reporter and one assignee; the others keep their names. */
export function addTicketPeople(values: Map<string, string>, people: TicketPeople): void {
  const { technicians, observers, writer } = people
  // Without a requester, whoever typed the ticket in had the trouble.
  const [reporter, ...further] = people.requesters.length > 0 ? people.requesters : writer ? [writer] : []
  const assignee = technicians.find(({ email }) => email !== undefined) ?? technicians[0]
  addReporter(values, 'Requester', reporter)
  addPerson(values, 'Technician', assignee)
  addPeople(values, 'Observers', observers)
  addNames(values, 'Further requesters', further)
  addNames(
    values,
    'Further technicians',
    technicians.filter((technician) => technician !== assignee),
  )
  if (writer && !isSame(writer, reporter)) addNames(values, 'Writer', [writer])
}

function addNames(values: Map<string, string>, column: string, people: readonly SourcePerson[]): void {
  const texts = people.map(({ name, email }) => (name && email ? `${name} <${email}>` : (name ?? email ?? '')))
  if (texts.length > 0) values.set(column, texts.join(', '))
}

function isSame(a: SourcePerson, b: SourcePerson | undefined): boolean {
  return a.email === undefined ? a.name === b?.name : a.email === b?.email
}
