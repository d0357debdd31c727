import { encodingNotes } from '../../parts/encoding-notes.ts'
import { createFileNames, type FileNames } from '../../parts/file-names.ts'
import { isAddress } from '../../parts/people.ts'
import { createProblemList } from '../../problems.ts'
import { SourceError, type SourceKind, type SourceRecord } from '../../source.ts'
import { firstCharacter } from '../../text/first-character.ts'
import { readTable } from '../csv/read-table.ts'
import { csvIssues } from './csv-issues.ts'
import { defaultMapping } from './default-mapping.ts'
import { learnFrom, toRecord } from './issue.ts'
import { englishColumn } from './languages.ts'
import { createJiraPeople, type JiraPeople } from './people.ts'
import { xmlIssues } from './xml-issues.ts'

/** The CSV export with all fields or the XML export of a search in Jira, with the export of the users beside it. */
export const jira: SourceKind = {
  name: 'jira',
  label: 'Jira',
  columnOf: englishColumn,
  defaultMapping,
  async open(inputs: readonly string[], { encoding }: { encoding?: string | undefined } = {}) {
    const opened = await survey(inputs, encoding)
    const notes = await encodingNotes(opened.tables, encoding)
    const source = { notes, records: () => records(opened), async [Symbol.asyncDispose]() {} }
    return source
  },
}

interface Export {
  readonly issues: readonly string[]
  /** Files in CSV. */
  readonly tables: readonly string[]
  readonly encoding: string | undefined
  readonly people: JiraPeople
  readonly names: FileNames
}

/** Reads an export once, to know its people and the names of its files. */
async function survey(inputs: readonly string[], encoding: string | undefined): Promise<Export> {
  const people = createJiraPeople()
  const names = createFileNames()
  const issues: string[] = []
  const tables: string[] = []
  for (const path of inputs) {
    const isTable = (await firstCharacter(path)) !== '<'
    if (isTable) tables.push(path)
    if (isTable && (await isUsers(path, encoding))) await learnUsers(path, encoding, people)
    else issues.push(path)
  }
  if (issues.length === 0) {
    throw new SourceError([{ place: 'Jira', message: 'no issues were given; give the CSV or XML export of a search' }])
  }
  for (const path of issues) {
    try {
      for await (const { issue } of await issuesOf(path, encoding)) learnFrom(issue, people, names)
    } catch (error) {
      // The records report it, with everything else that is wrong.
      if (!(error instanceof SourceError)) throw error
    }
  }
  return { issues, tables, encoding, people, names }
}

async function* records({ issues, encoding, people, names }: Export): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  const places = new Map<string, string>()
  let count = 0
  for (const path of issues) {
    try {
      for await (const { place, issue } of await issuesOf(path, encoding)) {
        const first = places.get(issue.key)
        const message = `issue ${issue.key} is already in ${first}; remove one of the two`
        if (first === undefined) yield toRecord(issue, people, names)
        else problems.add({ place, column: 'Issue key', message })
        places.set(issue.key, first ?? place)
        count += 1
      }
    } catch (error) {
      problems.absorb(error)
    }
  }
  problems.throwIfAny()
  const message = 'no issues were found; give the CSV export with all fields or the XML export of a search'
  if (count === 0) throw new SourceError([{ place: issues.join(', '), message }])
}

async function issuesOf(path: string, encoding: string | undefined): Promise<ReturnType<typeof csvIssues>> {
  return (await firstCharacter(path)) === '<' ? xmlIssues(path) : csvIssues(path, encoding)
}

async function isUsers(path: string, encoding: string | undefined): Promise<boolean> {
  for await (const { cells } of readTable(path, { encoding })) {
    const columns = [...cells.keys()].map((column) => englishColumn(column).toLowerCase())
    return !columns.includes('issue key') && columns.some((column) => /^e-?mail( address)?$/.test(column))
  }
  return false
}

/** The users of Atlassian's administration (`User id`, `User name`, `email`), or any table with such columns. */
async function learnUsers(path: string, encoding: string | undefined, people: JiraPeople): Promise<void> {
  for await (const { cells } of readTable(path, { encoding })) {
    const byName = new Map(
      [...cells].map(([column, cell]) => [column.toLowerCase().replaceAll(/[\s_-]/g, ''), cell.trim()]),
    )
    const find = (...columns: readonly string[]) => columns.map((column) => byName.get(column)).find(Boolean)
    const email = find('email', 'emailaddress')
    const fullName = find('displayname', 'fullname')
    const name = fullName ?? find('username', 'name')
    const person = { name, email: email !== undefined && isAddress(email) ? email : undefined }
    people.learn(find('userid', 'accountid', 'id'), person)
    // Atlassian calls the full name a user name. Only beside a full name it identifies somebody.
    if (fullName !== undefined) people.learn(find('username', 'login', 'key'), person)
  }
}
