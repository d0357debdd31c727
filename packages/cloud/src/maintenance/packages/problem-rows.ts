import type { Problem } from '@plantroom/fpl/check-package'
import { openPackage } from '@plantroom/fpl/read-package'
import { readRequests } from '@plantroom/fpl/read-requests'
import type { JobProblem } from '../../platform/jobs/index.ts'

/** Returns the place of the request that has a problem, from 1; null for a problem of the manifest itself. */
export function rowOf(path: string): number | null {
  const [, index] = /^tickets\[(\d+)\]/.exec(path) ?? []
  return index === undefined ? null : Number(index) + 1
}

const LONGEST_ID = 255
// An id is at most 255 characters long; other texts of a request need not be kept.
const LONGEST_TEXT_BYTES = 65_536

/**
 * Adds the externalId of the request to each problem, so that people find it in the system that it comes from. Reads the
 * manifest once more, but only of packages that are refused; one that cannot be read keeps its problems as they are.
 */
export async function withExternalIds(
  path: string,
  problems: readonly Problem[],
  signal: AbortSignal,
): Promise<JobProblem[]> {
  const rows = new Set(problems.map((problem) => rowOf(problem.path)))
  const last = Math.max(0, ...[...rows].map((row) => row ?? 0))
  const ids = new Map<number, string>()
  const enough = new AbortController()
  if (last > 0) {
    try {
      using opened = openPackage(path)
      await readRequests(
        opened,
        async (requests) => {
          for (const { index, request } of requests) {
            // The package is not valid, so the id may be anything.
            const id: unknown = request?.externalId
            if (typeof id === 'string' && id.length <= LONGEST_ID && rows.has(index + 1)) ids.set(index + 1, id)
          }
          if ((requests.at(-1)?.index ?? 0) + 1 >= last) enough.abort()
        },
        { signal: AbortSignal.any([signal, enough.signal]), cutTextsOver: LONGEST_TEXT_BYTES },
      )
    } catch {
      signal.throwIfAborted()
      // The report stays useful without.
    }
  }
  return problems.map((problem) => ({ ...problem, externalId: ids.get(rowOf(problem.path) ?? 0) ?? null }))
}
