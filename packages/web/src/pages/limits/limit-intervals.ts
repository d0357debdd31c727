import type { SiteLimitInterval } from '@plantroom/contract/fleet-limit'

/** Returns the power of an interval in the direction of its limit: drawn power is positive, and so is fed-in power of a limit into the grid. */
export const meanInDirection = ({ direction, meanKw }: Pick<SiteLimitInterval, 'direction' | 'meanKw'>) =>
  meanKw === null ? null : direction === 'import' ? meanKw : -meanKw

/** Returns how far an interval was below its limit; below 0 where it was above. */
export function marginOf(interval: Pick<SiteLimitInterval, 'direction' | 'meanKw' | 'limitKw'>): number | null {
  const mean = meanInDirection(interval)
  return mean === null ? null : interval.limitKw - mean
}

/** Counts how many intervals kept their limit, and of how many that is unknown. */
export function countKept(intervals: readonly Pick<SiteLimitInterval, 'kept'>[]) {
  return {
    kept: intervals.filter(({ kept }) => kept === true).length,
    unknown: intervals.filter(({ kept }) => kept === null).length,
  }
}
