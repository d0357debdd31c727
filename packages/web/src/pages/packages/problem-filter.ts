import type { OperationReply } from '@plantroom/client/client'

export type PackageProblem = OperationReply<'listJobProblems'>['problems'][number]

/** A problem as the table shows it. */
export interface ShownProblem extends PackageProblem {
  /** Its place in the report. */
  readonly key: string
  /** The path inside the request; empty for the request itself. */
  readonly field: string
  /** The field without places in lists, so that equal mistakes have equal kinds. */
  readonly kind: string
}

/** Splits the path of each problem into request and field. */
export function shownProblems(problems: readonly PackageProblem[]): ShownProblem[] {
  return problems.map((problem, index) => {
    // The externalId may contain anything, brackets too, so it is cut off by its length.
    const named = `tickets[${(problem.row ?? 0) - 1}]`
    const withId = `${named} (externalId ${problem.externalId})`
    const prefix = problem.row === null ? '' : problem.path.startsWith(withId) ? withId : named
    const field = problem.path
      .slice(prefix.length)
      .replace(/^ \(externalId .*\)(?=\.|$)/, '')
      .replace(/^\./, '')
    return { ...problem, key: String(index), field, kind: field.replaceAll(/\[\d+\]/g, '') }
  })
}

export interface ProblemFilter {
  readonly search: string
  readonly kind: string | null
  readonly rule: string | null
}

export function filterProblems(problems: readonly ShownProblem[], filter: ProblemFilter): ShownProblem[] {
  const wanted = filter.search.trim().toLowerCase()
  return problems.filter(
    ({ row, externalId, path, value, rule, kind }) =>
      (filter.kind === null || kind === filter.kind) &&
      (filter.rule === null || rule === filter.rule) &&
      (wanted === '' ||
        String(row) === wanted ||
        [externalId ?? '', path, value ?? '', rule].some((text) => text.toLowerCase().includes(wanted))),
  )
}

/** Lists what occurs, the most frequent first. */
export function occurring(values: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const value of values) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts.entries()].toSorted(([, a], [, b]) => b - a).map(([value]) => value)
}
