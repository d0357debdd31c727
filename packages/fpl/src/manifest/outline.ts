import { shown } from '@plantroom/contract/shown'
import { BOUNDS } from '../limits.ts'
import { manifestNotJson, type PackageRefused } from '../refusal.ts'
import type { Element } from './element.ts'
import { parseJson } from './parse-json.ts'
import { countNames, findRepeatedName } from './repeated-name.ts'

/** Receives the contents of a manifest in document order. */
export interface ManifestVisitor {
  /** A field of the manifest, except an array under `tickets`. */
  field(name: string, value: unknown): void
  ticket(index: number, value: unknown): void
  /** Called at the end of the `tickets` array with its number of elements, possibly 0. */
  ticketsEnd?(count: number): void
  /** Called with the value of a manifest that is not an object. */
  root(value: unknown): void
}

interface OutlineOptions {
  visit: ManifestVisitor
  element: Element
  /** The maximum size of one element in bytes, and of all field names together. */
  largest: number
  /** Formats a position: `at byte 12 (line 2, column 3)`. */
  placeOf(at: number): string
}

/**
 * Finds the elements of a manifest in the token stream and parses each at its end: a field name, a field value, a
 * ticket, or a root that is not an object. `at` is a position in the chunk; `depth` is the number of open objects and
 * arrays.
 */
export interface Outline {
  /** `byte` is the first byte of the value. */
  beginValue(at: number, depth: number, byte: number): void
  /** The value ended before `at`; its objects and arrays are closed. */
  endValue(at: number, depth: number): void
  beginName(at: number, depth: number): void
  endName(at: number, depth: number): void
  /** The current name contains an escape. */
  foundEscapeInName(): void
  /** Returns the current element for a message: ` in tickets[17]`. */
  where(): string
  /** Returns an error if the element exceeds its maximum size. */
  oversize(at: number): PackageRefused | undefined
}

const NONE = -1
const OPENING_BRACE = 0x7b
const OPENING_BRACKET = 0x5b

/** Where the outline is in the document. */
interface Position extends OutlineOptions {
  /** Names of the manifest's fields so far. */
  readonly fields: Set<string>
  fieldsSize: number
  /** Depth of the current element, or NONE between elements. */
  elementDepth: number
  /** Values and names in the current element. */
  values: number
  names: number
  hasEscapedName: boolean
  /** The field whose value is due or in progress. */
  field: string | undefined
  fieldPlace: string
  isInTickets: boolean
  tickets: number
}

export function createOutline(options: OutlineOptions): Outline {
  const position: Position = {
    ...options,
    fields: new Set(),
    fieldsSize: 0,
    elementDepth: NONE,
    values: 0,
    names: 0,
    hasEscapedName: false,
    field: undefined,
    fieldPlace: '',
    isInTickets: false,
    tickets: 0,
  }

  return {
    beginValue(at, depth, byte) {
      if (position.elementDepth === NONE) {
        if (depth === 0 && byte === OPENING_BRACE) return
        if (depth === 1 && byte === OPENING_BRACKET && position.field === 'tickets') position.isInTickets = true
        else begin(position, at, depth)
      } else if (++position.values > BOUNDS.valuesInOneTicket) {
        throw oversize(position, at) ?? tooManyValues(position, at)
      }
    },
    endValue(at, depth) {
      if (depth === position.elementDepth) finishValue(position, at, depth)
      else if (position.elementDepth === NONE && depth === 1) {
        position.isInTickets = false
        position.field = undefined
        position.visit.ticketsEnd?.(position.tickets)
      }
    },
    beginName(at, depth) {
      position.names += 1
      if (position.elementDepth !== NONE) return
      begin(position, at, depth)
      position.fieldPlace = position.placeOf(at)
    },
    endName(at, depth) {
      if (depth === position.elementDepth) finishFieldName(position, at)
    },
    foundEscapeInName() {
      position.hasEscapedName = true
    },
    where: () => where(position),
    oversize: (at) => oversize(position, at),
  }
}

function begin(position: Position, at: number, depth: number): void {
  position.elementDepth = depth
  position.values = 1
  position.names = 0
  position.hasEscapedName = false
  position.element.begin(at)
}

/** Ends the current element and returns its source. */
function finish(position: Position, at: number): string {
  const tooLarge = oversize(position, at)
  if (tooLarge) throw tooLarge
  position.elementDepth = NONE
  return position.element.finish(at)
}

function finishFieldName(position: Position, at: number): void {
  const { fields, element, fieldPlace, largest } = position
  position.fieldsSize += element.size(at)
  const name: string = JSON.parse(finish(position, at))
  if (fields.has(name)) throw manifestNotJson(`the name \`${shown(name)}\` is used twice ${fieldPlace}`)
  fields.add(name)
  if (fields.size > BOUNDS.valuesInOneTicket || position.fieldsSize > largest) {
    throw manifestNotJson(`too many fields ${fieldPlace}`)
  }
  position.field = name
}

function finishValue(position: Position, at: number, depth: number): void {
  const { visit, field, isInTickets } = position
  const source = finish(position, at)
  const value: unknown = position.hasEscapedName ? parseJson(source) : JSON.parse(source)
  if (countNames(value) !== position.names) {
    const { name, path } = findRepeatedName(source, elementName(position))
    throw manifestNotJson(`the name \`${shown(name)}\` is used twice in ${path}`)
  }
  if (isInTickets) visit.ticket(position.tickets++, value)
  else if (depth === 0) visit.root(value)
  else visit.field(field ?? '', value)
  if (!isInTickets) position.field = undefined
}

function elementName({ isInTickets, tickets, field }: Position): string {
  if (isInTickets) return `tickets[${tickets}]`
  return field === undefined ? 'manifest' : shown(field)
}

function where(position: Position): string {
  const name = elementName(position)
  return position.elementDepth === NONE || name === 'manifest' ? '' : ` in ${name}`
}

function oversize(position: Position, at: number): PackageRefused | undefined {
  const { element, elementDepth, largest } = position
  if (elementDepth === NONE || element.size(at) <= largest) return undefined
  return manifestNotJson(`more than ${largest / 1e6} MB in ${elementName(position)}`)
}

function tooManyValues(position: Position, at: number): PackageRefused {
  return manifestNotJson(`more than ${BOUNDS.valuesInOneTicket} values ${position.placeOf(at)}${where(position)}`)
}
