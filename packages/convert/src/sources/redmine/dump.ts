import { shown } from '@plantroom/contract/shown'
import { type Fields, fieldsOf } from '../../json/fields.ts'
import { type JsonElement, placeOf, readElements } from '../../json/read-elements.ts'
import { isObject, type JsonObject } from '../../json/values.ts'
import { createFileNames } from '../../parts/file-names.ts'
import { createProblemList, type ProblemList } from '../../problems.ts'
import type { Source, SourceRecord } from '../../source.ts'
import { numberIn } from '../../text/numbers.ts'
import { issueRecord, type Surroundings } from './issue-record.ts'
import { createLookups, type Lookups, type NamedKind } from './lookups.ts'

/** Replies of the REST interface that list names. */
const LISTS: Readonly<Record<string, NamedKind>> = {
  issue_statuses: 'status',
  issue_priorities: 'priority',
  trackers: 'tracker',
  issue_categories: 'category',
  versions: 'version',
  projects: 'project',
  custom_fields: 'custom field',
}

/** What a first reading finds out. */
interface Survey extends Surroundings {
  readonly timeEntries: Map<string, string[]>
  /** When each issue was last changed, by id. */
  readonly issues: Map<string, string>
  /** Issues that a list of the export mentions, each with the place of the list. */
  readonly listed: Map<string, string>
  /** As Redmine counts them. */
  total: number
  /** Pages of lists that are there, and those that must follow them, each with the place of the page before. */
  readonly pages: Set<string>
  readonly nextPages: Map<string, string>
}

/** Opens replies of Redmine's REST interface, one after another in any number of files. Reads all of them once. */
export async function openDump(paths: readonly string[], lookups: Lookups = createLookups()): Promise<Source> {
  const survey: Survey = {
    lookups,
    fileNames: createFileNames(),
    timeEntries: new Map(),
    issues: new Map(),
    listed: new Map(),
    total: 0,
    pages: new Set(),
    nextPages: new Map(),
  }
  const problems = createProblemList()
  for (const path of paths) await absorbing(problems, () => surveyFile(path, survey, problems))
  checkComplete(survey, problems)
  problems.throwIfAny()
  return { records: () => readIssues(paths, survey), async [Symbol.asyncDispose]() {} }
}

/** Collects the users of replies, for exports that have only names. */
export async function readUsers(paths: readonly string[]): Promise<Lookups> {
  const lookups = createLookups()
  const problems = createProblemList()
  for (const path of paths) {
    await absorbing(problems, async () => {
      for await (const reply of replies(path)) {
        for (const user of fieldsOf(reply.value, placeOf(path, reply.line), problems).list('users'))
          lookups.addUser(user)
      }
    })
  }
  problems.throwIfAny()
  return lookups
}

async function* readIssues(paths: readonly string[], survey: Survey): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  const seen = new Set<string>()
  for (const path of paths) {
    for await (const { value } of replies(path)) {
      if (!isObject(value.issue)) continue
      const place = placeOfIssue(value.issue)
      // A download that was repeated has the same issue twice; the survey made sure that they are equal.
      const id = String(value.issue.id)
      if (seen.has(id)) continue
      seen.add(id)
      yield issueRecord(fieldsOf(value.issue, place, problems), place, survey)
    }
  }
  problems.throwIfAny()
}

async function surveyFile(path: string, survey: Survey, problems: ProblemList): Promise<void> {
  for await (const reply of replies(path)) surveyReply(reply, placeOf(path, reply.line), survey, problems)
}

function surveyReply({ value }: JsonElement, place: string, survey: Survey, problems: ProblemList): void {
  const reply = fieldsOf(value, place, problems)
  const names = Object.keys(LISTS).filter((name) => name in value)
  if (isObject(value.issue)) surveyIssue(value.issue, survey, problems)
  else if ('issues' in value) surveyList(reply, place, survey)
  else if ('users' in value) for (const user of reply.list('users')) survey.lookups.addUser(user)
  else if (isObject(value.user)) survey.lookups.addUser(fieldsOf(value.user, place, problems))
  else if ('time_entries' in value) for (const entry of reply.list('time_entries')) addTimeEntry(entry, survey)
  else if (names.length > 0) for (const name of names) surveyNames(reply, name, survey.lookups)
  else problems.add({ place, message: describeUnknown(value) })
  for (const list of ['users', 'time_entries']) if (list in value) surveyPage(reply, list, place, survey)
}

