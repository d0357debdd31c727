import { csvLine, guarded } from '@plantroom/base/csv'
import type { TargetDeps } from './target.ts'
import { BECAME } from './values.ts'

/** Writes the rows of a table. */
export interface Table {
  head(columns: readonly string[]): string
  /** `fields` names the cells for the account. */
  row(place: string, fields: readonly string[], cells: readonly string[]): string
}

const BYTE_ORDER_MARK = '\uFEFF'

/** `read` is what the reader of the table makes of a cell. The account names cells that it would not read as they were. */
export function createTable({ account, options }: TargetDeps, read: (cell: string) => string = (cell) => cell): Table {
  const { separator, byteOrderMark } = options
  return {
    head: (columns) => (byteOrderMark ? BYTE_ORDER_MARK : '') + csvLine(columns, separator),
    row(place, fields, cells) {
      for (const [index, cell] of cells.entries()) {
        if (read(guarded(cell)) !== cell) account.add(place, fields[index] ?? '', cell, BECAME.apostrophe)
      }
      return csvLine(cells, separator)
    },
  }
}
