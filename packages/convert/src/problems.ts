import { SourceError, type SourceProblem } from './source.ts'

/** Enough for a report. A file with more mistakes than this has one cause. */
export const MOST_PROBLEMS = 10_000

/** Collects problems, so that a person sees all of them at once. */
export interface ProblemList {
  add(problem: SourceProblem): void
  /** Adds the first problem that is given in this way, which stands for all. */
  addOnce(problem: SourceProblem): void
  /** Adds the problems of a `SourceError`; throws any other error again. */
  absorb(error: unknown): void
  count(): number
  /** Throws a `SourceError` with what was added, if anything was. */
  throwIfAny(): void
}

export function createProblemList(): ProblemList {
  const problems: SourceProblem[] = []
  const add = (problem: SourceProblem) => {
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  let hasOnce = false
  return {
    add,
    addOnce(problem) {
      if (!hasOnce) add(problem)
      hasOnce = true
    },
    absorb(error) {
      if (!(error instanceof SourceError)) throw error
      error.problems.forEach(add)
    },
    count: () => problems.length,
    throwIfAny() {
      if (problems.length > 0) throw new SourceError(problems)
    },
  }
}
