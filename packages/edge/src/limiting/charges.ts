import type { LoadStorage, ModulatingLoad, PowerLimitSettings } from '@plantroom/contract/datapoint'
import type { ChargeTrouble, StoredLoad } from '@plantroom/contract/power-limit'
import type { Meter } from '../optimisation/meter.ts'
import type { StoredEnergy } from '../optimisation/regulator-state.ts'

/** A charge may change slowly, and equipment may report it only then. */
const COUNTS_MS = 900_000
/** Charges are rounded: this part of a storage may not be there. */
const ROUNDING_PERCENT = 0.5
/** A charge that does not follow this part of the capacity is not believed. */
const FROZEN_PART = 0.1
/** Between looks that are further apart, nothing is known of what was drawn. */
const LONGEST_LOOK_MS = 60_000
const HOUR_MS = 3_600_000

type Storing = ModulatingLoad & { storage: LoadStorage }

/** Follows how much the loads of a connection point store. */
export interface Charges {
  /** Looks at every charge. `setKw` is what a load is set to now. */
  look(settings: PowerLimitSettings, setKw: (load: ModulatingLoad) => number, monotonic: number): void
  /** Returns the energy of a load; `undefined` while it is not known. */
  energyOf(datapointId: string): StoredEnergy | undefined
  all(): StoredLoad[]
}

/** A charge, and the energy that the load was set to move while it stayed the same. */
interface Followed {
  percent: number
  at: number
  movedKwh: number
}

export function createCharges(meter: Meter): Charges {
  let followed = new Map<string, Followed>()
  let seen = new Map<string, StoredLoad>()

  function see({ datapointId, storage }: Storing, kw: number, monotonic: number): StoredLoad {
    const reading = meter.read(storage.chargeId)
    const percent = reading?.value ?? null
    const trouble = !reading ? 'unreadable' : (troubleOf(reading) ?? stuck(storage, reading.value, kw, monotonic))
    const energy = reading && !trouble ? energyAt(storage, reading, kw) : { supplyKwh: null, drawKwh: null }
    return { datapointId, chargePercent: percent, ...energy, trouble: trouble ?? null }
  }

  function stuck(storage: LoadStorage, percent: number, kw: number, monotonic: number): 'frozen' | undefined {
    const { chargeId, capacityKwh } = storage
    const before = followed.get(chargeId)
    const isSame = before?.percent === percent
    const passed = isSame && monotonic - before.at <= LONGEST_LOOK_MS ? monotonic - before.at : 0
    const moved = canMove(storage, percent, kw) ? (Math.abs(kw) * passed) / HOUR_MS : 0
    const movedKwh = isSame ? before.movedKwh + moved : 0
    followed.set(chargeId, { percent, at: monotonic, movedKwh })
    return movedKwh > FROZEN_PART * capacityKwh ? 'frozen' : undefined
  }

  return {
    look({ loads }, setKw, monotonic) {
      const storing = loads.filter((load): load is Storing => load.kind === 'modulating' && load.storage !== undefined)
      const kept = new Set(storing.map(({ storage }) => storage.chargeId))
      followed = new Map([...followed].filter(([chargeId]) => kept.has(chargeId)))
      seen = new Map(storing.map((load) => [load.datapointId, see(load, setKw(load), monotonic)]))
    },
    energyOf(datapointId) {
      const { supplyKwh = null, drawKwh = null } = seen.get(datapointId) ?? {}
      return supplyKwh === null || drawKwh === null ? undefined : { supplyKwh, drawKwh }
    },
    all: () => [...seen.values()],
  }
}

function troubleOf({ value, ageMs }: { value: number; ageMs: number }): ChargeTrouble | undefined {
  if (!(value >= 0 && value <= 100)) return 'implausible'
  return ageMs > COUNTS_MS ? 'old' : undefined
}

/** A storage that is empty or full stays as it is, whatever it is set to. */
const canMove = ({ lowestPercent, highestPercent }: LoadStorage, percent: number, kw: number) =>
  kw < 0 ? percent > lowestPercent + 1 : percent < highestPercent - 1

/** What may have been moved since the reading is not there any more. */
function energyAt(
  { capacityKwh, lowestPercent, highestPercent }: LoadStorage,
  { value, ageMs }: { value: number; ageMs: number },
  kw: number,
): StoredEnergy {
  const left = (percent: number, movedKw: number) =>
    Math.max(0, ((percent - ROUNDING_PERCENT) / 100) * capacityKwh - (Math.max(0, movedKw) * ageMs) / HOUR_MS)
  return { supplyKwh: left(value - lowestPercent, -kw), drawKwh: left(highestPercent - value, kw) }
}
