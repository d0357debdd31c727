import type { Datapoint, PeakShaving, PowerLimitSettings } from './datapoint.ts'

/** The tag of a meter whose value is the power that a site draws. */
export const SITE_POWER_TAG = 'site.power'

/** A technical system, as far as this needs it. */
interface Measured<Point> {
  readonly connections: readonly { readonly datapoints: readonly Point[] }[]
  readonly peakShaving?: Pick<PeakShaving, 'meterId'> | null
  readonly powerLimit?: Pick<PowerLimitSettings, 'meterId'>
}

/**
 * Returns the datapoints whose sum is the power of a site: those tagged `site.power`, or the meters that peak shaving
 * and power limits watch when none is.
 */
export function sitePower<Point extends Pick<Datapoint, 'id' | 'tags'>>(systems: readonly Measured<Point>[]): Point[] {
  const all = systems.flatMap(({ connections }) => connections.flatMap(({ datapoints }) => datapoints))
  const tagged = all.filter(({ tags }) => tags?.includes(SITE_POWER_TAG))
  if (tagged.length > 0) return tagged
  const meters = new Set(systems.flatMap((system) => [system.peakShaving?.meterId, system.powerLimit?.meterId]))
  return all.filter(({ id }) => meters.has(id))
}

/** The tag of a measurement that people want to see first. */
export const SITE_MAIN_TAG = 'site.main'

/** The kinds that are shown where nothing is tagged. */
const MAIN_KINDS: readonly string[] = ['state-of-charge', 'temperature']

/** As many as fit beside the power of a site. */
const MAX_MAIN = 3

/**
 * Returns up to three archived datapoints that people want to see first, besides the power of the site: those tagged
 * `site.main`, or when none is, those of the kinds `state-of-charge` and `temperature`, in turn.
 */
export function mainMeasurements<
  Point extends Pick<Datapoint, 'id' | 'tags' | 'kind' | 'analyticsInterval' | 'accessType'>,
>(systems: readonly Measured<Point>[]): Point[] {
  const power = new Set(sitePower(systems).map(({ id }) => id))
  const all = systems
    .flatMap(({ connections }) => connections.flatMap(({ datapoints }) => datapoints))
    .filter(({ id, analyticsInterval }) => analyticsInterval > 0 && !power.has(id))
  const tagged = all.filter(({ tags }) => tags?.includes(SITE_MAIN_TAG))
  if (tagged.length > 0) return tagged.slice(0, MAX_MAIN)
  // A setpoint says what is wanted, a measurement what is.
  const measured = all.filter(({ accessType }) => accessType === 'READ')
  const byKind = MAIN_KINDS.map((kind) => measured.filter((point) => point.kind === kind))
  const inTurn = Array.from({ length: MAX_MAIN }, (_, place) => byKind.flatMap((points) => points[place] ?? []))
  return inTurn.flat().slice(0, MAX_MAIN)
}

/** The tags of power measurements, by the part of a site that they measure. */
export const FLOW_TAGS = { storage: 'site.storage', generation: 'site.generation', load: 'site.load' } as const

/** A part of the power flow of a site. */
export type FlowPart = 'grid' | keyof typeof FLOW_TAGS

/** Kilowatts in one of these units. */
export const KILOWATTS: Readonly<Record<string, number>> = { W: 0.001, kW: 1, MW: 1000 }

/**
 * Returns the power measurements of a site, by part. The grid is positive when the site draws power, a storage when it is
 * charged, generation when it generates, a load when it consumes.
 */
export function powerFlow<Point extends Pick<Datapoint, 'id' | 'tags' | 'unit'>>(
  systems: readonly Measured<Point>[],
): Record<FlowPart, Point[]> {
  const isPower = ({ unit }: Point) => unit !== undefined && Object.hasOwn(KILOWATTS, unit)
  const all = systems.flatMap(({ connections }) => connections.flatMap(({ datapoints }) => datapoints)).filter(isPower)
  const tagged = (part: keyof typeof FLOW_TAGS) => all.filter(({ tags }) => tags?.includes(FLOW_TAGS[part]))
  return {
    grid: sitePower(systems).filter(isPower),
    storage: tagged('storage'),
    generation: tagged('generation'),
    load: tagged('load'),
  }
}

/** The most datapoints of one question for recent values. */
export const MAX_RECENT = 50
