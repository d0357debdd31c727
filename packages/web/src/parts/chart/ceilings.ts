import type { SiteLimitInterval } from '@plantroom/contract/fleet-limit'
import { DIRECTIONS, type PlacedLimit, type PowerLimitState } from '@plantroom/contract/power-limit'
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

/** A line for each direction: the strictest limit at each moment. Power into the grid is below 0. */
function linesOf(ceilings: readonly Ceiling[], kwPerUnit: number): LimitStep[][] {
  return DIRECTIONS.flatMap((direction) => {
    const steps: LimitStep[] = []
    for (const { from, to, limitKw } of strictest(ceilings.filter((each) => each.direction === direction))) {
      const value = (direction === 'import' ? limitKw : -limitKw) / kwPerUnit
      const last = steps.at(-1)
      if (last && last.value === value && from <= last.to) last.to = Math.max(last.to, to)
      else steps.push({ from, to, value })
    }
    return steps.length === 0 ? [] : [steps]
  })
}

type Bounded = Pick<Ceiling, 'from' | 'to' | 'limitKw'>

/** Cuts limits that overlap where one starts or ends, and keeps the strictest of each piece. */
function strictest(ceilings: readonly Bounded[]): Bounded[] {
  const waiting = ceilings.filter(({ from, to }) => from < to).toSorted((a, b) => a.from - b.from)
  const cuts = [...new Set(waiting.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b)
  let inForce: readonly Bounded[] = []
  let next = 0
  return cuts.slice(0, -1).flatMap((from, index) => {
    const started = next
    while (waiting[next]?.from === from) next += 1
    inForce = [...inForce.filter(({ to }) => to > from), ...waiting.slice(started, next)]
    if (inForce.length === 0) return []
    return [{ from, to: cuts[index + 1] ?? from, limitKw: Math.min(...inForce.map(({ limitKw }) => limitKw)) }]
  })
}

const QUARTER_MS = 900_000

type HeldLimits = Pick<PowerLimitState, 'importKw' | 'exportKw'> & {
  limits: readonly Pick<PlacedLimit, 'direction' | 'kw' | 'from' | 'to' | 'state'>[]
}

/** Returns the limits that controllers hold, each under a key: those that were placed, queued ones too, until they end. */
export function ceilingsNow(
  states: readonly (HeldLimits & { deviceId: string })[],
  now: number,
): (Ceiling & { key: string })[] {
  return states.flatMap(({ deviceId, limits, ...inForce }) =>
    DIRECTIONS.flatMap((direction) => {
      const strictestKw = inForce[`${direction}Kw`]
      const placed = limits
        .filter((limit) => limit.direction === direction)
        .map(({ kw, state, ...times }) => ({
          // Not by its id, which not everyone sees: limits that agree in all of it are one line.
          key: [deviceId, direction, kw, times.from, times.to].join(' '),
          ...{ deviceId, direction, from: Date.parse(times.from), to: Date.parse(times.to) },
          // The site is guaranteed some power, whatever is asked.
          limitKw: state === 'active' ? Math.max(kw, strictestKw ?? kw) : kw,
        }))
      if (strictestKw === null || placed.some(({ limitKw, from }) => limitKw === strictestKw && from <= now))
        return placed
      // A contact or a fallback, of which only the present is known: for this quarter of an hour.
      const from = Math.floor(now / QUARTER_MS) * QUARTER_MS
      return [
        ...placed,
        { deviceId, direction, key: `${deviceId} ${direction} ${from}`, limitKw: strictestKw, from, to: now },
      ]
    }),
  )
}

/** The limits seen while a page is open, by their keys. */
export type LiveCeilings = ReadonlyMap<string, Ceiling>
export const NO_CEILINGS: LiveCeilings = new Map()

/** Takes over what is held now. What is no longer held has ended; its interval is in the proof within a quarter of an hour. */
export function withLive(
  before: LiveCeilings,
  held: readonly (Ceiling & { key: string })[],
  now: number,
): LiveCeilings {
  if (held.length === 0 && before.size === 0) return before
  const keys = new Set(held.map(({ key }) => key))
  const ended = [...before]
    .filter(([key, { from, to }]) => !keys.has(key) && from < now && to > now - QUARTER_MS)
    .map(([key, ceiling]) => [key, { ...ceiling, to: Math.min(ceiling.to, now) }] as const)
  return new Map([...ended, ...held.map(({ key, ...ceiling }) => [key, ceiling] as const)])
}
