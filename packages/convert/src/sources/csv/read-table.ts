import { pipeline } from 'node:stream'
import { shown } from '@plantroom/contract/shown'
import { CsvError, parse } from 'csv-parse'
import { createProblemList, type ProblemList } from '../../problems.ts'
import { SourceError } from '../../source.ts'
import { detectEncoding, type Encoding, namedEncoding, utf8Chunks } from '../../text/encoding.ts'
import { columnNames } from './headers.ts'
import { refuseOtherFormats } from './other-formats.ts'
import { detectSeparator } from './separator.ts'

/** A row of a table. */
export interface TableRow {
  /** The line in the file on which the row starts, as an editor shows it. */
  readonly line: number
  /** By column, in its order, without cells that are empty. */
  readonly cells: ReadonlyMap<string, string>
}

export interface TableOptions {
  /** Default: detected. */
  readonly encoding?: string | undefined
  /** Default: detected among comma, semicolon, tab and bar. */
  readonly separator?: string | undefined
}

/** How a file is read: what was detected, or what a person said. */
export interface TableForm {
  readonly encoding: Encoding
  readonly separator: string
  readonly hintLength: number
  /** The line ends that occur. The parser compares every character with each of them. */
  readonly lineEnds: readonly string[]
}

const HEAD_CHARACTERS = 65_536
/** As programs of databases write an empty cell. */
export const NOTHING = 'NULL'
/** Larger than any real row; a quotation mark that is never closed would otherwise take the whole file into memory. */
const MOST_ROW_CHARACTERS = 16_000_000

/**
 * Reads a CSV file row by row in bounded memory. Detects encoding and separator; names repeated and empty headers. Throws
 * a `SourceError` after the last row with every row that has too few or too many cells, or where it cannot read on.
 */
export async function* readTable(path: string, options: TableOptions = {}): AsyncGenerator<TableRow, void> {
  yield* tableRows(path, await tableForm(path, options))
}

/** Finds out how to read a file, from its bytes. */
export async function tableForm(path: string, { encoding: named, separator }: TableOptions): Promise<TableForm> {
  try {
    await refuseOtherFormats(path)
    const encoding = named === undefined ? await detectEncoding(path) : namedEncoding(named)
    const detected = detectSeparator(await headOf(path, encoding), HEAD_CHARACTERS)
    const lineEnds = await lineEndsIn(path, encoding)
    return { encoding, separator: separator ?? detected.separator, hintLength: detected.hintLength, lineEnds }
  } catch (error) {
    throw unreadable(path, error)
  }
}

/** Returns the names of the columns. Throws a `SourceError` for a file without a header. */
export async function tableColumns(path: string, form: TableForm): Promise<string[]> {
  for await (const { record } of rawRows(path, form)) return columnNames(record)
  throw new SourceError([{ place: 'row 1', message: 'the file is empty; export it again with its header row' }])
}

/** Yields the rows of a file whose form is known. Throws like `readTable`. */
export async function* tableRows(path: string, form: TableForm): AsyncGenerator<TableRow, void> {
  const problems = createProblemList()
  let names: string[] | undefined
  try {
    for await (const { record, line } of rawRows(path, form)) {
      if (!names) {
        names = columnNames(record)
        continue
      }
      const cells = cellsOf(record, names, line, problems)
      if (cells && cells.size > 0) yield { line, cells }
    }
  } catch (error) {
    problems.absorb(error)
  }
  problems.throwIfAny()
}

function cellsOf(
  record: readonly string[],
  names: readonly string[],
  line: number,
  problems: ProblemList,
): Map<string, string> | undefined {
  const place = `row ${line}`
  if (record.length < names.length) {
    const column = names[record.length]
    const message = `the row has ${record.length} of ${names.length} cells; look for a line break outside quotation marks, or for a missing separator`
    problems.add({ place, column, message })
    return undefined
  }
  const cells = new Map<string, string>()
  for (const [index, cell] of record.entries()) {
    if (cell === '' || cell === NOTHING || cell.trim() === '') continue
    const name = names[index]
    if (name === undefined) {
      const message = `${shown(cell, 40)} stands beyond the ${names.length === 1 ? 'only column' : `${names.length} columns`} of the header; put cells that contain a separator in quotation marks`
      problems.add({ place, column: `column ${index + 1}`, message })
      return undefined
    }
    cells.set(name, cell)
  }
  return cells
}

