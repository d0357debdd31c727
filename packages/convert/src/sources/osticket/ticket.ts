import { cellText, idText, isObject, type JsonObject, scalarText } from '../../json/values.ts'
import { addColumn } from '../../parts/add-column.ts'
import { divideConversation } from '../../parts/conversation.ts'
import { sourceFile } from '../../parts/file-names.ts'
import { INTERNAL_MARK } from '../../parts/internal-mark.ts'
import { lookup } from '../../parts/lookup.ts'
import { addPeople, addPerson, addReporter } from '../../parts/people.ts'
import { type SourceComment, SourceError, type SourceFile, type SourceRecord } from '../../source.ts'
import { folded } from '../../text/folded.ts'
import { htmlToText } from '../../text/html.ts'
import { numberIn } from '../../text/numbers.ts'
import { defaultMapping } from './default-mapping.ts'
import type { Survey } from './survey.ts'

/** The key of a request that came from osTicket. Ids of two systems on one site must not be taken for the same. */
export const externalIdOf = (id: string) => `osticket-${id}`

const COLUMNS: Readonly<Record<string, string>> = {
  number: 'Number',
  status: 'Status',
  department: 'Department',
  topic: 'Help topic',
  team: 'Team',
  source: 'Source',
  parent: 'Parent ticket',
  duedate: 'Due',
  reopened: 'Reopened',
  closed: 'Closed',
  lastupdate: 'Updated',
  created: 'Created',
}
const APART = new Set(['kind', 'id', 'state', 'user_id', 'staff_id'])
const STATES = new Set(Object.keys(defaultMapping.states ?? {}).map(folded))
const NOTE = 'N'
/** An older version of an edited entry. */
const HIDDEN = 4

/** What belongs to a ticket. */
export interface TicketParts {
  readonly answers: readonly JsonObject[]
  readonly entries: readonly JsonObject[]
}

export function toRecord(
  id: string,
  ticket: JsonObject,
  { answers, entries }: TicketParts,
  survey: Survey,
): SourceRecord {
  const values = new Map<string, string>()
  const add = (column: string, value: unknown) => {
    const text = cellText(value)
    if (text !== undefined && text !== '0') values.set(column, text)
  }
  add('External id', externalIdOf(id))
  for (const [name, value] of Object.entries(ticket)) if (!APART.has(name)) add(lookup(COLUMNS, name) ?? name, value)
  useState(values, scalarText(ticket.state))
  const user = survey.user(ticket.user_id)
  addReporter(values, 'User', user)
  addPerson(values, 'Agent', survey.staff(ticket.staff_id))
  const collaborators = (survey.collaborators.get(id) ?? []).flatMap((user) => survey.user(user) ?? [])
  addPeople(values, 'Collaborators', collaborators)
  addAnswers(values, answers)

  const isHidden = (entry: JsonObject) => (numberIn(entry.flags ?? 0) & HIDDEN) !== 0
  const shown = entries.filter((entry) => !isHidden(entry))
  add('Replaced entries', cellText(entries.filter(isHidden)))
  const comments = shown.map((entry) => toComment(id, entry, values.get('Subject'), survey))
  const conversation = divideConversation(values, comments, user)
  // Files may hang on the older version only.
  const older = entries.filter(isHidden).flatMap((entry) => filesOf(entry, survey))
  return { place: `ticket ${id}`, values, ...conversation, files: [...conversation.files, ...older] }
}

/** Installations name statuses as they like, but each has one of four states. An unknown name counts as its state. */
function useState(values: Map<string, string>, state: string | undefined): void {
  const status = values.get('Status')
  if (state === undefined || (status !== undefined && STATES.has(folded(status)))) return
  values.set('Status', state)
  if (status !== undefined) values.set('Status name', status)
}

function addAnswers(values: Map<string, string>, answers: readonly JsonObject[]): void {
  for (const { name, label, value } of answers) {
    const known = { subject: 'Subject', priority: 'Priority' }
    const title = lookup(known, String(name)) ?? scalarText(label) ?? scalarText(name) ?? 'Answer'
    const text = answerText(scalarText(value))
    if (text !== undefined) addColumn(values, title, text)
  }
}

/** Choices are stored as `{"b12":"Building B"}`. */
function answerText(value: string | undefined): string | undefined {
  if (value === undefined || !/^[[{]/.test(value)) return value
  try {
    const parsed: unknown = JSON.parse(value)
    return cellText(isObject(parsed) ? Object.values(parsed) : parsed)
  } catch {
    return value
  }
}

function toComment(ticket: string, entry: JsonObject, subject: string | undefined, survey: Survey): SourceComment {
  const id = idText(entry.id) ?? ''
  const body = scalarText(entry.body) ?? ''
  const title = scalarText(entry.title)
  const text = scalarText(entry.format) === 'text' ? body : htmlToText(body)
  const whole = title === undefined || title === subject ? text : `${title}\n\n${text}`.trim()
  const poster = scalarText(entry.poster)
  return {
    place: `ticket ${ticket}, entry ${id}`,
    author: survey.staff(entry.staff_id) ?? survey.user(entry.user_id) ?? (poster ? { name: poster } : undefined),
    createdAt: scalarText(entry.created),
    text: entry.type === NOTE && whole !== '' ? `${INTERNAL_MARK} ${whole}` : whole,
    isHtml: false,
    files: filesOf(entry, survey),
  }
}

const filesOf = (entry: JsonObject, survey: Survey) =>
  (survey.files.get(idText(entry.id) ?? '') ?? []).map((file) => toFile(file, survey))

/** A file of the folder of the plugin for storage on the file system, or of chunks in the export. */
function toFile(file: JsonObject, { names, index, stored }: Survey): SourceFile {
  const id = idText(file.id) ?? ''
  const key = scalarText(file.key) ?? ''
  const name = scalarText(file.name) ?? `file ${id}`
  const paths = [`${key.slice(0, 1)}/${key}`, key, `${id}/${name}`, `${id}_${name}`, id]
  const described = sourceFile({ name, contentType: scalarText(file.type) }, paths, names)
  return stored.has(id) ? { ...described, read: () => readChunks(id, index) } : described
}

async function readChunks(id: string, index: Survey['index']): Promise<Uint8Array> {
  const chunks = await index.of(`file ${id}`)
  const inOrder = chunks.toSorted((a, b) => numberIn(a.value.chunk_id) - numberIn(b.value.chunk_id))
  return Buffer.concat(
    inOrder.map(({ value, place }) => {
      if (typeof value.data === 'string') return Buffer.from(value.data, 'base64')
      throw new SourceError([{ place, column: 'data', message: 'is not in base64; export the chunks again' }])
    }),
  )
}
