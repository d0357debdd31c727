import type { ImportPoint } from '@plantroom/cloud/packages'

/** Who is killed: the process of the job, the worker above it, or both at once, as a power cut does. */
export type Victim = 'child' | 'worker' | 'both'

/**
 * What befalls one attempt of an import: at the nth time that it comes to a point, or some time after it began. `hold`
 * keeps it there for as long as the test likes.
 */
export type Fate = { at: ImportPoint; nth: number; end: Victim | 'hold' } | { at: 'after'; nth: number; end: Victim }

/**
 * The name of a package that has these fates, one for each attempt. The name is all that a job knows from its first
 * moment on: nothing has to be told to whoever runs it, and nothing can be told too late.
 */
export function fatefulName(fates: readonly Fate[], what = 'site'): string {
  return `${[what, ...fates.map(({ at, nth, end }) => `${at}-${nth}-${end}`)].join(' ')}.fpl`
}

/** What the name of its package has in store for this attempt, if anything; attempts are counted from 1. */
export function fateOf(filename: string, attempt: number): Fate | undefined {
  const said = filename.replace(/\.fpl$/, '').split(' ')[attempt]
  if (said === undefined) return undefined
  const [at, nth, end] = said.split('-')
  return { at, nth: Number(nth), end } as Fate
}
