import { shown } from '@plantroom/contract/shown'
import { BOUNDS } from '../limits.ts'
import { manifestInvalid } from '../refusal.ts'
import type { Element } from './element.ts'
import { type JsonSource, sourceOf } from './json-source.ts'
import { parseJson } from './parse-json.ts'
import { countNames, repeatedName } from './repeated-name.ts'

/** Receives the contents of a manifest in document order. */
export interface ManifestVisitor {
  /**
   * A field of the manifest, except an array under `tickets`. Of a large array or object only the start, because no field
   * may have one.
   */
  field(name: string, value: unknown, spelled?: Spelled): void
  ticket(index: number, value: unknown, spelled?: Spelled): void
  /**
   * A ticket that could take gigabytes if it were parsed at once, and its number of values: texts, numbers, lists and so
   * on. Its source is valid only during the call. Without this method the ticket is parsed nevertheless, which only the
   * reader of a checked manifest may risk.
   */
  largeTicket?(index: number, source: JsonSource, values: number): void
  /** Called at the end of the `tickets` array with its number of elements, possibly 0. */
  ticketsEnd?(count: number): void
  /** Called with the value of a manifest that is not an object; only the start of a large one. */
  root(value: unknown, spelled?: Spelled): void
}

/** Returns the value again, with numbers as the author wrote them. Slow: for messages. */
export type Spelled = () => unknown

interface OutlineOptions {
  visit: ManifestVisitor
  element: Element
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
      } else position.values += 1
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
  }
}

function begin(position: Position, at: number, depth: number): void {
  position.elementDepth = depth
  position.values = 1
  position.names = 0
  position.hasEscapedName = false
  position.element.begin(at)
}

function finishFieldName(position: Position, at: number): void {
  const { fields, element, fieldPlace } = position
  const size = element.size(at)
  position.elementDepth = NONE
  const name: string = JSON.parse(element.finish(at))
  if (fields.has(name)) throw manifestInvalid(`the name \`${shown(name)}\` is used twice ${fieldPlace}`)
  if (fields.size < BOUNDS.fieldNames && position.fieldsSize + size <= BOUNDS.fieldNameBytes) {
    fields.add(name)
    position.fieldsSize += size
  }
  position.field = name
}

function finishValue(position: Position, at: number, depth: number): void {
  const { visit, isInTickets, element } = position
  position.elementDepth = NONE
  const isLarge = position.values > BOUNDS.valuesParsedAtOnce || element.size(at) > BOUNDS.bytesParsedAtOnce
  if (isLarge && (!isInTickets || visit.largeTicket)) element.lend(at, (bytes) => deliverLarge(position, bytes, depth))
  else deliver(position, element.finish(at), depth)
  if (!isInTickets) position.field = undefined
}

function deliver(position: Position, source: string, depth: number): void {
  const { visit, isInTickets, field } = position
  const value: unknown = position.hasEscapedName ? parseJson(source) : JSON.parse(source)
  if (countNames(value) !== position.names) throw repeatedName(source, elementName(position))
  const spelled = () => parseJson(source, { spelled: true })
  if (isInTickets) visit.ticket(position.tickets++, value, spelled)
  else if (depth === 0) visit.root(value, spelled)
  else visit.field(field ?? '', value, spelled)
}

function deliverLarge(position: Position, bytes: Buffer, depth: number): void {
  const { visit, isInTickets, field, hasEscapedName } = position
  const source = sourceOf(bytes, { hasEscapedName })
  if (isInTickets) visit.largeTicket?.(position.tickets++, source, position.values)
  else if (depth === 0) visit.root(source.start())
  else visit.field(field ?? '', source.start())
}

function elementName({ isInTickets, tickets, field }: Position): string {
  if (isInTickets) return `tickets[${tickets}]`
  return field === undefined ? 'manifest' : shown(field)
}

function where(position: Position): string {
  const name = elementName(position)
  return position.elementDepth === NONE || name === 'manifest' ? '' : ` in ${name}`
}
