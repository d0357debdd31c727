import { unguarded } from '@plantroom/base/csv'
import type { ConversionNote } from '@plantroom/contract/conversion-notes'
import { note } from '../../notes.ts'
import { SourceError, type SourceKind, type SourceRecord } from '../../source.ts'
import { type CommentTable, commentTable, readComments } from './comments.ts'
import { type TableForm, tableColumns, tableForm, tableRows } from './read-table.ts'

/** Any table with a header row. Beside it, a table of comments as `plantroom package to csv` writes it. */
export const csv: SourceKind = {
  name: 'csv',
  label: 'CSV',
  async open(inputs, { encoding } = {}) {
    const { path, comments } = await tablesOf(inputs, encoding)
    const form = await tableForm(path, { encoding })
    const columns = await tableColumns(path, form)
    return {
      columns,
      notes: notesOn(form),
      records: () => records(path, form, comments),
      async [Symbol.asyncDispose]() {},
    }
  },
}

async function tablesOf(
  inputs: readonly string[],
  encoding: string | undefined,
): Promise<{ path: string; comments?: CommentTable | undefined }> {
  const [first, second, ...others] = inputs
  if (first !== undefined && second === undefined) return { path: first }
  if (first !== undefined && second !== undefined && others.length === 0) {
    const after = await commentTable(second, encoding)
    if (after) return { path: first, comments: after }
    const before = await commentTable(first, encoding)
    if (before) return { path: second, comments: before }
  }
  throw new SourceError([{ place: 'csv', message: 'takes one file; convert several one after another' }])
}

async function* records(
  path: string,
  form: TableForm,
  table: CommentTable | undefined,
): AsyncGenerator<SourceRecord, void> {
  await using comments = table && (await readComments(table))
  let number = 0
  for await (const { line, cells } of tableRows(path, form)) {
    number += 1
    // The header is line 1, so record 1 usually is on line 2.
    const place = line === number + 1 ? `row ${line}` : `row ${line} (record ${number})`
    const values = withoutGuards(cells)
    yield { place, values, comments: (await comments?.of(values.get('External id') ?? '')) ?? [], files: [] }
  }
  comments?.end()
}

function withoutGuards(cells: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  for (const cell of cells.values()) {
    if (unguarded(cell) !== cell) return new Map([...cells].map(([name, each]) => [name, unguarded(each)]))
  }
  return cells
}

function notesOn({ encoding }: TableForm): ConversionNote[] {
  return encoding.isAssumed ? [note('encoding-assumed', { subject: encoding.name })] : []
}
