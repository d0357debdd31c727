import { basename } from 'node:path'
import { pipeline } from 'node:stream'
import { shown } from '@plantroom/contract/shown'
import { CsvError, parse } from 'csv-parse'
import { addReporter, isAddress } from '../../parts/people.ts'
import { createProblemList } from '../../problems.ts'
import { type Source, SourceError, type SourcePerson, type SourceRecord } from '../../source.ts'
import { detectEncoding, utf8Chunks } from '../../text/encoding.ts'
import { unreadable } from '../csv/read-table.ts'
import { languages, NOT_SET } from './languages.ts'
import { externalIdOf } from './values.ts'

/** Larger than any real row. */
const MOST_ROW_CHARACTERS = 4_000_000

interface Line {
  readonly line: number
  readonly header: readonly string[]
  readonly cells: readonly string[]
}

/**
 * Opens the results of a search as RT's spreadsheet: cells between tabs, without quotation. It has neither texts nor
 * comments.
 */
export async function openResults(paths: readonly string[]): Promise<Source> {
  return { records: () => readRows(paths), async [Symbol.asyncDispose]() {} }
}

async function* readRows(paths: readonly string[]): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  const places = new Map<string, string>()
  for (const path of paths) {
    for await (const { line, header, cells } of linesOf(path)) {
      const place = `row ${line}`
      const row = new Map(header.flatMap((name, index) => (cells[index] ? [[name, cells[index]] as const] : [])))
      const id = row.get('id') ?? ''
      const before = places.get(id)
      if (cells.length !== header.length) {
        problems.add({ place, message: `has ${cells.length} of ${header.length} cells; export the search again` })
      } else if (!/^\d+$/.test(id)) {
        problems.add({
          place,
          column: 'id',
          message: `${shown(id, 40) || 'an empty cell'} is not the number of a ticket`,
        })
      } else if (before !== undefined) {
        problems.add({ place, column: 'id', message: `ticket ${id} is in ${before} too; remove one of the rows` })
      } else {
        places.set(id, place)
        yield { place, values: valuesOf(row, id), comments: [], files: [] }
      }
    }
  }
  problems.throwIfAny()
}

async function* linesOf(path: string): AsyncGenerator<Line, void> {
  const parser = parse({
    delimiter: '\t',
    quote: false,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    max_record_size: MOST_ROW_CHARACTERS,
  })
  let header: string[] | undefined
  let line = 0
  try {
    // An error of the source surfaces in the iteration.
    pipeline(utf8Chunks(path, await detectEncoding(path)), parser, () => {})
    for await (const record of parser as AsyncIterable<string[]>) {
      line += 1
      // RT puts a space before what a spreadsheet would evaluate.
      const cells = record.map((cell) => cell.trim())
      if (header) {
        if (cells.some((cell) => cell !== '')) yield { line, header, cells }
        continue
      }
      header = cells.map(columnName)
      if (!header.includes('id')) throw noTickets(path)
    }
  } catch (error) {
    throw error instanceof CsvError ? noTickets(path) : unreadable(path, error)
  } finally {
    parser.destroy()
  }
  if (!header) throw noTickets(path)
}

function noTickets(path: string): SourceError {
  const message = 'is neither JSON nor the results of a search with the column id; export it again'
  return new SourceError([{ place: basename(path), message }])
}

function columnName(name: string): string {
  const customField = /^(?:CustomField|CF)\.\{?(.*?)\}?$/.exec(name)?.[1]
  return customField ?? languages.columnOf(name)
}

function valuesOf(row: ReadonlyMap<string, string>, id: string): Map<string, string> {
  const values = new Map([['External id', externalIdOf(id)]])
  for (const [column, value] of row) {
    if (NOT_SET.has(value) || (column === 'Owner' && value.startsWith('Nobody'))) continue
    if (column === 'Requestor') addRequestors(values, value)
    else if (column === 'Cc' || column === 'AdminCc' || column === 'Owner') addAddresses(values, column, value)
    else values.set(column, value)
  }
  return values
}

function addRequestors(values: Map<string, string>, cell: string): void {
  const [first, ...others] = peopleOf(cell)
  addReporter(values, 'Requestor', personOf(first ?? ''))
  if (others.length > 0) addAddresses(values, 'Cc', others.join(', '))
}

/** Adds people of a cell: those with an address, and those without. */
function addAddresses(values: Map<string, string>, role: string, cell: string): void {
  const people = peopleOf(cell).map(personOf)
  const append = (column: string, texts: readonly string[]) => {
    const all = [...(values.get(column)?.split(', ') ?? []), ...texts]
    if (all.length > 0) values.set(column, all.join(', '))
  }
  append(
    `${role} email`,
    people.flatMap(({ email }) => email ?? []),
  )
  append(
    role,
    people.flatMap(({ email, name }) => (email === undefined ? [] : (name ?? []))),
  )
  append(
    `${role} without address`,
    people.flatMap(({ email, name }) => (email === undefined ? (name ?? []) : [])),
  )
}

/** A name may contain a comma: `Tamm, Jaan <jaan@example.org>`. */
function peopleOf(cell: string): string[] {
  return cell.split(/[>)]/.test(cell) ? /(?<=[>)]), / : ', ')
}

/** `Kati Kõiv <kati@example.org>`, `<kati@example.org>`, `kati@example.org` or `jaan (Jaan Tamm)`. */
function personOf(text: string): SourcePerson {
  const open = text.lastIndexOf('<')
  const address = open === -1 || !text.endsWith('>') ? '' : text.slice(open + 1, -1)
  if (isAddress(address)) return { email: address, name: text.slice(0, open).trimEnd() || undefined }
  return isAddress(text) ? { email: text } : { name: text }
}
