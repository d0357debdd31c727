import { parseElement, placeOf, readRawElements } from '../../json/read-elements.ts'
import { idText } from '../../json/values.ts'
import { createProblemList, type ProblemList } from '../../problems.ts'
import { SourceError, type SourceKind, type SourceRecord } from '../../source.ts'
import { isTicketTable, openCsv } from './csv-tickets.ts'
import { defaultMapping } from './default-mapping.ts'
import { languages } from './languages.ts'
import { isList, type Survey, survey } from './survey.ts'
import { toRecord } from './ticket.ts'

/**
 * The JSON export of a Zendesk account: tickets, with users, organizations, fields or comments in further files; or the
 * CSV export of a view or of the account.
 */
export const zendesk: SourceKind = {
  name: 'zendesk',
  label: 'Zendesk',
  columnOf: languages.columnOf,
  defaultMapping,
  async open(inputs, { encoding } = {}) {
    if (inputs.length === 0) {
      throw new SourceError([{ place: 'Zendesk', message: 'no file was given; give the JSON export of the tickets' }])
    }
    const areTables = await Promise.all(inputs.map((path) => isTicketTable(path, encoding)))
    if (areTables.every(Boolean)) return await openCsv(inputs, encoding)
    const surveyed = await survey(inputs)
    return {
      records: () => records(surveyed),
      [Symbol.asyncDispose]: () => surveyed.comments[Symbol.asyncDispose](),
    }
  },
}

async function* records(surveyed: Survey): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  const places = new Map<string, string>()
  for (const path of surveyed.tickets) {
    for await (const element of readRawElements(path, { isList })) {
      if (element.list !== undefined && element.list !== 'tickets') continue
      const { value, line } = parseElement(path, element)
      const place = placeOf(path, line)
      const id = idText(value.id)
      if (!isNew(id, place, places, problems)) continue
      const separate = await surveyed.comments.of(id)
      yield toRecord(
        { ...value, id },
        separate.map((comment) => comment.value),
        surveyed,
      )
    }
  }
  for (const { owner, place } of surveyed.comments.owners()) {
    if (places.has(owner)) continue
    const message = `the comment belongs to ticket ${owner}, which is not in the export; add that ticket or remove the comment`
    problems.add({ place, column: 'ticket_id', message })
  }
  problems.throwIfAny()
}

function isNew(
  id: string | undefined,
  place: string,
  places: Map<string, string>,
  problems: ProblemList,
): id is string {
  const message = 'the ticket has no id; export it again with its id'
  if (id === undefined) {
    problems.add({ place, column: 'id', message })
    return false
  }
  const first = places.get(id)
  if (first !== undefined) {
    problems.add({ place, column: 'id', message: `ticket ${id} is already in ${first}; keep the newer of the two` })
    return false
  }
  places.set(id, place)
  return true
}
