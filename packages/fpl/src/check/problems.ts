import { shownExactly } from '@plantroom/contract/shown'
import { BOUNDS, LIMITS } from '../limits.ts'
import { SpelledNumber } from '../manifest/parse-json.ts'

/** One problem in a manifest. */
export interface Problem {
  /** Its location: `tickets[3].comments[0].author.email`, or `manifest` for the manifest itself. */
  readonly path: string
  /** The offending value as shown in the message; null if showing it would not help. */
  readonly value: string | null
  readonly rule: string
  /** The problem as the contract words it, one part of the message that starts with `Invalid manifest:`. */
  readonly message: string
}

/** Returns `<path>: <value> <rule>`, without the value if it is undefined. */
export function problemAt(path: string, rule: string, value?: unknown): Problem {
  const shown = value === undefined ? null : show(value)
  return { path, value: shown, rule, message: `${path}: ${shown === null ? rule : `${shown} ${rule}`}` }
}

/** The location of a problem. The ticket's id helps to find it in the source system. */
export interface Place {
  /** `tickets[3]`, or a field of the manifest. */
  readonly top: string
  /** The ticket's externalId, if it is a string. */
  readonly externalId: string | undefined
  /** The path below `top`: `.comments[0].content`. */
  readonly below: string
}

export function pathOf({ top, below }: Place): string {
  return top + below
}

/** `tickets[3] (externalId A-7).attachments[0].path <value> <rule>`. */
export function problemInTicket(place: Place, rule: string, value?: unknown): Problem {
  const shown = value === undefined ? null : show(value)
  const message = `${identified(place)} ${shown === null ? rule : `${shown} ${rule}`}`
  return { path: pathOf(place), value: shown, rule, message }
}

/** `tickets[3] (externalId A-7): duplicate externalId`. */
export function duplicateId(place: Place): Problem {
  const rule = 'duplicate externalId'
  return { path: pathOf(place), value: show(place.externalId), rule, message: `${identified(place)}: ${rule}` }
}

/** `tickets[3] (externalId A-7): must have at most 1000000 values …`. */
export function tooManyValues(place: Place, values: number): Problem {
  const rule = `must have at most ${BOUNDS.valuesInTicket} values, but has ${values}: divide its comments, attachments, tags and emails among several requests`
  return { path: pathOf(place), value: null, rule, message: `${identified(place)}: ${rule}` }
}

function identified({ top, externalId, below }: Place): string {
  return `${top}${externalId === undefined ? '' : ` (externalId ${show(externalId)})`}${below}`
}

/**
 * Returns the contract's message about a manifest, with the first of its problems. Only semicolons between problems are
 * literal: one in a name or a value is escaped, so that it cannot fake a further problem.
 */
export function invalidManifest(problems: readonly Problem[]): string {
  const first = problems.slice(0, LIMITS.problemsInMessage)
  return `Invalid manifest: ${first.map(({ message }) => message.replaceAll(';', '\\u003b')).join('; ')}`
}

/** Problems in document order: keeps the first ones, counts all. */
export interface ProblemList {
  readonly kept: readonly Problem[]
  readonly count: number
  /** Calls `describe` only if it keeps the problem. */
  add(describe: () => Problem): void
}

export function createProblemList(): ProblemList {
  const kept: Problem[] = []
  let count = 0
  return {
    kept,
    get count() {
      return count
    },
    add(describe) {
      count += 1
      if (kept.length < BOUNDS.problemsInReport) kept.push(describe())
    },
  }
}

// Always enough for a message: two UTF-16 units may form one of its 100 characters.
const ENOUGH_UNITS = 200

/**
 * Formats a value for a message: text as it is, blank text in quotes, anything else as JSON. Escapes hidden characters
 * and truncates at 100 characters. The cost does not grow with the value.
 */
export function show(value: unknown): string {
  if (typeof value === 'string' && /\S/.test(value.slice(0, ENOUGH_UNITS))) return shownExactly(value)
  return shownExactly(startOfJson(value))
}

/** Formats a field name for a message: like a value, in quotes if spaces at an end would not be seen. */
export function showName(name: string): string {
  return /^ | $/.test(name) && name.length <= ENOUGH_UNITS ? shownExactly(JSON.stringify(name)) : show(name)
}

function startOfJson(value: unknown): string {
  let text = ''
  for (const piece of piecesOfJson(value)) {
    text += piece
    if (text.length > ENOUGH_UNITS) break
  }
  return text
}

function* piecesOfJson(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield JSON.stringify(value.slice(0, ENOUGH_UNITS))
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? '[' : ','
      yield* piecesOfJson(item)
    }
    yield value.length === 0 ? '[]' : ']'
  } else if (value instanceof SpelledNumber) {
    yield value.text.slice(0, ENOUGH_UNITS)
  } else if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
    for (const [index, [name, item]] of fields.entries()) {
      yield index === 0 ? '{' : ','
      yield* piecesOfJson(name)
      yield ':'
      yield* piecesOfJson(item)
    }
    yield fields.length === 0 ? '{}' : '}'
  } else {
    // Like JSON, except that an infinite number is not shown as null.
    yield String(value)
  }
}
