import { basename } from 'node:path'
import { lookup } from '../../parts/lookup.ts'
import { createProblemList } from '../../problems.ts'
import { SourceError } from '../../source.ts'
import { htmlToText } from '../../text/html.ts'
import { readXmlElements, type XmlElement } from '../../text/xml-elements.ts'
import type { JiraAttachment, JiraComment, JiraIssue } from './issue.ts'

/** Columns of the CSV export, by element. Other elements keep their name. */
const COLUMNS: Readonly<Record<string, string>> = {
  key: 'Issue key',
  summary: 'Summary',
  description: 'Description',
  environment: 'Environment',
  type: 'Issue Type',
  status: 'Status',
  statusCategory: 'Status Category',
  priority: 'Priority',
  resolution: 'Resolution',
  security: 'Security Level',
  created: 'Created',
  updated: 'Updated',
  resolved: 'Resolved',
  due: 'Due date',
  votes: 'Votes',
  watches: 'Watcher count',
  component: 'Components',
  version: 'Affects versions',
  fixVersion: 'Fix versions',
  parent: 'Parent',
  project: 'Project name',
  timeoriginalestimate: 'Original estimate',
  timeestimate: 'Remaining Estimate',
  timespent: 'Time Spent',
}
const APART = new Set([
  'reporter',
  'assignee',
  'labels',
  'comments',
  'attachments',
  'customfields',
  'issuelinks',
  'subtasks',
])
const DATES = new Set(['created', 'updated', 'resolved', 'due'])
const RICH = /<[a-z][^<>]*>|&[a-z#\d]+;/i

/** Yields the issues of an XML (RSS) export, and where each stands. Throws a `SourceError` at its end. */
export async function* xmlIssues(path: string): AsyncGenerator<{ place: string; issue: JiraIssue }, void> {
  const problems = createProblemList()
  let issues = 0
  try {
    for await (const item of readXmlElements(path, 'item')) {
      const place = `line ${item.line}`
      const key = childrenOf(item, 'key')[0]?.text.trim()
      const message = 'the issue has no key; export the issues as XML from the search or from an issue'
      if (key) {
        issues += 1
        yield { place, issue: issueOf(key, item) }
      } else problems.add({ place, column: 'key', message })
    }
  } catch (error) {
    problems.absorb(error)
    problems.throwIfAny()
  }
  if (issues === 0 && problems.count() > 0) {
    const message = 'is an RSS feed of something else than issues; export the issues as XML from the search of Jira'
    throw new SourceError([{ place: basename(path), message }])
  }
  problems.throwIfAny()
}

function issueOf(key: string, item: XmlElement): JiraIssue {
  const columns = new Map<string, string[]>()
  const add = (column: string, text: string | undefined) => {
    if (text === undefined || text.trim() === '') return
    const list = columns.get(column)
    if (list) list.push(text)
    else columns.set(column, [text])
  }
  for (const element of item.children) {
    if (APART.has(element.name) || isNone(element)) continue
    const date = element.name === 'due' ? dayOf(element.text.trim()) : isoDate(element.text.trim())
    const text = DATES.has(element.name) ? date : plain(element)
    add(lookup(COLUMNS, element.name) ?? element.name, text)
    if (element.name === 'key') add('Issue id', element.attributes.id)
    // Newer versions write <statusCategory id="3" key="done"/>, older ones <statusCategory>Done</statusCategory>.
    if (element.name === 'statusCategory' && !text) add('Status Category', element.attributes.key)
    if (element.name === 'project') add('Project key', element.attributes.key)
  }
  for (const name of ['reporter', 'assignee']) addPerson(add, name, childrenOf(item, name)[0])
  for (const label of nested(item, 'labels', 'label')) add('Labels', label.text.trim())
  for (const field of nested(item, 'customfields', 'customfield')) addCustomField(add, field)
  for (const task of nested(item, 'subtasks', 'subtask')) add('Sub-tasks', task.text.trim())
  addLinks(add, item)
  return {
    key,
    columns,
    comments: nested(item, 'comments', 'comment').map(commentOf),
    attachments: nested(item, 'attachments', 'attachment').map(attachmentOf),
  }
}

function addPerson(add: (column: string, text: string | undefined) => void, name: string, element?: XmlElement): void {
  if (!element || isNone(element)) return
  const column = name === 'reporter' ? 'Reporter' : 'Assignee'
  const { accountid, username } = element.attributes
  add(column, element.text.trim())
  add(`${column} Id`, accountid ?? username)
}

function addCustomField(add: (column: string, text: string | undefined) => void, field: XmlElement): void {
  const name = childrenOf(field, 'customfieldname')[0]?.text.trim() ?? field.attributes.id ?? 'unnamed'
  for (const values of childrenOf(field, 'customfieldvalues')) {
    const items = values.children.length > 0 ? values.children : [values]
    for (const value of items) add(`Custom field (${name})`, isoDate(plain(value)))
  }
}

function addLinks(add: (column: string, text: string | undefined) => void, item: XmlElement): void {
  for (const type of nested(item, 'issuelinks', 'issuelinktype')) {
    for (const links of type.children.filter(({ name }) => name.endsWith('links'))) {
      const keys = childrenOf(links, 'issuelink').map((link) => link.text.trim())
      add('Linked issues', `${links.attributes.description ?? ''} ${keys.join(', ')}`.trim())
    }
  }
}

function commentOf(comment: XmlElement): JiraComment {
  const { author, created, grouplevel, rolelevel } = comment.attributes
  return {
    createdAt: created === undefined ? undefined : isoDate(created.trim()),
    author: author?.trim() || undefined,
    text: plain(comment),
    isInternal: Boolean(grouplevel || rolelevel),
  }
}

function attachmentOf({ attributes }: XmlElement): JiraAttachment {
  const { id, name = id ?? 'file', author, created = '' } = attributes
  return { name, id, url: undefined, details: [isoDate(created), author].filter(Boolean).join(', ') }
}

/** `-1` is how Jira writes Unassigned and Unresolved. */
function isNone({ attributes }: XmlElement): boolean {
  return attributes.id === '-1' || attributes.username === '-1' || attributes.accountid === '-1'
}

function plain({ text }: XmlElement): string {
  return RICH.test(text) ? htmlToText(text) : text.trim()
}

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec'
const MAIL_DATE = /^[A-Z][a-z]{2}, (\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2})/

/** `Fri, 3 Apr 2026 14:05:00 +0300` as ISO 8601 in the same zone. Any other text stays as it is. */
function isoDate(text: string): string {
  const [, day = '', month = '', year, time, hours, minutes] = MAIL_DATE.exec(text) ?? []
  const index = MONTHS.indexOf(month) / 3
  if (year === undefined || !Number.isInteger(index)) return text
  return `${year}-${String(index + 1).padStart(2, '0')}-${day.padStart(2, '0')}T${time}${hours}:${minutes}`
}

/** A day has no time and no zone: in another zone it would be another day. */
function dayOf(text: string): string {
  const date = isoDate(text)
  const midnight = date.indexOf('T00:00:00')
  return midnight === -1 ? date : date.slice(0, midnight)
}

function nested(item: XmlElement, list: string, name: string): XmlElement[] {
  return childrenOf(item, list).flatMap((element) => childrenOf(element, name))
}

function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name)
}
