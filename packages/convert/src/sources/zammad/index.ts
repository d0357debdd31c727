import { placeOf, readElements } from '../../json/read-elements.ts'
import { idText } from '../../json/values.ts'
import { createProblemList } from '../../problems.ts'
import type { SourceKind, SourceRecord } from '../../source.ts'
import { defaultMapping } from './default-mapping.ts'
import { isList, kindOf, type Survey, survey } from './survey.ts'
import { toRecord } from './ticket.ts'

/** Replies of the REST API of Zammad: tickets, articles, users and tags, in any number of files. */
export const zammad: SourceKind = {
  name: 'zammad',
  label: 'Zammad',
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
        problems.add({ place, column: 'id', message: 'the ticket has no id; save the reply again' })
      } else if (first !== undefined) {
        // A ticket that changes between two pages is on both.
        problems.add({ place, column: 'id', message: `ticket ${id} is already in ${first}; keep the newer of the two` })
      } else {
        places.set(id, place)
        const articles = await surveyed.articles.of(id)
        const values = articles.map(({ value }) => value)
        yield toRecord(id, element.value, values, surveyed)
      }
    }
  }
  for (const { owner, place } of surveyed.articles.owners()) {
    if (places.has(owner)) continue
    const message = `the article belongs to ticket ${owner}, which is not in the files; add that ticket or remove the article`
    problems.add({ place, column: 'ticket_id', message })
  }
  problems.throwIfAny()
}
