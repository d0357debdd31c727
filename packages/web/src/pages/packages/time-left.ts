import type { JobProgress } from '@plantroom/contract/jobs'

/** How far a stage of a job was at its first and at its last report. */
export interface Pace {
  readonly first: JobProgress & { readonly at: number }
  readonly last: JobProgress & { readonly at: number }
}

/** Less says too little about the speed. */
const SHORTEST_MS = 3000

/** Adds a report. Another stage, or a new attempt, which starts from the beginning, begins anew. */
export function paceOf(before: Pace | undefined, progress: JobProgress | null, at: number): Pace | undefined {
  if (!progress) return undefined
  const last = { ...progress, at }
  const isSame = before?.last.stage === progress.stage && before.last.done <= progress.done
  return isSame ? { first: before.first, last } : { first: last, last }
}

/** Returns the milliseconds that the stage still takes at its pace so far; undefined while that is unknown. */
export function timeLeft(pace: Pace | undefined): number | undefined {
  if (!pace) return undefined
  const { first, last } = pace
  const [took, done] = [last.at - first.at, last.done - first.done]
  if (took < SHORTEST_MS || done <= 0 || last.total < last.done) return undefined
  return ((last.total - last.done) / done) * took
}
