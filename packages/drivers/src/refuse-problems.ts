import { Failure } from '@plantroom/contract/failure'
import type { Problem } from './driver.ts'

const MOST_LISTED = 20

/** Throws a `Failure` `invalid` that lists the problems of a connection, the first 20 of them in full. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const listed = problems.slice(0, MOST_LISTED).map(({ path, message }) => `${path}: ${message}`)
  const left = problems.length - listed.length
  throw new Failure('invalid', [...listed, ...(left > 0 ? [`and ${left} more`] : [])].join('; '))
}
