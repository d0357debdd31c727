import { eachTicket } from '../../json/each-ticket.ts'
import type { JsonElement } from '../../json/read-elements.ts'
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
  const files = {
    paths: surveyed.tickets,
    isList,
    isTicket: (path: string, element: JsonElement) => kindOf(path, element) === 'ticket',
    remedy: 'save the reply again',
  }
  for await (const { id, value } of eachTicket(files, places, problems)) {
    const articles = await surveyed.articles.of(id)
    yield toRecord(
      id,
      value,
      articles.map((article) => article.value),
      surveyed,
    )
  }
  for (const { owner, place } of surveyed.articles.owners()) {
    if (places.has(owner)) continue
    const message = `the article belongs to ticket ${owner}, which is not in the files; add that ticket or remove the article`
    problems.add({ place, column: 'ticket_id', message })
  }
  problems.throwIfAny()
}
