import type { Fields } from '../../json/fields.ts'
import { cellText } from '../../json/values.ts'
import { addColumn } from '../../parts/add-column.ts'
import { type FileNames, sourceFile } from '../../parts/file-names.ts'
import { INTERNAL_MARK } from '../../parts/internal-mark.ts'
import { addPeople, addPerson, addReporter } from '../../parts/people.ts'
import type { SourceComment, SourceFile, SourceRecord } from '../../source.ts'
import { numberIn } from '../../text/numbers.ts'
import { changesOf, stateChangeOf } from './changes.ts'
import type { Lookups } from './lookups.ts'
import { relationsOf, subtasksOf } from './related.ts'

/** What issues refer to. */
export interface Surroundings {
  readonly lookups: Lookups
  readonly fileNames: FileNames
  /** Lines about the time that people spent, by issue. */
  readonly timeEntries: ReadonlyMap<string, readonly string[]>
}

/** Fields of an issue that have a column under another name. Any other field becomes a column of its own. */
const KNOWN = new Set([
  ...['id', 'project', 'tracker', 'status', 'priority', 'author', 'assigned_to', 'category', 'fixed_version', 'parent'],
  ...['subject', 'description', 'start_date', 'due_date', 'done_ratio', 'is_private', 'estimated_hours'],
  ...[
    'total_estimated_hours',
    'spent_hours',
    'total_spent_hours',
    'custom_fields',
    'created_on',
    'updated_on',
    'closed_on',
  ],
  ...['attachments', 'relations', 'children', 'journals', 'watchers'],
])

/** The key of a request that came from Redmine. Ids of two systems on one site must not be taken for the same. */
export function externalIdOf(id: string): string {
  return `redmine-${id}`
}

/** Turns an issue of the REST interface into a record. */
export function issueRecord(
  issue: Fields,
  place: string,
  { lookups, fileNames, timeEntries }: Surroundings,
): SourceRecord {
  const id = issue.needed('id')
  const journals = issue.list('journals')
  const { files, filesOf, placed } = placeFiles(issue, journals, lookups, fileNames)
  const values = new Map<string, string>()
  const add = (column: string, value: string | undefined) => {
    if (value !== undefined && value.trim() !== '') values.set(column, value)
  }
  add('External id', externalIdOf(id))
  add('#', id)
  add('Subject', issue.needed('subject'))
  add('Description', issue.text('description'))
  add('Status', issue.inner('status')?.text('name') ?? missing(issue, 'status'))
  for (const [column, field] of NAMED) add(column, issue.inner(field)?.text('name'))
  addReporter(values, 'Author', lookups.person(issue.inner('author')))
  addPerson(values, 'Assignee', lookups.person(issue.inner('assigned_to')))
  addPeople(
    values,
    'Watcher',
    issue.list('watchers').flatMap((watcher) => lookups.person(watcher) ?? []),
  )
  for (const [column, field] of TEXTS) add(column, issue.text(field))
  add('Status changed', stateChangeOf(journals))
  add('Private', issue.object.is_private === true ? 'Yes' : undefined)
  addHours(issue, add)
  const parent = issue.inner('parent')?.text('id')
  add('Parent task', parent === undefined ? undefined : `#${parent}`)
  add('Subtasks', subtasksOf(issue).join('\n'))
  add('Related issues', relationsOf(issue, id).join('\n'))
  add('Changes', journals.flatMap((journal) => changesOf(journal, placed, lookups)).join('\n'))
  add('Time entries', timeEntries.get(id)?.join('\n'))
  add('File descriptions', fileDescriptions(issue).join('\n'))
  addCustomFields(issue, values)
  for (const [name, value] of Object.entries(issue.object)) if (!KNOWN.has(name)) add(name, cellText(value))

  const comments = journals.flatMap((journal) => commentOf(journal, place, filesOf, lookups))
  const isClosed = lookups.isClosed(issue.inner('status'))
  const evidence = isClosed === undefined ? undefined : isClosed ? 'closed' : 'open'
  return { place, values, files, comments, evidence }
}

