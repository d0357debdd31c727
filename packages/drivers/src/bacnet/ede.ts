import { csvLine } from '@plantroom/base/csv'
import type { FoundConnection, FoundDatapoint } from '@plantroom/contract/discovery'
import { Failure } from '@plantroom/contract/failure'
import { excerpt } from '../excerpt.ts'
import { DEVICE, OBJECT_TYPES, type ObjectTypeName, objectText, objectTypeName } from './names.ts'
import { ANY_INSTANCE } from './tags.ts'
import { shortUnit, UNITS, unitName } from './units.ts'

/** The columns that are used, as the B.I.G.-EU names them, and other names for them. */
const COLUMNS = {
  device: ['device obj.-instance', 'device-obj-instance', 'device-object-instance'],
  name: ['object-name'],
  type: ['object-type'],
  instance: ['object-instance'],
  description: ['description'],
  min: ['min-present-value'],
  max: ['max-present-value'],
  settable: ['settable', 'commandable'],
  unit: ['unit-code'],
} as const
type Column = keyof typeof COLUMNS
const MANDATORY: readonly Column[] = ['device', 'name', 'type', 'instance']

const HEADER =
  '# keyname;device obj.-instance;object-name;object-type;object-instance;description;present-value-default;min-present-value;max-present-value;settable;supports COV;hi-limit;low-limit;state-text-reference;unit-code;vendor-specific-address'

/** Returns the devices of a scan as an EDE file: one table of all objects. */
export function edeOf(connections: readonly FoundConnection[], about: { project: string; at: string }): string {
  const lines = [
    ['# Engineering-Data-Exchange - B.I.G.-EU'],
    ['PROJECT_NAME', about.project],
    ['VERSION_OF_REFERENCEFILE', '1'],
    ['TIMESTAMP_OF_LAST_CHANGE', about.at],
    ['AUTHOR_OF_LAST_CHANGE', 'Plantroom'],
    ['VERSION_OF_LAYOUT', '2.3'],
  ].map((cells) => csvLine(cells, ';'))
  const rows = connections.flatMap(({ name, settings, datapoints, description }) => {
    const device = Number(settings.deviceInstance)
    const row = (
      key: string,
      object: readonly [name: string, type: number, instance: number],
      more: readonly (string | number)[],
    ) => csvLine([key, device, ...object, ...more], ';')
    return [
      row(name, [name, DEVICE, device], [description, '', '', '', 'N', 'N', '', '', '', '', '']),
      ...datapoints.map((datapoint) => {
        const { min = '', max = '' } = datapoint.writeInputData ?? {}
        const unit = UNITS.get(String(datapoint.data.units)) ?? ''
        const settable = datapoint.commandable ? 'Y' : 'N'
        const more = [datapoint.description ?? '', '', min, max, settable, 'N', '', '', '', unit, '']
        return row(`${name}.${datapoint.name}`, [datapoint.name, ...numbersOf(datapoint)], more)
      }),
    ]
  })
  return [...lines, `${HEADER}\r\n`, ...rows].join('')
}

function numbersOf({ data }: FoundDatapoint): readonly [type: number, instance: number] {
  const [type = '', instance] = String(data.object).split(',')
  return [OBJECT_TYPES[type as ObjectTypeName].type, Number(instance)]
}

const BYTE_ORDER_MARK = /^\ufeff/
const MAX_ROWS = 20_000
const MAX_PROBLEMS = 20
const LONGEST_NAME = 200

/**
 * Reads an EDE file as if its devices had been found by a scan; `host` is where they are. Throws a `Failure` of kind
 * `invalid` that names the lines with mistakes.
 */
