import type { ModulatingLoad, PowerLimitSettings, SwitchingLoad } from '@plantroom/contract/datapoint'
import type { Direction } from '@plantroom/contract/power-limit'
import { CONNECTION_STATUS } from '@plantroom/contract/values'
import type { Bound, Connections, Place } from '../connections/connections.ts'
import type { LoadSeen, LoadState, StoredEnergy } from '../optimisation/regulator-state.ts'
import type { Arbiter } from '../writing/arbiter.ts'
import { plainValue } from '../writing/equipment.ts'
import { highestClaim, setpointOf } from '../writing/hold.ts'
import type { Charges } from './charges.ts'

type Load = PowerLimitSettings['loads'][number]

/** What a load would be at without a power limit, in engineering units; `null` when that is unknown. */
export function wantedOf(arbiter: Pick<Arbiter, 'hold'>, place: Place): number | null {
  const { datapoint, connection } = place
  const hold = arbiter.hold(datapoint.id)
  if (hold) {
    const { 'power-limit': _, ...writers } = hold.claims
    const claim = highestClaim(writers)
    const plain = plainValue(hold, place)
    const value = claim ? setpointOf(claim, plain, { limits: datapoint.limits }) : plain
    if (value !== null) return Number(value)
  }
  return connection.current(datapoint.id).value
}

/** What a load had before it was held, in engineering units; `null` when it is not held or that is unknown. */
export function plainOf(arbiter: Pick<Arbiter, 'hold'>, place: Place): number | null {
  const hold = arbiter.hold(place.datapoint.id)
  const plain = hold ? plainValue(hold, place) : null
  return plain === null ? null : Number(plain)
}

/** Returns the power that a load is set to, by its last reading; 0 while that is unknown. */
export function setKw({ connections }: Pick<Known, 'connections'>, { datapointId, kwPerUnit }: ModulatingLoad): number {
  return (connections.find(datapointId)?.connection.current(datapointId).value ?? 0) * kwPerUnit
}

interface Known {
  connections: Connections
  arbiter: Pick<Arbiter, 'hold'>
  charges: Pick<Charges, 'energyOf'>
}

/**
 * Describes loads to the regulator. For a limit of the export, all powers change their sign, and loads that only switch are
 * left out: to start one is not ours to decide. `others` is what the other direction does to them.
 */
export function loadsSeen(
  { connections, arbiter, charges }: Known,
  loads: readonly Load[],
  { direction, others }: { direction: Direction; others: ReadonlyMap<string, LoadState> },
): LoadSeen[] {
  return loads.flatMap((load): LoadSeen[] => {
    const place = connections.find(load.datapointId)
    if (!place || (direction === 'export' && load.kind === 'switching')) return []
    const wanted = wantedOf(arbiter, place)
    const isReachable = place.connection.status() === CONNECTION_STATUS.connected && wanted !== null
    const common = {
      id: load.datapointId,
      priority: load.priority,
      isHeld: arbiter.hold(load.datapointId)?.holder !== undefined,
      ...((!isReachable || connections.isLeaving(load.datapointId)) && { isPassedOver: true }),
    }
    return [
      {
        ...common,
        ...(load.kind === 'switching'
          ? switching(load, wanted)
          : modulating(load, wanted, {
              direction,
              other: others.get(load.datapointId),
              energy: charges.energyOf(load.datapointId),
            })),
      },
    ]
  })
}

function switching({ shedValue, ratedKw, minOnSeconds, minOffSeconds }: SwitchingLoad, wanted: number | null) {
  const wantedKw = wanted === null || wanted === shedValue ? 0 : ratedKw
  return { kind: 'switching' as const, wantedKw, ratedKw, minOnSeconds, minOffSeconds }
}

function modulating(
  { minKw, maxKw, kwPerUnit }: ModulatingLoad,
  wanted: number | null,
  about: { direction: Direction; other: LoadState | undefined; energy: StoredEnergy | undefined },
) {
  const { direction, other, energy } = about
  const kw = (wanted ?? 0) * kwPerUnit
  // A limit of the other direction can make a load draw, or supply, more than its writer wants.
  const wantedKw = Math.max(direction === 'import' ? kw : -kw, -(other?.atMostKw ?? Number.POSITIVE_INFINITY))
  const range = direction === 'import' ? { minKw, maxKw } : { minKw: -maxKw, maxKw: -minKw }
  const stored = energy && (direction === 'import' ? energy : turned(energy))
  return { kind: 'modulating' as const, ...range, wantedKw, ...(stored && { stored }) }
}

const turned = ({ supplyKwh, drawKwh }: StoredEnergy): StoredEnergy => ({ supplyKwh: drawKwh, drawKwh: supplyKwh })

/** How both directions limit one load. */
export interface Moves {
  import: LoadState | undefined
  export: LoadState | undefined
}

/** Returns what may be written to a load; `undefined` when it is not limited. */
export function boundOf(load: Load, { import: drawn, export: fed }: Moves): Bound | undefined {
  if (load.kind === 'switching') return drawn?.atMostKw === 0 ? { stop: load.shedValue } : undefined
  const { minKw, maxKw, kwPerUnit } = load
  const [most, least] = [drawn?.atMostKw ?? maxKw, -(fed?.atMostKw ?? -minKw)]
  // At the end of its range, a load is not limited. Of two limits that contradict each other, the one of the import counts.
  const max = most < maxKw && { max: most / kwPerUnit }
  const min = least > minKw && { min: Math.min(least, most) / kwPerUnit }
  return max || min ? { ...max, ...min } : undefined
}
