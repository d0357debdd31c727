import type { ConversionNote } from '@plantroom/contract/conversion-notes'
import { note } from '../../notes.ts'
import { SourceError, type SourceKind, type SourceRecord } from '../../source.ts'
import { type TableForm, tableColumns, tableForm, tableRows } from './read-table.ts'

/** Any table with a header row. */
export const csv: SourceKind = {
  name: 'csv',
  label: 'CSV',
  async open(inputs, { encoding } = {}) {
    const [path, ...others] = inputs
    if (path === undefined || others.length > 0) {
      throw new SourceError([{ place: 'csv', message: 'takes one file; convert several one after another' }])
    }
    const form = await tableForm(path, { encoding })
    const columns = await tableColumns(path, form)
    return {
      columns,
      notes: notesOn(form),
      records: () => records(path, form),
      async [Symbol.asyncDispose]() {},
    }
  },
}

async function* records(path: string, form: TableForm): AsyncGenerator<SourceRecord, void> {
  let number = 0
  for await (const { line, cells } of tableRows(path, form)) {
    number += 1
    // The header is line 1, so record 1 usually is on line 2.
    const place = line === number + 1 ? `row ${line}` : `row ${line} (record ${number})`
    yield { place, values: withoutGuards(cells), comments: [], files: [] }
  }
}

/** Programs, ours among them, write an apostrophe before a cell that a spreadsheet would evaluate: '+372 555. */
const GUARDED = /^'[=+\-@\t\r\n＝＋－＠]/

/** Looks at the first character before it asks for the pattern: a large table has a million cells. */
const isGuarded = (cell: string) => cell.startsWith("'") && GUARDED.test(cell)

function withoutGuards(cells: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (!hasGuard(cells)) return cells
  return new Map([...cells].map(([name, cell]) => [name, isGuarded(cell) ? cell.slice(1) : cell]))
}

function hasGuard(cells: ReadonlyMap<string, string>): boolean {
  for (const cell of cells.values()) if (isGuarded(cell)) return true
  return false
}

function notesOn({ encoding }: TableForm): ConversionNote[] {
  return encoding.isAssumed ? [note('encoding-assumed', { subject: encoding.name })] : []
}
