import type { SiteLimitInterval } from '@plantroom/contract/fleet-limit'
import { DIRECTIONS } from '@plantroom/contract/power-limit'
import type { ChartSource, LimitStep } from './sources.ts'

/** A power limit of the meter of a controller over some time. */
export type Ceiling = Pick<SiteLimitInterval, 'deviceId' | 'direction' | 'limitKw'> & { from: number; to: number }

/** Reports whether power limits are about a meter. */
export const isLimited = ({ limitedKwPerUnit }: ChartSource) => limitedKwPerUnit !== undefined

/** Adds power limits to the meters that they are about. */
export function withCeilings(sources: readonly ChartSource[], ceilings: readonly Ceiling[]): readonly ChartSource[] {
  if (ceilings.length === 0) return sources
  return sources.map((source) => {
    const { limitedKwPerUnit: kwPerUnit, deviceId } = source
    if (kwPerUnit === undefined) return source
    return {
      ...source,
      ceilings: linesOf(
        ceilings.filter((each) => each.deviceId === deviceId),
        kwPerUnit,
      ),
    }
  })
}

/** A line for each direction. Power into the grid is below 0. Limits that follow each other are joined. */
function linesOf(ceilings: readonly Ceiling[], kwPerUnit: number): LimitStep[][] {
  return DIRECTIONS.flatMap((direction) => {
    const steps: LimitStep[] = []
    for (const { from, to, limitKw } of ceilings.filter((each) => each.direction === direction)) {
      const value = (direction === 'import' ? limitKw : -limitKw) / kwPerUnit
      const last = steps.at(-1)
      if (last && last.value === value && from <= last.to) last.to = Math.max(last.to, to)
      else steps.push({ from, to, value })
    }
    return steps.length === 0 ? [] : [steps]
  })
}

const QUARTER_MS = 900_000

/** Returns the limits in force, whose interval is not over: from the start of the quarter of an hour until now. */
export function ceilingsNow(
  states: readonly { deviceId: string; importKw: number | null; exportKw: number | null }[],
  now: number,
): Ceiling[] {
  const from = Math.floor(now / QUARTER_MS) * QUARTER_MS
  return states.flatMap(({ deviceId, ...limits }) =>
    DIRECTIONS.flatMap((direction) => {
      const limitKw = limits[`${direction}Kw`]
      return limitKw === null ? [] : [{ deviceId, direction, limitKw, from, to: now }]
    }),
  )
}
