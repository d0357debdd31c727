import { eachTicket } from '../../json/each-ticket.ts'
import type { JsonElement } from '../../json/read-elements.ts'
import { createProblemList } from '../../problems.ts'
import type { SourceKind, SourceRecord } from '../../source.ts'
import { defaultMapping } from './default-mapping.ts'
import { isList, kindOf, type Survey, survey } from './survey.ts'
import { toRecord } from './ticket.ts'

/** Rows of the database of osTicket as JSON, in any number of files. */
export const osticket: SourceKind = {
  name: 'osticket',
  label: 'osTicket',
  defaultMapping,
  async open(inputs) {
    const surveyed = await survey(inputs)
    return {
      records: () => records(surveyed),
      [Symbol.asyncDispose]: () => surveyed[Symbol.asyncDispose](),
    }
  },
}

async function* records(surveyed: Survey): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  const places = new Map<string, string>()
  const files = {
    paths: surveyed.tickets,
    isList,
    isTicket: (path: string, element: JsonElement) => kindOf(path, element) === 'ticket',
    remedy: 'export the database again',
  }
  for await (const { id, value } of eachTicket(files, places, problems)) {
    const valuesOf = async (kind: string) => (await surveyed.index.of(`${kind} ${id}`)).map((row) => row.value)
    yield toRecord(id, value, { answers: await valuesOf('value'), entries: await valuesOf('entry') }, surveyed)
  }
  for (const { owner, place } of surveyed.index.owners()) {
    const [kind, ticket = ''] = owner.split(' ')
    if (kind !== 'entry' || places.has(ticket)) continue
    const message = `the entry belongs to ticket ${ticket}, which is not in the files; export the database again`
    problems.add({ place, column: 'ticket_id', message })
  }
  problems.throwIfAny()
}
