import type { CommissionedDatapoint } from '@plantroom/contract/commissioning'
import { ACCESS_TYPES } from '@plantroom/contract/datapoint'
import { editor } from '../../../texts/editor.ts'
import { format } from '../../../texts/format.ts'
import { readValue } from './address-text.ts'
import { readTable, SEPARATORS } from './read-table.ts'

const texts = editor.csv

/** A mistake in a table, in a row as a spreadsheet counts them. */
export interface RowProblem {
  row: number
  message: string
}

type Row = Map<string, string>

/** The columns that are not part of the address. Everything else is. */
const OWN_COLUMNS = ['name', 'access', 'unit', 'kind', 'tags', 'min', 'max', 'scale', 'releasevalue']
const ACCESS: Readonly<Record<string, CommissionedDatapoint['accessType']>> = {
  ...Object.fromEntries(ACCESS_TYPES.map((type) => [type.toLowerCase(), type])),
  ...{ r: 'READ', w: 'WRITE', rw: 'READ_WRITE', 'r/w': 'READ_WRITE', '': 'READ' },
}
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?(?:e[+-]?\d+)?$/i

/**
 * Reads datapoints from a table that a person pasted from a spreadsheet: commas, semicolons or tabs, decimal points or
 * commas. Returns those without mistakes, and every mistake with its row.
 */
export function readDatapointTable(
  text: string,
  known: ReadonlySet<string>,
): { datapoints: CommissionedDatapoint[]; problems: RowProblem[] } {
  const { rows, separator, openQuote } = readTable(text)
  const [head, ...lines] = rows
  if (!head) return { datapoints: [], problems: [] }
  const refuse = (message: string, row = head.row) => ({ datapoints: [], problems: [{ row, message }] })
  // Everything after it would be one cell.
  if (openQuote !== undefined) return refuse(texts.openQuote, openQuote)
  const columns = head.cells.map((cell) => cell.trim())
  const names = columns.filter((column) => column !== '').map((column) => column.toLowerCase())
  if (!names.includes('name')) return refuse(texts.noName)
  const double = names.find((column, at) => names.indexOf(column) !== at)
  if (double !== undefined) return refuse(format(texts.columnTwice, { column: double }))
  const seen = new Map<string, number>()
  const problems: RowProblem[] = []
  const datapoints = lines.flatMap(({ row, cells }) => {
    const found: string[] = []
    if (cells.length > columns.length)
      found.push(format(texts.tooMany, { count: cells.length, columns: columns.length }))
    if (isSeparatedOtherwise(cells, columns.length, separator)) found.push(texts.otherSeparator)
    const values: Row = new Map(columns.map((column, place) => [column, (cells[place] ?? '').trim()]))
    const datapoint = datapointOf(values, found)
    const other = seen.get(datapoint.name)
    if (datapoint.name === '') found.push(texts.unnamed)
    else if (other !== undefined) found.push(format(texts.twice, { name: datapoint.name, row: other }))
    else if (known.has(datapoint.name)) found.push(format(texts.known, { name: datapoint.name }))
    else seen.set(datapoint.name, row)
    problems.push(...found.map((message) => ({ row, message })))
    return found.length === 0 ? [datapoint] : []
  })
  return { datapoints, problems }
}

/** A row in one piece that another separator would split, as from two files pasted together. */
const isSeparatedOtherwise = ([cell = '', ...others]: readonly string[], columns: number, separator: string) =>
  columns > 1 && others.length === 0 && SEPARATORS.some((other) => other !== separator && cell.includes(other))

function datapointOf(values: Row, found: string[]): CommissionedDatapoint {
  const own = new Map([...values].map(([column, value]) => [column.toLowerCase(), value]))
  const textOf = (column: string) => own.get(column) ?? ''
  const numberOf = (column: string) => {
    const value = textOf(column)
    if (value === '') return undefined
    if (NUMBER.test(value)) return Number(value.replace(',', '.'))
    found.push(format(texts.noNumber, { column, value }))
    return undefined
  }
  const [min, max, scale, releaseValue] = [
    numberOf('min'),
    numberOf('max'),
    numberOf('scale'),
    numberOf('releasevalue'),
  ]
  const accessType = ACCESS[textOf('access').toLowerCase()]
  if (!accessType) found.push(format(texts.noAccess, { value: textOf('access') }))
  if ((min === undefined) !== (max === undefined)) found.push(texts.oneBound)
  if (scale === 0) found.push(texts.noScale)
  const tags = textOf('tags')
    .split(/[\s,;]+/)
    .filter(Boolean)
  const address = [...values].filter(
    ([column, value]) => column !== '' && value !== '' && !OWN_COLUMNS.includes(column.toLowerCase()),
  )
  return {
    name: textOf('name'),
    accessType: accessType ?? 'READ',
    ...(textOf('unit') !== '' && { unit: textOf('unit') }),
    ...(textOf('kind') !== '' && { kind: textOf('kind') as NonNullable<CommissionedDatapoint['kind']> }),
    ...(tags.length > 0 && { tags }),
    ...(min !== undefined && max !== undefined && { writeInputType: 'number' as const, writeInputData: { min, max } }),
    ...(releaseValue !== undefined && { releaseValue }),
    // The engineering value is the raw one times this.
    ...(scale && { scaler: { inputValue1: 0, outputValue1: 0, inputValue2: scale, outputValue2: 1 } }),
    data: Object.fromEntries(address.map(([column, value]) => [column, readValue(value)])),
  }
}
