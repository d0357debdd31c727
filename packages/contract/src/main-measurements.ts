import type { Datapoint, PeakShaving } from './datapoint.ts'

/** The tag of a meter whose value is the power that a site draws. */
export const SITE_POWER_TAG = 'site.power'

/** A technical system, as far as this needs it. */
interface Measured<Point> {
  readonly connections: readonly { readonly datapoints: readonly Point[] }[]
  readonly peakShaving?: Pick<PeakShaving, 'meterId'> | null
}

/**
 * Returns the datapoints whose sum is the power of a site: those tagged `site.power`, or the meters that peak shaving
 * watches when none is.
 */
export function sitePower<Point extends Pick<Datapoint, 'id' | 'tags'>>(systems: readonly Measured<Point>[]): Point[] {
  const all = systems.flatMap(({ connections }) => connections.flatMap(({ datapoints }) => datapoints))
  const tagged = all.filter(({ tags }) => tags?.includes(SITE_POWER_TAG))
  if (tagged.length > 0) return tagged
  const meters = new Set(systems.flatMap(({ peakShaving }) => (peakShaving ? [peakShaving.meterId] : [])))
  return all.filter(({ id }) => meters.has(id))
}