const NAMED = [
  ['Priority', 'priority'],
  ['Project', 'project'],
  ['Tracker', 'tracker'],
  ['Category', 'category'],
  ['Target version', 'fixed_version'],
] as const

const TEXTS = [
  ['Created', 'created_on'],
  ['Updated', 'updated_on'],
  ['Closed', 'closed_on'],
  ['Start date', 'start_date'],
  ['Due date', 'due_date'],
] as const

function missing(issue: Fields, name: string): undefined {
  if (issue.object[name] === undefined || issue.object[name] === null) issue.note(name, 'is missing; export it again')
  return undefined
}

function addHours(issue: Fields, add: (column: string, value: string | undefined) => void): void {
  const filled = (field: string) => (numberIn(issue.object[field] ?? 0) === 0 ? undefined : issue.text(field))
  const hours = (field: string) => (filled(field) === undefined ? undefined : `${filled(field)} h`)
  const ownAndTotal = [
    ['Estimated time', 'estimated_hours'],
    ['Spent time', 'spent_hours'],
  ] as const
  for (const [column, field] of ownAndTotal) {
    add(column, hours(field))
    // A total that differs includes subtasks.
    if (hours(`total_${field}`) !== hours(field)) add(`Total ${column.toLowerCase()}`, hours(`total_${field}`))
  }
  add('% Done', filled('done_ratio'))
}

function addCustomFields(issue: Fields, values: Map<string, string>): void {
  for (const field of issue.list('custom_fields')) {
    const text = cellText(field.object.value)
    const name = field.needed('name')
    if (text !== undefined) addColumn(values, name, text)
  }
}

function fileDescriptions(issue: Fields): string[] {
  return issue.list('attachments').flatMap((attachment) => {
    const description = attachment.text('description')
    return description === undefined ? [] : `${attachment.text('filename') ?? ''}: ${description}`
  })
}

/** Divides the files of an issue among its comments: a journal names the files that were added with it. */
function placeFiles(issue: Fields, journals: readonly Fields[], lookups: Lookups, names: FileNames) {
  const all = new Map<string, SourceFile>()
  for (const attachment of issue.list('attachments')) {
    const id = attachment.needed('id')
    const name = attachment.needed('filename')
    const paths = [lookups.storedPath(id), id, `${id}/${name}`, `${id}_${name}`]
    all.set(id, sourceFile({ name, contentType: attachment.text('content_type') }, paths, names))
  }
  const filesOf = new Map<Fields, SourceFile[]>()
  const placed = new Set<string>()
  for (const journal of journals) {
    if (journal.text('notes') === undefined) continue
    const ids = journal.list('details').flatMap((detail) => {
      const isAdded = detail.object.property === 'attachment' && detail.text('new_value') !== undefined
      return isAdded ? (detail.text('name') ?? []) : []
    })
    filesOf.set(
      journal,
      ids.flatMap((id) => all.get(id) ?? []),
    )
    for (const id of ids) if (all.delete(id)) placed.add(id)
  }
  return { files: [...all.values()], filesOf, placed }
}

function commentOf(
  journal: Fields,
  issuePlace: string,
  filesOf: ReadonlyMap<Fields, readonly SourceFile[]>,
  lookups: Lookups,
): SourceComment[] {
  const notes = journal.text('notes')
  if (notes === undefined) return []
  const isPrivate = journal.object.private_notes === true
  return [
    {
      place: `${issuePlace}, journal ${journal.text('id') ?? ''}`,
      author: lookups.person(journal.inner('user')),
      createdAt: journal.text('created_on'),
      text: isPrivate ? `${INTERNAL_MARK} ${notes}` : notes,
      isHtml: false,
      files: filesOf.get(journal) ?? [],
    },
  ]
}
