import type { PowerLimitSettings } from '@plantroom/contract/datapoint'
import { DIRECTIONS, type Direction, type PowerLimitState } from '@plantroom/contract/power-limit'
import { formatTimestamp } from '@plantroom/contract/timestamp'
import type { Connections } from '../connections/connections.ts'
import type { TrustedMeter } from '../optimisation/trusted-meter.ts'
import type { Timekeeper } from '../overrides/timekeeper.ts'
import { summaryOf } from '../telemetry/interval.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import type { Charges } from './charges.ts'
import type { PowerLimits } from './power-limits.ts'
import type { Side } from './side.ts'
import type { StartedLimits } from './start-limits.ts'

interface Described {
  settings: PowerLimitSettings | undefined
  sides: Readonly<Record<Direction, Side>>
  timekeeper: Timekeeper
  trusted: Pick<TrustedMeter, 'peek'>
  limits: () => PowerLimits
  started: StartedLimits
  connections: Connections
  arbiter: Pick<Arbiter, 'hold'>
  charges: Pick<Charges, 'all'>
}

/** Returns what is limited at present; `undefined` without a commissioned power limit. */
export function describeLimits(state: Described): PowerLimitState | undefined {
  const { settings, sides, timekeeper } = state
  if (!settings) return undefined
  const { wall, monotonic } = timekeeper.now()
  const { meterId, meterKwPerUnit: kwPerUnit } = settings
  const reading = state.trusted.peek({ meterId, kwPerUnit, pollSeconds: 0 }, monotonic)
  const stored = state.charges.all()
  const states = DIRECTIONS.map((direction) => sides[direction].state)
  const worst = (['exhausted', 'fallback', 'limited'] as const).find((one) => states.includes(one)) ?? 'unlimited'
  const means = DIRECTIONS.flatMap((direction) => {
    const [part] = sides[direction].parts
    const mean = part && summaryOf(part.interval, wall)?.mean
    return mean === undefined ? [] : [direction === 'import' ? mean : -mean]
  })
  return {
    meterId,
    state: worst,
    importKw: sides.import.ceilings[0]?.kw ?? null,
    exportKw: sides.export.ceilings[0]?.kw ?? null,
    meterKw: typeof reading === 'string' ? null : reading.kw,
    meanKw: means[0] ?? null,
    limits: state
      .limits()
      .all()
      .map((limit) => ({
        id: limit.id,
        direction: limit.direction,
        kw: limit.kw,
        from: formatTimestamp(limit.from),
        to: formatTimestamp(limit.to),
        averagingSeconds: limit.averagingSeconds,
        reqId: limit.reqId,
        placedBy: limit.placedBy,
        state: state.started.has(limit.id) || limit.from <= wall ? ('active' as const) : ('queued' as const),
      })),
    moved: settings.loads.flatMap(({ datapointId }) => {
      const bound = state.connections.find(datapointId)?.bound()
      if (!bound || !state.arbiter.hold(datapointId)) return []
      const atMostKw = sides.import.regulator.loads.get(datapointId)?.atMostKw
      const fed = sides.export.regulator.loads.get(datapointId)?.atMostKw
      return [
        {
          datapointId,
          ...(atMostKw !== undefined && Number.isFinite(atMostKw) && { atMostKw }),
          ...(fed !== undefined && Number.isFinite(fed) && { atLeastKw: -fed }),
        },
      ]
    }),
    ...(stored.length > 0 && { stored }),
  }
}
