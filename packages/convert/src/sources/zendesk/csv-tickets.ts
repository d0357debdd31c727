import { startsLikeJson } from '../../json/starts-like-json.ts'
import { encodingNotes } from '../../parts/encoding-notes.ts'
import { lookup } from '../../parts/lookup.ts'
import { addPerson, isAddress } from '../../parts/people.ts'
import { createProblemList } from '../../problems.ts'
import { type Source, SourceError, type SourceRecord } from '../../source.ts'
import { readTable, type TableRow, tableColumns, tableForm } from '../csv/read-table.ts'
import { languages } from './languages.ts'

/** Opens the CSV export of a view or of the account. It has neither texts nor comments, and names of agents only. */
export async function openCsv(paths: readonly string[], encoding: string | undefined): Promise<Source> {
  const notes = await encodingNotes(paths, encoding)
  return { notes, records: () => records(paths, encoding), async [Symbol.asyncDispose]() {} }
}

/** Tells a list of tickets from JSON and from files that are neither. */
export async function isTicketTable(path: string, encoding: string | undefined): Promise<boolean> {
  // A large JSON file costs one look only.
  if (await startsLikeJson(path)) return false
  try {
    const header = await tableColumns(path, await tableForm(path, { encoding }))
    const columns = header.map(languages.columnOf)
    return columns.includes('id') && (columns.includes('subject') || columns.includes('status'))
  } catch (error) {
    if (error instanceof SourceError) return false
    throw error
  }
}

async function* records(paths: readonly string[], encoding: string | undefined): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  const places = new Map<string, string>()
  let count = 0
  for (const path of paths) {
    try {
      for await (const row of readTable(path, { encoding })) {
        count += 1
        const record = toRecord(row)
        const place = `row ${row.line}`
        const id = record.values.get('id')
        const first = places.get(id ?? '')
        if (id === undefined) {
          problems.add({ place, column: 'id', message: 'the ticket has no ID; add the column ID to the view' })
        } else if (first !== undefined) {
          problems.add({ place, column: 'id', message: `ticket ${id} is already in ${first}; remove one of the two` })
        } else {
          places.set(id, place)
          yield record
        }
      }
    } catch (error) {
      problems.absorb(error)
    }
  }
  problems.throwIfAny()
  const message = 'no tickets were found; give the CSV export of a view, or the JSON export of the tickets'
  if (count === 0) throw new SourceError([{ place: paths.join(', '), message }])
}

const FORMS: Readonly<Record<string, (cell: string) => string>> = {
  // Some views write #35.
  id: (cell) => cell.replace(/^#/, ''),
  // No tag contains a space.
  tags: (cell) => cell.replaceAll(/[\s,]+/g, ', '),
}

function toRecord({ cells, line }: TableRow): SourceRecord {
  const values = new Map<string, string>()
  for (const [header, cell] of cells) {
    const column = languages.columnOf(header)
    // The account's export has a column that only counts. A dash is an empty cell.
    if (column === 'Summation column' || cell.trim() === '-') continue
    if (column === 'Assignee') addPerson(values, column, isAddress(cell) ? { email: cell } : { name: cell })
    else values.set(column, lookup(FORMS, column)?.(cell.trim()) ?? cell)
  }
  return { place: `row ${line} (ticket ${values.get('id')})`, values, comments: [], files: [] }
}
