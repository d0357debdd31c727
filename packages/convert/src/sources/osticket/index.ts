import { placeOf, readElements } from '../../json/read-elements.ts'
import { idText } from '../../json/values.ts'
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
  for (const path of surveyed.tickets) {
    for await (const element of readElements(path, { isList })) {
      if (kindOf(path, element) !== 'ticket') continue
      const place = placeOf(path, element.line)
      const id = idText(element.value.id)
      const first = places.get(id ?? '')
      if (id === undefined) {
        problems.add({ place, column: 'id', message: 'the ticket has no id; export the database again' })
      } else if (first !== undefined) {
        problems.add({ place, column: 'id', message: `ticket ${id} is already in ${first}; keep the newer of the two` })
      } else {
        places.set(id, place)
        const valuesOf = async (kind: string) => (await surveyed.index.of(`${kind} ${id}`)).map(({ value }) => value)
        const parts = { answers: await valuesOf('value'), entries: await valuesOf('entry') }
        yield toRecord(id, element.value, parts, surveyed)
      }
    }
  }
  for (const { owner, place } of surveyed.index.owners()) {
    const [kind, ticket = ''] = owner.split(' ')
    if (kind !== 'entry' || places.has(ticket)) continue
    const message = `the entry belongs to ticket ${ticket}, which is not in the files; export the database again`
    problems.add({ place, column: 'ticket_id', message })
  }
  problems.throwIfAny()
}
