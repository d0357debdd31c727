import { cellText, idText, isObject, type JsonObject, objectsOf, scalarText } from '../../json/values.ts'
import { divideConversation } from '../../parts/conversation.ts'
import { sourceFile } from '../../parts/file-names.ts'
import { INTERNAL_MARK } from '../../parts/internal-mark.ts'
import { lookup } from '../../parts/lookup.ts'
import { addPerson, addReporter } from '../../parts/people.ts'
import type { SourceComment, SourceFile, SourceRecord } from '../../source.ts'
import { htmlToText } from '../../text/html.ts'
import type { Survey } from './survey.ts'

/** The key of a request that came from Zammad. Ids of two systems on one site must not be taken for the same. */
export const externalIdOf = (id: string) => `zammad-${id}`

/** Columns of fields that have a name for people. Any other field becomes a column of its own name. */
const COLUMNS: Readonly<Record<string, string>> = {
  number: 'Number',
  title: 'Title',
  state: 'State',
  priority: 'Priority',
  group: 'Group',
  organization: 'Organization',
  note: 'Note',
  type: 'Type',
  time_unit: 'Time accounted',
  pending_time: 'Pending until',
  escalation_at: 'Escalation',
  created_at: 'Created',
  updated_at: 'Updated',
  first_response_at: 'First response',
  last_contact_at: 'Last contact',
  last_contact_agent_at: 'Last contact by an agent',
  last_contact_customer_at: 'Last contact by the customer',
}
/** Fields of which something else is made. */
const APART = new Set(['id', 'customer', 'customer_id', 'owner', 'owner_id', 'close_at', 'last_close_at', 'articles'])
/** A ticket that is in another state was opened again. */
const CLOSED = /^(closed|merged|removed|pending close)$/i
const ARTICLE_USED = new Set([
  ...['id', 'ticket_id', 'body', 'content_type', 'internal', 'created_at', 'attachments'],
  ...['created_by', 'created_by_id', 'origin_by', 'origin_by_id'],
])

/** Describes a ticket with its articles. The first article that customers can see is the description. */
export function toRecord(
  id: string,
  ticket: JsonObject,
  separate: readonly JsonObject[],
  survey: Survey,
): SourceRecord {
  const values = new Map<string, string>()
  const add = (column: string, value: unknown) => {
    const text = cellText(value)
    if (text !== undefined) values.set(column, text)
  }
  add('External id', externalIdOf(id))
  for (const [name, value] of Object.entries(ticket)) if (!APART.has(name)) add(lookup(COLUMNS, name) ?? name, value)
  const closed = ticket.last_close_at ?? ticket.close_at
  add(CLOSED.test(values.get('State') ?? 'closed') ? 'Closed' : 'Closed before', closed)
  if (ticket.last_close_at && ticket.close_at !== ticket.last_close_at) add('First closed', ticket.close_at)
  const customer = survey.person(ticket.customer_id, ticket.customer)
  addReporter(values, 'Customer', customer)
  addPerson(values, 'Owner', survey.person(ticket.owner_id, ticket.owner))
  add('Tags', survey.tags.get(id) ?? ticket.tags)

  const articles = [...objectsOf(ticket.articles), ...separate]
  const comments = articles.map((article) => toComment(id, article, survey))
  const conversation = divideConversation(values, comments, customer)
  add('Comments (more)', cellText(articles.map(moreOf).filter((more) => Object.keys(more).length > 0)))
  return { place: `ticket ${id}`, values, ...conversation }
}

function toComment(ticket: string, article: JsonObject, survey: Survey): SourceComment {
  const body = scalarText(article.body) ?? ''
  const text = article.content_type === 'text/html' ? htmlToText(body) : body
  return {
    place: `ticket ${ticket}, article ${idText(article.id) ?? ''}`.trimEnd(),
    // An agent may write down what a customer said.
    author:
      survey.person(article.origin_by_id, article.origin_by) ??
      survey.person(article.created_by_id, article.created_by),
    createdAt: scalarText(article.created_at),
    text: article.internal === true && text !== '' ? `${INTERNAL_MARK} ${text}` : text,
    isHtml: false,
    files: filesOf(ticket, article, survey),
  }
}

function filesOf(ticket: string, article: JsonObject, { names }: Survey): SourceFile[] {
  return objectsOf(article.attachments).map((file) => {
    const id = idText(file.id) ?? ''
    const name = scalarText(file.filename) ?? `attachment ${id}`
    const preferences = isObject(file.preferences) ? file.preferences : {}
    const contentType = scalarText(preferences['Content-Type']) ?? scalarText(preferences['Mime-Type'])
    const paths = [
      `${ticket}/${idText(article.id)}/${id}`,
      `${ticket}/${id}/${name}`,
      id,
      `${id}/${name}`,
      `${id}_${name}`,
    ]
    return sourceFile({ name, contentType }, paths, names)
  })
}

function moreOf(article: JsonObject): JsonObject {
  const filled = Object.entries(article).filter(
    ([name, value]) => !ARTICLE_USED.has(name) && cellText(value) !== undefined,
  )
  return Object.fromEntries(filled)
}