export function readEde(text: string, host: string): { connections: FoundConnection[]; warnings: string[] } {
  const rows = rowsOf(text.replace(BYTE_ORDER_MARK, ''))
  const header = rows.findIndex(({ cells }) => /^#?\s*keyname$/i.test(cells[0]?.trim() ?? ''))
  const titles = rows[header]
  if (!titles) throw invalid('no line begins with "# keyname", so this is not an EDE file')
  const places = placesOf(titles.cells, titles.line)
  const problems: string[] = []
  const warnings: string[] = []
  const devices = new Map<number, { name: string; datapoints: Map<string, FoundDatapoint> }>()
  let others = 0
  for (const { cells, line } of rows.slice(header + 1)) {
    const cell = (column: Column) => cells[places.get(column) ?? -1]?.trim() ?? ''
    if (cells.every((each) => each.trim() === '') || cells[0]?.startsWith('#')) continue
    const whole = (column: Column, most: number) => {
      const value = /^\d{1,7}$/.test(cell(column)) ? Number(cell(column)) : Number.NaN
      if (value <= most) return value
      problems.push(
        `line ${line}: ${COLUMNS[column][0]}: ${excerpt(cell(column)) || 'nothing'} must be a whole number from 0 to ${most}`,
      )
      return undefined
    }
    const [device, type, instance] = [
      whole('device', ANY_INSTANCE - 1),
      whole('type', 1023),
      whole('instance', ANY_INSTANCE - 1),
    ]
    if (device === undefined || type === undefined || instance === undefined) continue
    const entry = devices.get(device) ?? { name: `Device ${device}`, datapoints: new Map() }
    devices.set(device, entry)
    if (type === DEVICE) entry.name = excerpt(cell('name'), LONGEST_NAME) || entry.name
    else if (!objectTypeName(type)) others += 1
    else {
      const datapoint = datapointOf({ type, instance }, cell, warnings, line)
      const object = objectText({ type, instance })
      if (entry.datapoints.has(object))
        warnings.push(`line ${line}: ${object} of device ${device} is there twice: the first one counts`)
      else entry.datapoints.set(object, datapoint)
    }
  }
  if (problems.length > 0) {
    const more = problems.length > MAX_PROBLEMS ? [`and ${problems.length - MAX_PROBLEMS} more`] : []
    throw invalid([...problems.slice(0, MAX_PROBLEMS), ...more].join('; '))
  }
  if (others > 0) warnings.push(`objects of types that a datapoint cannot have were left out: ${others}`)
  return { connections: [...devices].map(([instance, entry]) => connectionOf(instance, entry, host)), warnings }
}

function connectionOf(
  deviceInstance: number,
  { name, datapoints }: { name: string; datapoints: ReadonlyMap<string, FoundDatapoint> },
  host: string,
): FoundConnection {
  const names = new Set<string>()
  const named = [...datapoints].map(([object, datapoint]) => {
    const unique = names.has(datapoint.name) ? `${datapoint.name} (${object})` : datapoint.name
    names.add(unique)
    return { ...datapoint, name: unique }
  })
  const settings = { host, deviceInstance }
  return { name, protocol: 'bacnet-ip', settings, datapoints: named, description: '', warnings: [] }
}

function datapointOf(
  object: { type: number; instance: number },
  cell: (column: Column) => string,
  fileWarnings: string[],
  line: number,
): FoundDatapoint {
  const { values, isInput } = OBJECT_TYPES[objectTypeName(object.type) as ObjectTypeName]
  const warnings: string[] = []
  const isCommandable = !isInput && /^(?:y|yes|1|true)$/i.test(cell('settable'))
  // Some programs write decimal commas.
  const number = (column: Column) => (cell(column) === '' ? Number.NaN : Number(cell(column).replace(',', '.')))
  const [min, max] = values === 'binary' ? [0, 1] : [number('min'), number('max')]
  const isBounded = Number.isFinite(min) && Number.isFinite(max) && min < max
  if (isCommandable && !isBounded) {
    warnings.push('takes setpoints, but has no bounds here: to write it, set accessType READ_WRITE and writeInputData')
  }
  const code = cell('unit')
  const units = values === 'analog' && /^\d{1,5}$/.test(code) ? unitName(Number(code)) : undefined
  const isUnit = units !== undefined && units !== 'no-units'
  if (values === 'analog' && !isUnit) warnings.push('has no unit here: add it where it has one')
  if (values === 'analog' && code !== '' && units === undefined)
    fileWarnings.push(`line ${line}: unit-code: ${excerpt(code)} is not known`)
  const description = excerpt(cell('description'), LONGEST_NAME)
  return {
    name: excerpt(cell('name'), LONGEST_NAME).trim() || objectText(object),
    accessType: isCommandable && isBounded ? 'READ_WRITE' : 'READ',
    data: { object: objectText(object), ...(isUnit && { units }) },
    ...(isUnit && shortUnit(units).length <= 32 && { unit: shortUnit(units) }),
    ...(values === 'binary' && { unit: 'on/off' }),
    ...(isCommandable && { commandable: true }),
    ...(isCommandable && isBounded && { writeInputData: { min, max } }),
    raw: null,
    ...(description && { description }),
    warnings,
  }
}

function placesOf(titles: readonly string[], line: number): ReadonlyMap<Column, number> {
  const known = titles.map((title) => title.trim().toLowerCase())
  const places = new Map<Column, number>()
  for (const [column, names] of Object.entries(COLUMNS)) {
    const place = known.findIndex((title) => (names as readonly string[]).includes(title))
    if (place >= 0) places.set(column as Column, place)
  }
  const missing = MANDATORY.filter((column) => !places.has(column)).map((column) => COLUMNS[column][0])
  if (missing.length > 0) throw invalid(`line ${line}: the columns ${missing.join(', ')} are missing`)
  return places
}

interface Row {
  line: number
  cells: string[]
}

/** Splits a table into its cells, in one pass. Cells may be quoted; some programs separate them by commas or tabs. */
function rowsOf(text: string): Row[] {
  const separator = [';', '\t', ','].find((each) => text.includes(`keyname${each}`)) ?? ';'
  const rows: Row[] = []
  let [row, start, isQuoted, line] = [{ line: 1, cells: [] as string[] }, 0, false, 1]
  const take = (end: number) => {
    const cell = text.slice(start, end)
    row.cells.push(/^\s*"/.test(cell) ? cell.trim().slice(1, -1).replaceAll('""', '"') : cell)
    start = end + 1
  }
  for (let at = 0; at <= text.length; at += 1) {
    const character = at === text.length ? '\n' : text[at]
    if (character === '"') isQuoted = !isQuoted
    if (character === separator && !isQuoted) take(at)
    if (character !== '\n') continue
    line += 1
    if (isQuoted && at < text.length) continue
    take(at)
    rows.push(row)
    if (rows.length > MAX_ROWS) throw invalid(`it has more than ${MAX_ROWS} lines: split it by devices`)
    row = { line, cells: [] }
  }
  return rows
}

const invalid = (message: string) => new Failure('invalid', message)
