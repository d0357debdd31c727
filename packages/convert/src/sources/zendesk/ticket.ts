import { cellText, idText, isObject, type JsonObject, listOf, objectsOf, scalarText } from '../../json/values.ts'
import { lookup } from '../../parts/lookup.ts'
import { addPeople, addPerson, addReporter } from '../../parts/people.ts'
import type { SourcePerson, SourceRecord } from '../../source.ts'
import { conversationOf } from './comments.ts'
import { type People, peopleOf } from './people.ts'
import type { Survey } from './survey.ts'

/** Fields that do not become a column under their own name. */
const APART = new Set([
  ...['comments', 'custom_fields', 'fields', 'satisfaction_rating', 'metric_set', 'requester', 'submitter', 'assignee'],
  ...['collaborator', 'organization', 'group'],
])
/** Fields that no target takes by default: their names will stand in the description. */
const READABLE: Readonly<Record<string, string>> = {
  type: 'Type',
  due_at: 'Due',
  external_id: 'External id',
  problem_id: 'Problem ticket',
}
const PERSON = new Set(['id', 'name', 'email', 'phone'])

/** Describes a ticket. `separate`: its comments from another file. */
export function toRecord(
  ticket: JsonObject & { readonly id: unknown },
  separate: readonly JsonObject[],
  survey: Survey,
): SourceRecord {
  const id = String(ticket.id)
  const people = peopleOf(ticket, survey)
  const description = scalarText(ticket.description)
  const raw = [...objectsOf(ticket.comments), ...separate]
  const { comments, files, internal, empty, more } = conversationOf({ id, description }, raw, people, survey)

  const values = new Map<string, string>()
  const add = (column: string, value: unknown) => {
    const text = cellText(value)
    if (text !== undefined) values.set(column, text)
  }
  for (const [name, value] of Object.entries(ticket)) if (!APART.has(name)) add(lookup(READABLE, name) ?? name, value)
  if (!values.has('subject')) add('subject', ticket.raw_subject)
  if (values.get('raw_subject') === values.get('subject')) values.delete('raw_subject')
  addAllPeople(values, ticket, people)
  add('Organization', nameOf(ticket.organization) ?? survey.organizations.get(idText(ticket.organization_id) ?? ''))
  add('Group', nameOf(ticket.group) ?? survey.groups.get(idText(ticket.group_id) ?? ''))
  for (const role of ['requester', 'submitter', 'assignee', 'organization', 'group']) {
    add(`${role} (more)`, without(ticket[role], PERSON))
  }
  add('collaborator', ticket.collaborator)
  addCustomFields(add, values, ticket, survey)
  addMetrics(add, ticket.metric_set)
  addSatisfaction(add, ticket.satisfaction_rating)
  add('Internal comments', internal || undefined)
  add('Empty comments', empty || undefined)
  add('Comments (more)', more)
  return { place: `ticket ${id}`, values, comments, files }
}

function addAllPeople(values: Map<string, string>, ticket: JsonObject, people: People): void {
  const requester = people.of(ticket.requester, ticket.requester_id)
  const submitter = people.of(ticket.submitter, ticket.submitter_id)
  addReporter(values, 'Requester', requester)
  addPerson(values, 'Assignee', people.of(ticket.assignee, ticket.assignee_id))
  if (submitter && !isSame(submitter, requester)) {
    values.set('Submitter', submitter.name ?? submitter.email ?? '')
    if (submitter.email !== undefined) values.set('Submitter email', submitter.email)
  }
  const followers = listOf(ticket.follower_ids)
  const copied = listOf(ticket.email_cc_ids)
  // The older list contains both.
  const others = listOf(ticket.collaborator_ids).filter((id) => !followers.includes(id) && !copied.includes(id))
  addPeople(values, 'Followers', people.all(followers))
  addPeople(values, 'CCs', people.all([...copied, ...others]))
}

function addCustomFields(
  add: (column: string, value: unknown) => void,
  values: ReadonlyMap<string, string>,
  ticket: JsonObject,
  { fields }: Survey,
): void {
  const done = new Set<string>()
  // Zendesk writes the same list twice, under two names.
  for (const field of [...objectsOf(ticket.custom_fields), ...objectsOf(ticket.fields)]) {
    const id = idText(field.id)
    if (id === undefined || done.has(id)) continue
    done.add(id)
    const title = fields.get(id)
    add(title === undefined ? `Custom field ${id}` : values.has(title) ? `${title} (${id})` : title, field.value)
  }
}

function addMetrics(add: (column: string, value: unknown) => void, metrics: unknown): void {
  if (!isObject(metrics)) return
  add('solved_at', metrics.solved_at)
  add('status_updated_at', metrics.status_updated_at)
  add('metric_set', without(metrics, new Set(['solved_at', 'status_updated_at'])))
}

/** Only an answer of the requester is feedback: a number, or `good` and `bad` as text. */
function addSatisfaction(add: (column: string, value: unknown) => void, rating: unknown): void {
  const { score, comment, reason, ...more } = isObject(rating) ? rating : { score: rating }
  const answer = scalarText(score)
  const kind =
    answer === undefined ? 'none' : /^\d+$/.test(answer) ? 'score' : /offered$/.test(answer) ? 'offer' : 'word'
  if (kind === 'score' || kind === 'offer') add(`satisfaction ${kind}`, answer)
  const texts = [kind === 'word' ? answer : undefined, scalarText(comment), scalarText(reason)]
  add('satisfaction_rating', texts.filter((text) => text !== undefined).join(': '))
  add('satisfaction (more)', more)
}

function nameOf(value: unknown): unknown {
  return isObject(value) ? value.name : value
}

function without(value: unknown, names: ReadonlySet<string>): JsonObject | undefined {
  if (!isObject(value)) return undefined
  return Object.fromEntries(Object.entries(value).filter(([name]) => !names.has(name)))
}

function isSame(a: SourcePerson, b: SourcePerson | undefined): boolean {
  return b !== undefined && a.name === b.name && a.email === b.email
}
