import type { SiteLimitInterval } from '@plantroom/contract/fleet-limit'

/** Counts how many intervals kept their limit, and of how many that is unknown. */
export function countKept(intervals: readonly Pick<SiteLimitInterval, 'kept'>[]) {
  return {
    kept: intervals.filter(({ kept }) => kept === true).length,
    unknown: intervals.filter(({ kept }) => kept === null).length,
  }
}
