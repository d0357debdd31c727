import { shown } from '@plantroom/contract/shown'
import { createFileNames, type FileNames, sourceFile } from '../../parts/file-names.ts'
import { createProblemList } from '../../problems.ts'
import type { Source, SourceRecord } from '../../source.ts'
import { numberIn } from '../../text/numbers.ts'
import { readTable } from '../csv/read-table.ts'
import { externalIdOf } from './issue-record.ts'
import { languages, NO } from './languages.ts'
import type { Lookups } from './lookups.ts'

/** Columns in which Redmine writes zero where nothing was entered. */
const NUMBERS = new Set(['Estimated time', 'Total estimated time', 'Spent time', 'Total spent time', '% Done'])

/** Opens the list of issues as CSV. It has names of people and files only, and no comments but the last. */
export async function openList(paths: readonly string[], lookups: Lookups): Promise<Source> {
  const fileNames = createFileNames()
  for (const path of paths) {
    for await (const { cells } of readTable(path)) for (const name of filesOf(english(cells))) fileNames.add(name)
  }
  return { records: () => readRows(paths, lookups, fileNames), async [Symbol.asyncDispose]() {} }
}

async function* readRows(
  paths: readonly string[],
  lookups: Lookups,
  names: FileNames,
): AsyncGenerator<SourceRecord, void> {
  const problems = createProblemList()
  const places = new Map<string, string>()
  for (const path of paths) {
    for await (const { line, cells } of readTable(path)) {
      const row = english(cells)
      const id = row.get('#')?.trim() ?? ''
      const place = `row ${line}`
      if (!/^\d+$/.test(id)) {
        problems.add({
          place,
          column: '#',
          message: `${shown(id, 40) || 'an empty cell'} is not the number of an issue; export the list with the column #`,
        })
        continue
      }
      const before = places.get(id)
      if (before !== undefined) {
        problems.add({ place, column: '#', message: `issue ${id} is in ${before} too; remove one of the rows` })
        continue
      }
      places.set(id, place)
      yield {
        place,
        values: valuesOf(row, id, lookups),
        comments: [],
        files: filesOf(row).map((name) => sourceFile({ name }, [], names)),
      }
    }
  }
  problems.throwIfAny()
}

function valuesOf(row: ReadonlyMap<string, string>, id: string, lookups: Lookups): Map<string, string> {
  const values = new Map([['External id', externalIdOf(id)]])
  for (const [column, value] of row) {
    if (column === 'Files' || saysNothing(column, value, row)) continue
    if (column === 'Assignee' && lookups.emailOfName(value) === undefined) values.set('Assignee without address', value)
    else values.set(column, value)
  }
  for (const role of ['Author', 'Assignee']) {
    const email = lookups.emailOfName(row.get(role) ?? '')
    if (email !== undefined) values.set(`${role} email`, email)
  }
  return values
}

/** Redmine fills cells where nobody entered anything, and repeats totals of issues without subtasks. */
function saysNothing(column: string, value: string, row: ReadonlyMap<string, string>): boolean {
  if (NUMBERS.has(column) && numberIn(value) === 0) return true
  if (column === 'Total estimated time') return value === row.get('Estimated time')
  if (column === 'Total spent time') return value === row.get('Spent time')
  return column === 'Private' && NO.has(value)
}

function english(cells: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([...cells].map(([column, value]) => [languages.columnOf(column), value]))
}

/** One name per line. */
function filesOf(row: ReadonlyMap<string, string>): string[] {
  return (row.get('Files') ?? '').split(/\r?\n/).filter((name) => name.trim() !== '')
}
