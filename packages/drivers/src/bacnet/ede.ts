import { csvLine } from '@plantroom/base/csv'
import type { FoundConnection, FoundDatapoint } from '@plantroom/contract/discovery'
import { Failure } from '@plantroom/contract/failure'
import { excerpt } from '../excerpt.ts'
import { type StateTexts, statesFor, stateTextsOf } from './ede-states.ts'
import { readTable } from './ede-table.ts'
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
  states: ['state-text-reference', 'state text reference'],
  unit: ['unit-code'],
} as const
type Column = keyof typeof COLUMNS
const MANDATORY: readonly Column[] = ['device', 'name', 'type', 'instance']

const HEADER =
  '# keyname;device obj.-instance;object-name;object-type;object-instance;description;present-value-default;min-present-value;max-present-value;settable;supports COV;hi-limit;low-limit;state-text-reference;unit-code;vendor-specific-address'

/** Returns the devices of a scan as an EDE file, one table of all objects, and the file of its state texts, if it has any. */
export function edeOf(
  connections: readonly FoundConnection[],
  about: { project: string; at: string },
): { ede: string; stateTexts: string | undefined } {
  const { referenceOf, file: stateTexts } = stateTextsOf(connections)
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
        const more = [
          datapoint.description ?? '',
          '',
          min,
          max,
          settable,
          'N',
          '',
          '',
          referenceOf(datapoint),
          unit,
          '',
        ]
        return row(`${name}.${datapoint.name}`, [datapoint.name, ...numbersOf(datapoint)], more)
      }),
    ]
  })
  return { ede: [...lines, `${HEADER}\r\n`, ...rows].join(''), stateTexts }
}

function numbersOf({ data }: FoundDatapoint): readonly [type: number, instance: number] {
  const [type = '', instance] = String(data.object).split(',')
  return [OBJECT_TYPES[type as ObjectTypeName].type, Number(instance)]
}

const MAX_PROBLEMS = 20
const LONGEST_NAME = 200

/**
 * Reads an EDE file as if its devices had been found by a scan; `host` is where they are. Throws a `Failure` of kind
 * `invalid` that names the lines with mistakes. Without state texts, the states of its objects have no names.
 */
export function readEde(
  text: string,
  host: string,
  stateTexts?: StateTexts,
): { connections: FoundConnection[]; warnings: string[] } {
  const rows = readTable(text, /keyname"? ?([;\t,])/i)
  const header = rows.findIndex(({ cells }) => /^#?\s*keyname$/i.test(cells[0]?.trim() ?? ''))
  const titles = rows[header]
  if (!titles) throw invalid('no line begins with "# keyname", so this is not an EDE file')
  const places = placesOf(titles.cells, titles.line)
  const problems: string[] = []
  const warnings: string[] = []
  const devices = new Map<number, { name: string; datapoints: Map<string, FoundDatapoint> }>()
  let others = 0
  let unnamed = 0
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
      if (!stateTexts && cell('states') !== '' && kindOf(type) !== 'analog') unnamed += 1
      const warn = (message: string) => void warnings.push(`line ${line}: ${message}`)
      const datapoint = datapointOf({ type, instance }, cell, { stateTexts, warn })
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
  if (unnamed > 0) {
    warnings.push(`${unnamed} objects refer to state texts, which are in another file: give it to name their states`)
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
  { stateTexts, warn }: { stateTexts: StateTexts | undefined; warn: (message: string) => void },
): FoundDatapoint {
  const { values, isInput } = typeOf(object.type)
  const warnings: string[] = []
  const isCommandable = !isInput && /^(?:y|yes|1|true)$/i.test(cell('settable'))
  // Some programs write decimal commas.
  const number = (column: Column) => (cell(column) === '' ? Number.NaN : Number(cell(column).replace(',', '.')))
  const found =
    stateTexts && values !== 'analog' ? statesFor(cell('states'), values === 'binary', stateTexts) : undefined
  if (found && 'problem' in found) warn(`${COLUMNS.states[0]}: ${found.problem}`)
  const states = found && 'states' in found ? found.states : undefined
  const counted = states ? [1, states.length] : [number('min'), number('max')]
  const [min = Number.NaN, max = Number.NaN] = values === 'binary' ? [0, 1] : counted
  const isBounded = Number.isFinite(min) && Number.isFinite(max) && min < max
  if (isCommandable && !isBounded) {
    warnings.push('takes setpoints, but has no bounds here: to write it, set accessType READ_WRITE and writeInputData')
  }
  const code = cell('unit')
  const units = values === 'analog' && /^\d{1,5}$/.test(code) ? unitName(Number(code)) : undefined
  const isUnit = units !== undefined && units !== 'no-units'
  if (values === 'analog' && !isUnit) warnings.push('has no unit here: add it where it has one')
  if (values === 'analog' && code !== '' && units === undefined) warn(`unit-code: ${excerpt(code)} is not known`)
  const description = excerpt(cell('description'), LONGEST_NAME)
  return {
    name: excerpt(cell('name'), LONGEST_NAME).trim() || objectText(object),
    accessType: isCommandable && isBounded ? 'READ_WRITE' : 'READ',
    data: { object: objectText(object), ...(isUnit && { units }), ...(states && { states }) },
    ...(isUnit && shortUnit(units).length <= 32 && { unit: shortUnit(units) }),
    ...(values === 'binary' && { unit: 'on/off' }),
    ...(isCommandable && { commandable: true }),
    ...(isCommandable && isBounded && { writeInputData: { min, max } }),
    raw: null,
    ...(description && { description }),
    warnings,
  }
}

const typeOf = (type: number) => OBJECT_TYPES[objectTypeName(type) as ObjectTypeName]
const kindOf = (type: number) => typeOf(type).values

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

const invalid = (message: string) => new Failure('invalid', message)