/** Lists come by pages, which a loop that was interrupted leaves out. */
function surveyPage(reply: Fields, list: string, place: string, { pages, nextPages }: Survey): void {
  const [total, offset, limit] = ['total_count', 'offset', 'limit'].map((name) => numberIn(reply.text(name) ?? 0))
  if (!total || !limit) return
  pages.add(`${list} of ${total} from ${offset}`)
  const next = (offset ?? 0) + limit
  if (next < total) nextPages.set(`${list} of ${total} from ${next}`, place)
}

function surveyNames(reply: Fields, list: string, lookups: Lookups): void {
  const kind = LISTS[list]
  if (kind) for (const item of reply.list(list)) lookups.addName(kind, item)
}

function describeUnknown(value: JsonObject): string {
  const found = shown(Object.keys(value).slice(0, 3).join(', '), 60) || 'nothing'
  return `has none of issue, issues, users and time_entries, but ${found}; remove it from the file, or export it again`
}

function surveyIssue(issue: JsonObject, survey: Survey, problems: ProblemList): void {
  const place = placeOfIssue(issue)
  const fields = fieldsOf(issue, place, createProblemList())
  const id = fields.text('id') ?? ''
  const changedAt = fields.text('updated_on') ?? ''
  const before = survey.issues.get(id)
  if (before !== undefined && before !== changedAt) {
    problems.add({ place, message: 'is in the export twice, and was changed in between; remove the older one' })
  }
  survey.issues.set(id, changedAt)
  survey.lookups.addIssue(fields)
  for (const part of ['journals', 'attachments']) {
    if (part in issue) continue
    const message =
      'is not in the export; export each issue with include=journals,attachments,watchers,relations,children'
    problems.add({ place, column: part, message })
  }
  if (before !== undefined) return
  for (const attachment of fields.list('attachments')) survey.fileNames.add(attachment.text('filename') ?? '')
}

/** A page of the list of issues lacks their comments, but says which issues there are. */
function surveyList(reply: Fields, place: string, survey: Survey): void {
  for (const issue of reply.list('issues')) survey.listed.set(issue.needed('id'), place)
  survey.total = Math.max(survey.total, numberIn(reply.text('total_count') ?? 0))
}

function checkComplete({ issues, listed, total, pages, nextPages }: Survey, problems: ProblemList): void {
  for (const [page, place] of nextPages) {
    if (!pages.has(page))
      problems.add({ place, message: `is not the last page, but ${page} are missing; export them too` })
  }
  for (const [id, place] of listed) {
    if (issues.has(id)) continue
    problems.add({ place, message: `lists issue ${id}, but the export does not contain it; export it too` })
  }
  if (issues.size === 0 && listed.size === 0) {
    problems.add({ place: 'the export', message: 'contains no issue; export issues as issues/ID.json' })
  } else if (issues.size < total) {
    const message = `contains ${issues.size} issues, but Redmine counts ${total}; export the others too`
    problems.add({ place: 'the export', message })
  }
}

function addTimeEntry(entry: Fields, { timeEntries, lookups }: Survey): void {
  const issue = entry.inner('issue')?.text('id')
  // Time may be booked on a project alone.
  if (issue === undefined) return
  const who = [lookups.person(entry.inner('user'))?.name, entry.inner('activity')?.text('name')]
  const what = [`${entry.text('hours') ?? '0'} h`, entry.text('comments')]
  const line = `${entry.text('spent_on') ?? ''} ${[...who, ...what].filter(Boolean).join(', ')}`
  const lines = timeEntries.get(issue)
  if (lines) lines.push(line)
  else timeEntries.set(issue, [line])
}

function replies(path: string): AsyncGenerator<JsonElement, void> {
  return readElements(path, { isList: () => false })
}

function placeOfIssue({ id }: JsonObject): string {
  return typeof id === 'number' || typeof id === 'string' ? `issue ${shown(String(id), 40)}` : 'an issue without an id'
}

/** One file that cannot be read must not hide the problems of the others. */
async function absorbing(problems: ProblemList, action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    problems.absorb(error)
  }
}
