import { type Fields, fieldsOf } from '../../json/fields.ts'
import { type JsonObject, objectsOf, scalarText } from '../../json/values.ts'
import { createProblemList } from '../../problems.ts'
import { type Source, SourceError, type SourceRecord } from '../../source.ts'
import { numberIn } from '../../text/numbers.ts'
import { decodeContent, type Message, readMessage } from './message.ts'
import { checkComplete, createSurvey, finalTicket, type Survey, surveyFile } from './survey.ts'
import { ticketRecord } from './ticket-record.ts'

/** Opens replies of RT's REST 2 interface, one after another in any number of files. Reads all of them once. */
export async function openDump(paths: readonly string[]): Promise<Source> {
  const survey = createSurvey()
  const problems = createProblemList()
  for (const path of paths) {
    try {
      await surveyFile(path, survey, problems)
    } catch (error) {
      problems.absorb(error)
    }
  }
  checkComplete(survey, problems)
  try {
    problems.throwIfAny()
  } catch (error) {
    await survey.index[Symbol.asyncDispose]()
    throw error
  }
  return { records: () => readTickets(survey), [Symbol.asyncDispose]: () => survey.index[Symbol.asyncDispose]() }
}

async function* readTickets(survey: Survey): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  const mergedInto = Map.groupBy(survey.merged.keys(), (number) => finalTicket(number, survey))
  for (const number of survey.tickets.keys()) {
    const place = `ticket ${number}`
    const [ticket] = await survey.index.of(place)
    if (!ticket) continue
    const pages = await Promise.all(
      [number, ...(mergedInto.get(number) ?? [])].map((owner) => survey.index.of(`history of ${owner}`)),
    )
    yield await ticketRecord({
      place,
      users: survey.users,
      queues: survey.queues,
      fields: fieldsOf(ticket.value, place, problems),
      transactions: inOrder(pages.flat().flatMap(({ value }) => objectsOf(value.items)))
        // A page may list transactions of several tickets.
        .filter(({ ObjectId }) => finalTicket(scalarText(ObjectId) ?? '', survey) === number)
        .map((item) => fieldsOf(item, `${place}, transaction ${scalarText(item.id)}`, problems)),
      message: (transaction) => messageOf(transaction, survey),
      hasMessage: (transaction) => survey.parts.has(transaction.text('id') ?? ''),
    })
  }
  problems.throwIfAny()
}

function messageOf(transaction: Fields, { parts, index }: Survey): Promise<Message> {
  return readMessage(parts.get(transaction.text('id') ?? '') ?? [], async (id) => {
    const [element] = await index.of(`attachment ${id}`)
    const content = element && decodeContent(element.value)
    if (content) return content
    const message = 'is not in base64; export the attachment again'
    throw new SourceError([{ place: `attachment ${id}`, column: 'Content', message }])
  })
}

/** Sorts transactions by their number, which RT counts up, and drops those that two pages contain. */
function inOrder(transactions: readonly JsonObject[]): JsonObject[] {
  const byNumber = new Map(transactions.map((transaction) => [numberIn(transaction.id), transaction]))
  return [...byNumber].toSorted(([a], [b]) => a - b).map(([, transaction]) => transaction)
}
