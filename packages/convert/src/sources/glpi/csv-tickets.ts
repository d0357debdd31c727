import { encodingNotes } from '../../parts/encoding-notes.ts'
import { createNameBook, type NameBook } from '../../parts/name-book.ts'
import { isAddress } from '../../parts/people.ts'
import { createProblemList } from '../../problems.ts'
import { type Source, SourceError, type SourcePerson, type SourceRecord } from '../../source.ts'
import { readTable, type TableRow } from '../csv/read-table.ts'
import { plainText } from './content.ts'
import { evidenceOf } from './default-mapping.ts'
import { englishColumn } from './languages.ts'
import { addTicketPeople } from './people.ts'

/** Opens the CSV export of a search for tickets, with that of the users beside it. */
export async function openCsv(inputs: readonly string[], encoding: string | undefined): Promise<Source> {
  const book = createNameBook()
  const tickets: string[] = []
  for (const path of inputs) {
    if (await isUsers(path, encoding)) await learnUsers(path, encoding, book)
    else tickets.push(path)
  }
  const notes = await encodingNotes(inputs, encoding)
  const source = { notes, records: () => records(tickets, encoding, book), async [Symbol.asyncDispose]() {} }
  return source
}

async function* records(
  paths: readonly string[],
  encoding: string | undefined,
  book: NameBook,
): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  const places = new Map<string, string>()
  let count = 0
  for (const path of paths) {
    try {
      for await (const row of englishRows(path, encoding)) {
        count += 1
        const place = `row ${row.line}`
        // GLPI groups digits: 5 732 943.
        const id = row.cells.get('ID')?.replaceAll(/\s/g, '')
        const first = places.get(id ?? '')
        if (id === undefined) {
          problems.add({ place, column: 'ID', message: 'the ticket has no ID; add the column ID to the list in GLPI' })
        } else if (first !== undefined) {
          problems.add({ place, column: 'ID', message: `ticket ${id} is already in ${first}; remove one of the two` })
        } else {
          places.set(id, place)
          yield toRecord(id, row, book)
        }
      }
    } catch (error) {
      problems.absorb(error)
    }
  }
  problems.throwIfAny()
  const message = 'no tickets were found; give the CSV export of the tickets, or the JSON files of the REST API'
  if (count === 0) throw new SourceError([{ place: paths.join(', ') || 'GLPI', message }])
}

function toRecord(id: string, { cells, line }: TableRow, book: NameBook): SourceRecord {
  const values = new Map<string, string>()
  const requesters: SourcePerson[] = []
  const technicians: SourcePerson[] = []
  const observers: SourcePerson[] = []
  for (const [column, cell] of cells) {
    // The group stands before the column: `Assigned to - Technician`.
    const role = column.split(' - ').at(-1)
    if (role === 'Requester') requesters.push(...peopleIn(cell, book))
    else if (role === 'Technician') technicians.push(...peopleIn(cell, book))
    else if (role === 'Observer') observers.push(...peopleIn(cell, book))
    else {
      const text = column === 'ID' ? id : plainText(cell)
      if (text !== '') values.set(column, text)
    }
  }
  addTicketPeople(values, { requesters, technicians, observers })
  return { place: `row ${line} (ticket ${id})`, values, comments: [], files: [], evidence: evidenceOf(values) }
}

/** Several people stand on lines of their own. */
function peopleIn(cell: string, book: NameBook): SourcePerson[] {
  const lines = cell.split(/\n|<br ?\/?>/i).map((line) => plainText(line))
  return lines.filter((name) => name !== '').map((name) => book.complete({ name }))
}

async function* englishRows(path: string, encoding: string | undefined): AsyncGenerator<TableRow, void> {
  for await (const { line, cells } of readTable(path, { encoding })) {
    yield { line, cells: new Map([...cells].map(([column, cell]) => [englishColumn(column), cell])) }
  }
}

async function isUsers(path: string, encoding: string | undefined): Promise<boolean> {
  for await (const { cells } of englishRows(path, encoding)) return !cells.has('Title') && cells.has('Email')
  return false
}

async function learnUsers(path: string, encoding: string | undefined, book: NameBook): Promise<void> {
  for await (const { cells } of englishRows(path, encoding)) {
    const find = (column: string) => cells.get(column)?.trim()
    const [email] = (find('Email') ?? '').split(/[\s,;]+|<br ?\/?>/i).filter(isAddress)
    const first = find('First name') ?? ''
    const last = find('Surname') ?? ''
    // Administrators choose in which order GLPI shows names.
    for (const name of [find('Login'), `${last} ${first}`, `${first} ${last}`]) book.learn(name?.trim(), email)
  }
}
