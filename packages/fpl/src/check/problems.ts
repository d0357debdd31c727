import { BOUNDS, LIMITS } from '../limits.ts'
import { show } from './show.ts'

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

function identified({ top, externalId, below }: Place): string {
  return `${top}${externalId === undefined ? '' : ` (externalId ${show(externalId)})`}${below}`
}

/** Returns the contract's message about a manifest, with the first of its problems. */
export function invalidManifest(problems: readonly Problem[]): string {
  const first = problems.slice(0, LIMITS.problemsInMessage)
  return `Invalid manifest: ${first.map(({ message }) => message).join('; ')}`
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
