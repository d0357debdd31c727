import { inOrder } from '../../parts/comment-order.ts'
import { type FileNames, sourceFile, urlPath } from '../../parts/file-names.ts'
import { INTERNAL_MARK } from '../../parts/internal-mark.ts'
import { addPeople, addPerson, addReporter } from '../../parts/people.ts'
import type { SourceComment, SourceFile, SourcePerson, SourceRecord } from '../../source.ts'
import { numberIn } from '../../text/numbers.ts'
import type { JiraPeople } from './people.ts'
import { evidenceOf } from './status-category.ts'

/** A comment of either export. */
export interface JiraComment {
  readonly createdAt: string | undefined
  /** An account id, a user name or a name. */
  readonly author: string | undefined
  readonly text: string
  /** True if only a group or a role could see it. */
  readonly isInternal: boolean
}

export interface JiraAttachment {
  readonly name: string
  readonly id: string | undefined
  readonly url: string | undefined
  /** When and by whom, for the account. */
  readonly details: string
}

/** An issue of either export, with the columns of the CSV export. */
export interface JiraIssue {
  readonly key: string
  /** Values by column, in order, none of them empty. */
  readonly columns: ReadonlyMap<string, readonly string[]>
  readonly comments: readonly JiraComment[]
  readonly attachments: readonly JiraAttachment[]
}

const PEOPLE = ['Reporter', 'Assignee', 'Creator', 'Watchers'] as const

/** Learns the names of the people in an issue, and the names of its files. */
export function learnFrom(issue: JiraIssue, people: JiraPeople, names: FileNames): void {
  for (const role of PEOPLE) {
    const ids = issue.columns.get(`${role} Id`) ?? []
    for (const [index, name] of (issue.columns.get(role) ?? []).entries()) {
      // Two lists of different lengths do not say who is who.
      if (ids.length === issue.columns.get(role)?.length) people.learn(ids[index], { name })
    }
  }
  for (const { name } of issue.attachments) names.add(name)
}

export function toRecord(issue: JiraIssue, people: JiraPeople, names: FileNames): SourceRecord {
  const values = new Map<string, string>()
  for (const [column, texts] of issue.columns) {
    if (!PEOPLE.some((role) => role === column)) values.set(column, texts.join(texts.some(isLong) ? '\n' : ', '))
  }
  addIssuePeople(values, issue, people)
  const comments = issue.comments.map((comment, index) => toComment(issue.key, comment, index, people))
  const internal = issue.comments.filter(({ isInternal }) => isInternal).length
  if (internal > 0) values.set('Internal comments', String(internal))
  if (issue.attachments.length > 0) {
    values.set('Attachment details', issue.attachments.map(({ name, details }) => `${name}: ${details}`).join('\n'))
  }
  const filled = comments.filter(({ text }) => text.trim() !== '')
  if (filled.length < comments.length) values.set('Empty comments', String(comments.length - filled.length))
  const repeated = repeatedNames(issue.attachments)
  const files = issue.attachments.map((attachment) =>
    toFile(issue.key, attachment, !repeated.has(attachment.name), names),
  )
  const evidence = evidenceOf(issue.columns)
  return { place: `issue ${issue.key}`, values, comments: inOrder(filled), files, evidence }
}

function addIssuePeople(values: Map<string, string>, issue: JiraIssue, people: JiraPeople): void {
  const all = (role: string): SourcePerson[] => {
    const names = issue.columns.get(role) ?? []
    const ids = issue.columns.get(`${role} Id`) ?? []
    if (names.length === ids.length || names.length === 0)
      return ids.flatMap((id, at) => people.find(id, names[at]) ?? [])
    return names.flatMap((name) => people.find(undefined, name) ?? [])
  }
  const [reporter] = all('Reporter')
  const [creator] = all('Creator')
  addReporter(values, 'Reporter', reporter)
  addPerson(values, 'Assignee', all('Assignee')[0])
  addPeople(values, 'Watchers', all('Watchers'))
  if (!creator || (creator.name === reporter?.name && creator.email === reporter?.email)) return
  values.set('Creator', creator.name ?? creator.email ?? '')
  if (creator.name !== undefined && creator.email !== undefined) values.set('Creator email', creator.email)
}

function toComment(key: string, comment: JiraComment, index: number, people: JiraPeople): SourceComment {
  const { createdAt, author, text, isInternal } = comment
  return {
    place: `issue ${key}, comment ${index + 1}`,
    author: author === undefined ? undefined : people.find(author, author),
    createdAt,
    text: isInternal && text.trim() !== '' ? `${INTERNAL_MARK} ${text}` : text,
    isHtml: false,
    files: [],
  }
}

function repeatedNames(attachments: readonly JiraAttachment[]): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(attachments.flatMap(({ name }) => (seen.size === seen.add(name).size ? [name] : [])))
}

function toFile(key: string, { name, id, url }: JiraAttachment, isOnly: boolean, names: FileNames): SourceFile {
  const [digits = '0'] = /(?<!\d)\d+$/.exec(key) ?? []
  const project = key.endsWith(`-${digits}`) ? key.slice(0, -digits.length - 1) : key
  const number = numberIn(digits)
  // How Jira's own data folder is laid out.
  const bucket = Math.ceil(number / 10_000) * 10_000
  const paths = [
    ...(id === undefined ? [] : [`${key}/${id}/${name}`, `${key}/${id}_${name}`]),
    isOnly ? `${key}/${name}` : undefined,
    ...(id === undefined ? [] : [`${id}/${name}`, `${id}_${name}`, `secure/attachment/${id}/${name}`]),
    ...(id === undefined ? [] : [`${project}/${bucket}/${key}/${id}`, `${project}/${key}/${id}`, `${key}/${id}`, id]),
    urlPath(url),
  ]
  return sourceFile({ name }, paths, names)
}

function isLong(text: string): boolean {
  return text.includes('\n') || text.length > 100
}
