import type { ImportPoint } from '@plantroom/cloud/packages'

/** Requests that an import of a crashing worker commits together. The real one commits a thousand. */
export const BATCH = 100

/** The processes that a crash kills: the child that runs the job, its worker, or both together, as in a power cut. */
export type Victim = 'child' | 'worker' | 'both'

/**
 * Interrupts one attempt of an import: the nth time it reaches a point, or `nth` milliseconds after it began. `pause` stops
 * the import at the point until the test resumes it.
 */
export type Crash = { at: ImportPoint; nth: number; end: Victim | 'pause' } | { at: 'after'; nth: number; end: Victim }

/**
 * Returns a package name that makes the attempts of its import crash, one crash for each attempt. The name is known to a
 * job from its first moment, so no message to the job can arrive too late.
 */
export function crashingName(crashes: readonly Crash[], prefix = 'site'): string {
  return `${[prefix, ...crashes.map(({ at, nth, end }) => `${at}-${nth}-${end}`)].join(' ')}.fpl`
}

/** Reads the crash of one attempt, counted from 1, from the name of the package. */
export function crashOf(filename: string, attempt: number): Crash | undefined {
  const text = filename.replace(/\.fpl$/, '').split(' ')[attempt]
  if (text === undefined) return undefined
  const [at, nth, end] = text.split('-')
  return { at, nth: Number(nth), end } as Crash
}
