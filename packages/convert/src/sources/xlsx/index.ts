import type { ConversionNote } from '@plantroom/contract/conversion-notes'
import { shown } from '@plantroom/contract/shown'
import { type OpenArchive, openArchive } from '@plantroom/fpl/read-archive'
import { note, noted } from '../../notes.ts'
import { createProblemList } from '../../problems.ts'
import { SourceError, type SourceKind, type SourceRecord } from '../../source.ts'
import { columnNames } from '../csv/headers.ts'
import { NOTHING } from '../csv/read-table.ts'
import { emptyFacts, mergedColumns, type SheetFacts, type SheetRow, sheetRows } from './sheet.ts'
import { readWorkbook, type SheetPlace, type Workbook } from './workbook.ts'

/** A sheet with a header row, as Excel, LibreOffice and others write it. */
export const xlsx: SourceKind = {
  name: 'xlsx',
  label: 'Excel (XLSX)',
  async open(inputs, { sheet: wanted } = {}) {
    const [path, ...others] = inputs
    if (path === undefined || others.length > 0) {
      throw new SourceError([{ place: 'xlsx', message: 'takes one file; convert several one after another' }])
    }
    const archive = opened(path)
    try {
      const workbook = await readWorkbook(archive)
      const sheet = chosenSheet(workbook, wanted)
      const facts = emptyFacts()
      const header = await readHeader(archive, workbook, sheet, facts)
      return {
        columns: header.names,
        notes: notesOn(workbook, sheet, header, facts),
        records: () => records(archive, workbook, sheet, header),
        async [Symbol.asyncDispose]() {
          archive[Symbol.dispose]()
        },
      }
    } catch (error) {
      archive[Symbol.dispose]()
      throw asSourceError(error)
    }
  },
}

interface Header {
  /** The number of its row. */
  readonly row: number
  readonly names: readonly string[]
  /** The text of a row above it. */
  readonly title: string | undefined
}

async function readHeader(
  archive: OpenArchive,
  workbook: Workbook,
  sheet: SheetPlace,
  facts: SheetFacts,
): Promise<Header> {
  let title: SheetRow | undefined
  for await (const row of sheetRows(archive, workbook, sheet.path, facts)) {
    if (row.cells.size === 0) continue
    // A single cell above a table is its title.
    if (row.cells.size === 1 && !title) {
      title = row
      continue
    }
    if (row.cells.size > 1 || !title) return headerOf(archive, sheet, row, title)
    break
  }
  if (title) return headerOf(archive, sheet, title, undefined)
  const message = 'the sheet is empty; choose another sheet or export it again with its header row'
  throw new SourceError([{ place: `sheet ${sheet.name}`, message }])
}

async function headerOf(
  archive: OpenArchive,
  sheet: SheetPlace,
  row: SheetRow,
  title: SheetRow | undefined,
): Promise<Header> {
  const width = Math.max(...row.cells.keys()) + 1
  const cells = Array.from({ length: width }, (_, index) => row.cells.get(index) ?? '')
  // A header over several columns stands in the first of them.
  if (cells.includes('')) {
    for (const { first, last } of await mergedColumns(archive, sheet.path, row.number)) {
      for (let column = first + 1; column <= last; column += 1) cells[column] = cells[first] ?? ''
    }
  }
  return { row: row.number, names: columnNames(cells), title: title && [...title.cells.values()][0] }
}

async function* records(
  archive: OpenArchive,
  workbook: Workbook,
  sheet: SheetPlace,
  { row: headerRow, names }: Header,
): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  try {
    for await (const { number, cells, flaws } of sheetRows(archive, workbook, sheet.path)) {
      if (number <= headerRow) continue
      const place = `row ${number}`
      for (const { column, message } of flaws) {
        problems.add({ place, column: names[column] ?? columnLetters(column), message })
      }
      const values = new Map<string, string>()
      // A cell beyond the header has a value all the same, so it gets a column of its own.
      for (const [column, text] of cells)
        if (text !== NOTHING) values.set(names[column] ?? `column ${column + 1}`, text)
      if (values.size > 0) yield { place, values, comments: [], files: [] }
    }
  } catch (error) {
    problems.absorb(asSourceError(error))
  }
  problems.throwIfAny()
}

function columnLetters(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26))
  return column < 26 ? letter : columnLetters(Math.floor(column / 26) - 1) + letter
}

function chosenSheet({ sheets }: Workbook, wanted: string | undefined): SheetPlace {
  const names = sheets.map(({ name }) => name).join(', ')
  const fold = (name: string) => name.trim().toLowerCase()
  const sheet =
    wanted === undefined
      ? (sheets.find(({ isHidden }) => !isHidden) ?? sheets[0])
      : sheets.find(({ name }) => fold(name) === fold(wanted))
  if (sheet) return sheet
  const message =
    wanted === undefined ? 'the file has no sheet' : `there is no sheet of this name; the file has ${names}`
  throw new SourceError([{ place: `sheet ${wanted ?? ''}`.trim(), message }])
}

function notesOn({ sheets }: Workbook, sheet: SheetPlace, header: Header, facts: SheetFacts): ConversionNote[] {
  const others = sheets.filter((each) => each !== sheet).map(({ name }) => name)
  const hidden = [...facts.hiddenColumns].flatMap((column) => header.names[column] ?? [])
  return [
    ...(others.length > 0 ? [note('other-sheets', { subject: sheet.name, ...noted(others) })] : []),
    ...(header.title === undefined ? [] : [note('text-above-table', { subject: shown(header.title, 200) })]),
    ...(hidden.length > 0 ? [note('hidden-columns', noted(hidden))] : []),
  ]
}

function opened(path: string): OpenArchive {
  try {
    return openArchive(path)
  } catch (error) {
    throw asSourceError(error, path)
  }
}

function asSourceError(error: unknown, path?: string): SourceError {
  if (error instanceof SourceError) return error
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new SourceError([{ place: path ?? 'workbook', message: 'the file does not exist' }])
  const remedy = 'save it again as XLSX in a spreadsheet program, or as CSV'
  return new SourceError([{ place: path ?? 'workbook', message: `cannot be read: ${message}; ${remedy}` }])
}
