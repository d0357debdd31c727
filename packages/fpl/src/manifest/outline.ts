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

export function createOutline({ visit, element, largest, placeOf }: OutlineOptions): Outline {
  const fields = new Set<string>()
  let elementDepth = NONE
  let values = 0
  let names = 0
  let hasEscapedName = false
  let field: string | undefined
  let fieldPlace = ''
  let fieldsSize = 0
  let isInTickets = false
  let tickets = 0

  function begin(at: number, depth: number) {
    elementDepth = depth
    values = 1
    names = 0
    hasEscapedName = false
    element.begin(at)
  }

  function finish(at: number): string {
    const tooLarge = oversize(at)
    if (tooLarge) throw tooLarge
    elementDepth = NONE
    return element.finish(at)
  }

  function finishField(at: number) {
    fieldsSize += element.size(at)
    const name: string = JSON.parse(finish(at))
    if (fields.has(name)) throw manifestNotJson(`the name \`${shown(name)}\` is used twice ${fieldPlace}`)
    fields.add(name)
    if (fields.size > BOUNDS.valuesInOneTicket || fieldsSize > largest) {
      throw manifestNotJson(`too many fields ${fieldPlace}`)
    }
    field = name
  }

  function finishValue(at: number, depth: number) {
    const source = finish(at)
    const value: unknown = hasEscapedName ? parseJson(source) : JSON.parse(source)
    if (countNames(value) !== names) {
      const { name, path } = findRepeatedName(source, elementName())
      throw manifestNotJson(`the name \`${shown(name)}\` is used twice in ${path}`)
    }
    if (isInTickets) visit.ticket(tickets++, value)
    else if (depth === 0) visit.root(value)
    else visit.field(field ?? '', value)
    if (!isInTickets) field = undefined
  }

  function elementName(): string {
    if (isInTickets) return `tickets[${tickets}]`
    return field === undefined ? 'manifest' : shown(field)
  }

  function oversize(at: number): PackageRefused | undefined {
    if (elementDepth === NONE || element.size(at) <= largest) return undefined
    return manifestNotJson(`more than ${largest / 1e6} MB in ${elementName()}`)
  }

  function where(): string {
    return elementDepth === NONE || elementName() === 'manifest' ? '' : ` in ${elementName()}`
  }

  return {
    beginValue(at, depth, byte) {
      if (elementDepth === NONE) {
        if (depth === 0 && byte === OPENING_BRACE) return
        if (depth === 1 && byte === OPENING_BRACKET && field === 'tickets') isInTickets = true
        else begin(at, depth)
      } else if (++values > BOUNDS.valuesInOneTicket) {
        throw oversize(at) ?? manifestNotJson(`more than ${BOUNDS.valuesInOneTicket} values ${placeOf(at)}${where()}`)
      }
    },
    endValue(at, depth) {
      if (depth === elementDepth) finishValue(at, depth)
      else if (elementDepth === NONE && depth === 1) {
        isInTickets = false
        field = undefined
        visit.ticketsEnd?.(tickets)
      }
    },
    beginName(at, depth) {
      names += 1
      if (elementDepth !== NONE) return
      begin(at, depth)
      fieldPlace = placeOf(at)
    },
    endName(at, depth) {
      if (depth === elementDepth) finishField(at)
    },
    foundEscapeInName() {
      hasEscapedName = true
    },
    where,
    oversize,
  }
}
