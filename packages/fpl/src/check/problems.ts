import { BOUNDS, LIMITS } from '../limits.ts'
import type { Problem } from './problem.ts'
import { show } from './show.ts'

/** `<path>: <value> <rule>`; without a value where `value` is undefined, which no JSON is. */
export function problemAt(path: string, rule: string, value?: unknown): Problem {
  const shown = value === undefined ? null : show(value)
  return { path, value: shown, rule, message: `${path}: ${shown === null ? rule : `${shown} ${rule}`}` }
}

/** Where a problem is: below a ticket, whose id then helps to find it in the system that it came from. */
export interface Place {
  /** `tickets[3]`, or a field of the manifest. */
  readonly top: string
  /** The ticket's externalId where it has one that is text. */
  readonly externalId: string | undefined
  /** The way from there, as `.comments[0].content`. */
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

/** The one message about a manifest: the first of its problems. */
export function invalidManifest(problems: readonly Problem[]): string {
  const first = problems.slice(0, LIMITS.problemsInMessage)
  return `Invalid manifest: ${first.map(({ message }) => message).join('; ')}`
}

/** Problems in order: the first ones are kept, all are counted. */
export interface ProblemList {
  readonly kept: readonly Problem[]
  readonly count: number
  /** `describe` is called only if the problem is kept. */
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