/** Yields the rows that are not empty, with the line on which each starts. */
async function* rawRows(
  path: string,
  { encoding, separator, hintLength, lineEnds }: TableForm,
): AsyncGenerator<{ record: string[]; line: number }, void> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: [...lineEnds],
    relax_column_count: true,
    // Inch marks: 5" pipe.
    relax_quotes: true,
    max_record_size: MOST_ROW_CHARACTERS,
  })
  let ended = hintLength > 0 ? 1 : 0
  try {
    // An error of the source surfaces in the iteration.
    pipeline(withoutHint(utf8Chunks(path, encoding), hintLength), parser, () => {})
    for await (const record of parser as AsyncIterable<string[]>) {
      const line = ended + 1
      ended += 1 + lineBreaksIn(record)
      if (record.length > 1 || record[0]?.trim()) yield { record, line }
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw unreadable(path, error)
    const message =
      error.code === 'CSV_MAX_RECORD_SIZE'
        ? `the row has more than ${MOST_ROW_CHARACTERS / 1e6} MB; shorten it, or look for a quotation mark that is never closed`
        : `a quotation mark that opens in this row is never closed; close it, or write two for a quotation mark inside a cell`
    throw new SourceError([{ place: `row ${ended + 1}`, message }])
  } finally {
    parser.destroy()
  }
}

/** Counts as an editor does. The parser counts a line break in a cell by the rules of rows. */
function lineBreaksIn(record: readonly string[]): number {
  let breaks = 0
  for (const cell of record) {
    if (cell.includes('\n') || cell.includes('\r')) breaks += cell.match(/\r\n|\n|\r/g)?.length ?? 0
  }
  return breaks
}

async function* withoutHint(chunks: AsyncIterable<Buffer>, length: number): AsyncGenerator<Buffer, void> {
  let left = length
  for await (const chunk of chunks) {
    yield left === 0 ? chunk : chunk.subarray(left)
    left = Math.max(0, left - chunk.length)
  }
}

const LF = 10
const CR = 13

async function lineEndsIn(path: string, encoding: Encoding): Promise<string[]> {
  let hasPairs = false
  let endsInCr = false
  for await (const chunk of utf8Chunks(path, encoding)) {
    if (endsInCr && chunk[0] !== LF) return ['\r\n', '\n', '\r']
    for (let at = chunk.indexOf(CR); at !== -1; at = chunk.indexOf(CR, at + 1)) {
      hasPairs = true
      if (at + 1 < chunk.length && chunk[at + 1] !== LF) return ['\r\n', '\n', '\r']
    }
    if (chunk.length > 0) endsInCr = chunk.at(-1) === CR
  }
  if (endsInCr) return ['\r\n', '\n', '\r']
  return hasPairs ? ['\r\n', '\n'] : ['\n']
}

async function headOf(path: string, encoding: Encoding): Promise<string> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const chunk of utf8Chunks(path, encoding)) {
    pieces.push(chunk)
    length += chunk.length
    if (length >= HEAD_CHARACTERS) break
  }
  return Buffer.concat(pieces).toString('utf8').slice(0, HEAD_CHARACTERS)
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the file does not exist',
  EISDIR: 'is a folder, not a file',
  EACCES: 'you have no permission to read the file',
  EPERM: 'you have no permission to read the file',
}

/** Turns an error of the file system into one that names the file. */
export function unreadable(path: string, error: unknown): SourceError {
  if (error instanceof SourceError) return error
  const { code = '', message } = error as NodeJS.ErrnoException
  return new SourceError([{ place: path, message: REASONS[code] ?? message }])
}
